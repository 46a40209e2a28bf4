import { parseDate, parseFilterDate, type DateRounding } from '../../introspection/dates/dates.ts';
import { tokensOf } from '../../engines/semantics/analyser.ts';
import { writtenDate } from './written-date.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import type { Sqon, SqonLeaf, SqonScalar, SqonMulti, Operator } from '../../sqon/ast.ts';
import {
  group,
  isPrefixPattern,
  isSpecialValue,
  leaf,
  MISSING,
  SET_PREFIX,
  multi,
  wildcard,
} from '../../sqon/ast.ts';
import { operators } from '../../sqon/operators/table.ts';
import { mapConditions } from '../../sqon/rewrite.ts';
import type { Bound } from '../../sqon/operators/operator.ts';
import { boundRounding } from '../../sqon/operators/ranges.ts';
import type { CursorValue } from '../../engines/engine.ts';
import { isHighEnd, maxLong, maxUnsignedLong, minLong } from '../../engines/semantics/cursor.ts';
import { sortDefaults, type SortRequest } from '../../search/query.ts';

/**
 * Rewrites a node's filter for a remote node, using only what its clients can write. Values excluded from a pattern become
 * a separate condition, so a record whose list holds both a matching and an excluded value is not found.
 * @param nestedPathOf the innermost nested path of a node's field; null for a field of the record itself
 */
export const wireFilter = (sqon: Sqon, nestedPathOf: (path: string) => string | null): Sqon => {
  switch (sqon.kind) {
    case 'group': {
      const content = sqon.content.map((one) => wireFilter(one, nestedPathOf));
      return { ...sqon, content: [...content].sort(constantsLast) };
    }
    case 'leaf':
      return sqon.except === undefined && sqon.isSearch !== true
        ? sqon
        : wireLeaf(sqon, nestedPathOf(sqon.fieldName));
    case 'multi':
      return sqon.except === undefined
        ? sqon
        : excepting(plainMulti(sqon), sqon, nestedPathOf(sqon.fieldNames[0]!));
    case 'constant':
      return sqon;
  }
};

/** An established node decides from the first entry of a pivot's group whether the group is for nested objects. */
const constantsLast = (left: Sqon, right: Sqon): number =>
  Number(left.kind === 'constant') - Number(right.kind === 'constant');

const wireLeaf = (sqon: SqonLeaf, nestedPath: string | null): Sqon => {
  const { takesSpecialValues, asSearch } = operators[sqon.op];
  const searched = asSearch(sqon, (values) => anyOf(sqon, values, nestedPath), nestedPath);
  // other operators exclude the values one by one, among their patterns
  return takesSpecialValues || sqon.except === undefined ? searched : excepting(searched, sqon, nestedPath);
};

const anyOf = (sqon: SqonLeaf, values: readonly SqonScalar[], nestedPath: string | null): Sqon => {
  if (sqon.except === undefined) return searchIn(sqon, values);
  const patterns = values.filter((value, at) => at < (sqon.exactFrom ?? Infinity) && isPrefixPattern(value));
  const others = values.filter((value) => !patterns.includes(value));
  const matching = excepting(
    leaf('in', sqon.fieldName, patterns, null, sqon.at),
    { ...sqon, except: sqon.except },
    nestedPath,
  );
  return others.length === 0 ? matching : group('or', [searchIn(sqon, others), matching], null, sqon.at);
};

/**
 * Membership in a form that no facet mistakes for its own selection. The additional search for each value remains where
 * a facet drops the membership; searches fold case, so there, and only there, a value in different case counts too.
 */
const searchIn = (
  { op, fieldName, at }: Pick<SqonLeaf, 'op' | 'fieldName' | 'at'>,
  values: readonly SqonScalar[],
): Sqon => {
  const member = leaf(op === 'is' ? 'is' : 'in', fieldName, values, null, at);
  if (values.length === 0 || values.some((value) => isNoWildcard(value, op))) return member;
  const searches = values.map((value) =>
    value === MISSING
      ? leaf('in', fieldName, [MISSING], null, at)
      : wildcard([fieldName], String(value), null, at),
  );
  return group('and', [member, group('or', searches, null, at)], null, at);
};

/** Values that a wildcard does not find, on servers with and without an escape. */
const isNoWildcard = (value: SqonScalar, op: Operator): boolean =>
  typeof value === 'string' &&
  (/[*\\]/.test(value) || value.startsWith(SET_PREFIX) || (op === 'is' && value === MISSING));

const plainMulti = ({ op, fieldNames, value, wholeWords, pivot, at }: SqonMulti): Sqon => ({
  ...multi(op, fieldNames, value, pivot, at),
  ...(wholeWords === true && { wholeWords }),
});

/** One object, or the record, that matches and has none of the excluded values. */
const excepting = (matching: Sqon, sqon: SqonLeaf | SqonMulti, nestedPath: string | null): Sqon => {
  const fieldName = sqon.kind === 'leaf' ? sqon.fieldName : sqon.fieldNames[0]!;
  const op = sqon.except!.some(isSpecialValue) ? 'is' : 'in';
  const excepted = searchIn({ op, fieldName, at: sqon.at }, sqon.except!);
  return group('and', [matching, group('not', [excepted], null, sqon.at)], nestedPath, sqon.at);
};

/** A filter with its lists of literal values as clients can write them. */
export const literalFilter = (sqon: Sqon): Sqon =>
  mapConditions(sqon, (one) => (one.kind === 'leaf' ? literalLeaf(one) : one));

/**
 * Rewrites a filter for the established server, replacing operators that it lacks by conditions that it has.
 * @param replaced receives every operator that was replaced
 */
export const supportedFilter = (sqon: Sqon, replaced: (op: Operator) => void): Sqon =>
  mapConditions(sqon, (one) => {
    if (one.kind === 'leaf') return supportedLeaf(literalLeaf(one), replaced);
    const { older } = operators[one.op];
    if (older === null) return one;
    replaced(one.op);
    return older.means(one);
  });

/** A list of literal values as clients can write it, where `in` would interpret a value as a pattern or marker. */
const literalLeaf = (sqon: SqonLeaf): SqonLeaf => {
  const { exactFrom, ...written } = sqon;
  const isLiteral = sqon.op === 'in' && exactFrom === 0 && sqon.values.some(isSpecialValue);
  return isLiteral ? { ...written, op: 'is', isSearch: sqon.isSearch ?? true } : sqon;
};

const supportedLeaf = (sqon: SqonLeaf, replaced: (op: Operator) => void): Sqon => {
  const { older, takesSpecialValues } = operators[sqon.op];
  if (older !== null) {
    if (older.differs?.(sqon) !== false) replaced(sqon.op);
    return older.means(sqon);
  }
  // there, a star inside a value is a pattern too, and so is one at the start alone
  const hasStarInside = sqon.values.some((value) => /.\*.|^\*.*[^*]$/.test(String(value)));
  if (takesSpecialValues && hasStarInside) replaced('is');
  return sqon;
};

/** The warning to the caller about a replaced operator. */
export const replacedWarning = (op: Operator): string => {
  const operator = operators[op];
  const warning = operator.kind === 'group' ? undefined : operator.older?.warning;
  return `this node does not know the operator ${op}: ${warning ?? 'it is queried without it'}`;
};

/** The context in which a filter for an established node is written. */
export interface EstablishedNode {
  readonly fields: Fields;
  /** Paths of the requested facets. */
  readonly facets: ReadonlySet<string>;
}

/**
 * Rewrites a filter into equivalent forms that the established server accepts: a leaf at the root is wrapped in `and`,
 * as its facets only handle groups; 0 and false become text, as it turns them into the empty string; a range has one
 * bound, and dates are written in the format of its mapping, with a time where that has one, as it derives a format from
 * others that its engine refuses.
 */
export const establishedFilter = (sqon: Sqon | null, node: EstablishedNode): Sqon | null => {
  if (sqon === null) return null;
  const written = mapConditions(sqon, (one) => (one.kind === 'leaf' ? leafOf(one, node) : one));
  return written.kind === 'group' ? written : group('and', [written], null, sqon.at);
};

const leafOf = (sqon: SqonLeaf, node: EstablishedNode): Sqon => {
  const field = node.fields.get(sqon.fieldName);
  if (field?.kind === 'nested' && sqon.values.includes(MISSING)) return presence(sqon, node);
  const { bounds, complement } = operators[sqon.op];
  if (bounds !== null) return rangeOf(sqon, bounds, field);
  const read = field === undefined ? sqon : byEngine(sqon, field);
  if (read.kind !== 'leaf') return read;
  const truthy = { ...read, values: read.values.map(asText) };
  return complement === null ? truthy : negation(truthy, complement, field);
};

const asText = (value: SqonScalar): SqonScalar => (value === 0 || value === false ? String(value) : value);

/**
 * The established server treats `__missing__` on a nested path as matching all; a value below it exists or is missing with
 * the objects.
 */
const presence = (sqon: SqonLeaf, { fields, facets }: EstablishedNode): Sqon => {
  const below = [...fields.values()].filter(
    ({ kind, nestedIn }) => kind !== 'object' && nestedIn.at(-1) === sqon.fieldName,
  );
  // a facet would treat a leaf on its own field as its selection
  const field = below.find(({ path }) => !facets.has(path)) ?? below[0];
  if (!field) return sqon;
  const parts = (['in', 'not-in'] as const).map((op) => leaf(op, field.path, [MISSING], null, sqon.at));
  const some = group('or', parts, null, sqon.at);
  return operators[sqon.op].complement !== null ? some : group('not', [some], null, sqon.at);
};

/** The established server combines special values with the others as alternatives, which is wrong for a negation. */
const negation = (
  sqon: SqonLeaf,
  { of, on }: { readonly of: 'in'; readonly on: 'object' | 'record' },
  field: Field | undefined,
): Sqon => {
  const isMixed = sqon.values.length > 1 && sqon.values.some(isSpecial);
  const ofObjects = (field?.nestedIn.length ?? 0) > 0;
  if (!isMixed || (ofObjects && (on === 'object' || sqon.values.includes(MISSING)))) return sqon;
  return group('not', [{ ...sqon, op: of }], null, sqon.at);
};

const isSpecial = (value: SqonScalar): boolean =>
  typeof value === 'string' && (value.includes('*') || value === MISSING || value.startsWith(SET_PREFIX));

/** The strictest of several bounds; both bounds of `between` unchanged; unparsable ones are left to the node. */
const rangeOf = (sqon: SqonLeaf, ends: readonly Bound[], field: Field | undefined): Sqon => {
  const areGiven = ends.length > 1 && sqon.values.length === ends.length;
  const values = ends.map((end, at) => bound(areGiven ? [sqon.values[at]!] : sqon.values, end, field));
  // not a constant: a facet of the field excludes it as its own selection
  if (field?.kind === 'date' && isEmpty(values, field))
    return leaf('in', sqon.fieldName, [], sqon.pivot, sqon.at);
  const known = values.filter((value) => value !== null);
  return { ...sqon, values: (known.length === values.length ? known : sqon.values).map(asText) };
};

const bound = (
  values: readonly SqonScalar[],
  { name, of }: Bound,
  field: Field | undefined,
): SqonScalar | null => {
  let found: { readonly value: SqonScalar; readonly at: number } | null = null;
  for (const value of values) {
    const at = orderOf(value, boundRounding[name], field);
    if (at === null || Number.isNaN(at)) return null;
    if (found === null || (of === 'greatest' ? at > found.at : at < found.at)) found = { value, at };
  }
  if (found === null || field?.kind !== 'date') return found && found.value;
  return writtenDate(found.at, name === 'gte' || name === 'lt' ? 'up' : 'down', field.format);
};

const orderOf = (value: SqonScalar, rounding: DateRounding, field: Field | undefined): number | null => {
  if (field?.kind !== 'date' || typeof value === 'boolean') return Number(value);
  return parseFilterDate(value, field.format, rounding);
};

/**
 * A list as the node's engine reads it: a date that names more than a day, or cannot be written in its format, becomes a
 * range; for text, each word becomes a lowercase value.
 */
const byEngine = (sqon: SqonLeaf, field: Field): Sqon => {
  if (field.kind !== 'date' && field.kind !== 'text') return sqon;
  const isDate = field.kind === 'date';
  const read = (value: SqonScalar): readonly SqonScalar[] => (isDate ? dateIn(value, field) : wordsIn(value));
  const written = sqon.values.map(read);
  if (written.every((one) => one.length === 1)) return { ...sqon, values: written.flat() };
  const partOf = (value: SqonScalar): Sqon => {
    const [first, ...others] = read(value);
    const part = (op: SqonLeaf['op'], values: readonly SqonScalar[]) =>
      leaf(op, sqon.fieldName, values, null, sqon.at);
    if (first === undefined || others.length === 0) return part('in', read(value));
    return isDate
      ? part('between', [first, ...others])
      : group(
          'and',
          [first, ...others].map((word) => part('in', [word])),
          null,
          sqon.at,
        );
  };
  const anyOfThem = (values: readonly SqonScalar[]): Sqon => group('or', values.map(partOf), null, sqon.at);
  const { asSearch, quantifier } = operators[sqon.op];
  return quantifier === 'every'
    ? group('and', sqon.values.map(partOf), sqon.pivot, sqon.at)
    : asSearch(sqon, anyOfThem, field.nestedIn.at(-1) ?? null);
};

/** The words of a text value. */
const wordsIn = (value: SqonScalar): readonly SqonScalar[] => {
  if (isSpecialValue(value) && !isPrefixPattern(value)) return [value];
  if (isPrefixPattern(value) && value.startsWith('*')) return [value.toLowerCase()];
  const words = tokensOf(String(value));
  return isPrefixPattern(value) && words.length > 0 ? [...words.slice(0, -1), `${words.at(-1)}*`] : words;
};

/** Whether no date of the format lies between two ends. */
const isEmpty = (ends: readonly (SqonScalar | null)[], { format }: Pick<Field, 'format'>): boolean => {
  const [from, to] = ends.map((end, at) =>
    end === null || typeof end === 'boolean' ? null : parseDate(end, format, at === 0 ? 'down' : 'up'),
  );
  return from != null && to != null && from > to;
};

/** One value, the two ends of a range, or empty if the format cannot hold the value. */
const dateIn = (value: SqonScalar, { format }: Field): readonly SqonScalar[] => {
  if (typeof value === 'boolean' || isSpecialValue(value)) return [value];
  const from = parseFilterDate(value, format, 'down');
  const to = parseFilterDate(value, format, 'up');
  if (from === null || to === null) return [value];
  const isExact = (text: string): boolean =>
    parseDate(text, format, 'down') === from && parseDate(text, format, 'up') === to;
  const ends = [writtenDate(from, 'up', format), writtenDate(to, 'down', format)];
  if (isEmpty(ends, { format })) return [];
  const texts = to - from < dayMs ? [String(value), ends[0]!].filter(isExact) : [];
  return texts.length > 0 ? [texts[0]!] : ends;
};

const dayMs = 86_400_000;

/** How a cursor for rows without a value is encoded for an established node. */
export type ExtremeForm = 'date' | 'dateMath' | 'digits';

/**
 * The engine places missing values at one end of the 64-bit range, and parses a date sent as text in the mapping's format:
 * most engines accept the extreme dates as they are, some only as date math, a few the digits of the largest.
 */
const dates: Readonly<Record<ExtremeForm, readonly [least: string, greatest: string]>> = {
  date: ['-292275055-05-16T16:47:04.192Z', '+292278994-08-17T07:12:55.807Z'],
  dateMath: ['1969-05-16T16:47:04.192Z||-292277024y', '1970-08-17T07:12:55.807Z||+292277024y'],
  digits: [minLong, maxLong],
};
const unsigned = ['0', maxUnsignedLong] as const;

/** In the order in which to try them. */
export const extremeForms: readonly ExtremeForm[] = ['date', 'dateMath', 'digits'];

const markers = new Set<CursorValue>([minLong, maxLong]);

/** A cursor in the form an established node accepts: it shows missing numbers and dates as the least long at both ends. */
export const establishedCursor = (
  cursor: readonly CursorValue[],
  sort: readonly SortRequest[],
  fields: Fields,
  form: ExtremeForm,
): readonly CursorValue[] =>
  cursor.map((value, index) => {
    const key = sort[index];
    const field = key && fields.get(key.fieldName);
    if (!field || !markers.has(value) || (field.kind !== 'date' && field.kind !== 'number')) return value;
    const [least, greatest] =
      field.type === 'unsigned_long' ? unsigned : dates[field.kind === 'date' ? form : 'digits'];
    return isHighEnd(sortDefaults(key)) ? greatest : least;
  });

/** Whether this cursor depends on the form. */
export const holdsExtremeDate = (
  cursor: readonly CursorValue[] | null,
  sort: readonly SortRequest[],
  fields: Fields,
): boolean =>
  (cursor ?? []).some((value, index) => {
    const key = sort[index];
    return key !== undefined && markers.has(value) && fields.get(key.fieldName)?.kind === 'date';
  });
