import { tokensOf } from '../../engines/semantics/analyser.ts';
import { isDatePattern } from '../../introspection/dates/date-pattern.ts';
import {
  defaultDateFormat,
  isoMoment,
  namedDatePattern,
  parseDate,
  parseFilterDate,
  type DateRounding,
} from '../../introspection/dates/dates.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { dateText } from '../../local/download/date-text.ts';
import type { Operator, Sqon, SqonLeaf, SqonScalar } from '../../sqon/ast.ts';
import { group, isPrefixPattern, isSpecialValue, leaf, MISSING, SET_PREFIX } from '../../sqon/ast.ts';
import type { Bound } from '../../sqon/operators/operator.ts';
import { boundRounding } from '../../sqon/operators/ranges.ts';
import { operators } from '../../sqon/operators/table.ts';
import { printSqon } from '../../sqon/parse.ts';
import { mapConditions } from '../../sqon/rewrite.ts';
import { literalLeaf, wireFilter } from './node-filter.ts';

/** What the spelling of a filter depends on. */
export interface FilterContext {
  readonly fields: Fields;
  /** Paths of the requested facets. */
  readonly facets: ReadonlySet<string>;
}

/** A filter as the established server understands it, as JSON. */
export const printEstablishedFilter = (
  filter: Sqon | null,
  context: FilterContext,
  replaced: (op: Operator) => void,
): JsonObject | null => printSqon(filter && establishedFilter(filter, context, replaced));

/**
 * A filter as the established server understands it: operators that it lacks are replaced, and the others written in forms
 * that it does not get wrong.
 * @param replaced receives every operator that was replaced
 */
export const establishedFilter = (
  filter: Sqon,
  context: FilterContext,
  replaced: (op: Operator) => void,
): Sqon => {
  const nestedPathOf = (path: string): string | null => context.fields.get(path)?.nestedIn.at(-1) ?? null;
  return spelled(wireFilter(supportedFilter(filter, replaced), nestedPathOf), context);
};

/** A filter with the operators that the established server lacks replaced by conditions that it has. */
const supportedFilter = (sqon: Sqon, replaced: (op: Operator) => void): Sqon =>
  mapConditions(sqon, (original) => {
    const condition = original.kind === 'leaf' ? literalLeaf(original) : original;
    if (condition.kind === 'leaf') {
      const { older, takesSpecialValues } = operators[condition.op];
      if (older === null) {
        if (takesSpecialValues && condition.values.some(hasStarInside)) replaced('is');
        return condition;
      }
      if (older.differs?.(condition) !== false) replaced(condition.op);
      return older.means(condition);
    }
    const { older } = operators[condition.op];
    if (older === null) return condition;
    replaced(condition.op);
    return older.means(condition);
  });

/** There, a star inside a value is a pattern too, and so is one at the start alone. */
const hasStarInside = (value: SqonScalar): boolean => /.\*.|^\*.*[^*]$/.test(String(value));

/** The warning to the caller about a replaced operator. */
export const replacedWarning = (op: Operator): string => {
  const operator = operators[op];
  const warning = operator.kind === 'group' ? undefined : operator.older?.warning;
  return `this node does not know the operator ${op}: ${warning ?? 'it is queried without it'}`;
};

/**
 * Equivalent forms that the established server gets right: a leaf at the root is wrapped in `and`, as its facets only handle
 * groups; 0 and false become text, as it turns them into the empty string; a range has one bound, and dates are written in
 * the format of their mapping, with a time where that has one, as it derives a format from others that its engine refuses.
 */
const spelled = (sqon: Sqon, context: FilterContext): Sqon => {
  const written = mapConditions(sqon, (condition) =>
    condition.kind === 'leaf' ? spelledLeaf(condition, context) : condition,
  );
  return written.kind === 'group' ? written : group('and', [written], null, sqon.at);
};

const spelledLeaf = (sqon: SqonLeaf, context: FilterContext): Sqon => {
  const field = context.fields.get(sqon.fieldName);
  if (field?.kind === 'nested' && sqon.values.includes(MISSING)) return presence(sqon, context);
  const { bounds } = operators[sqon.op];
  if (bounds !== null) return rangeOf(sqon, bounds, field);
  if (field?.kind === 'date') return byParts(sqon, field, (value) => dateIn(value, field));
  if (field?.kind === 'text') return byParts(sqon, field, wordsIn);
  return listOf(sqon, field);
};

/**
 * The established server treats `__missing__` on a nested path as matching all; a value below it exists or is missing with
 * the objects.
 */
const presence = (sqon: SqonLeaf, { fields, facets }: FilterContext): Sqon => {
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
const listOf = (sqon: SqonLeaf, field: Field | undefined): Sqon => {
  const list = { ...sqon, values: sqon.values.map(truthy) };
  const { complement } = operators[sqon.op];
  const isMixed = sqon.values.length > 1 && sqon.values.some(isSpecial);
  const ofObjects = (field?.nestedIn.length ?? 0) > 0;
  if (complement === null || !isMixed) return list;
  if (ofObjects && (complement.on === 'object' || sqon.values.includes(MISSING))) return list;
  return group('not', [{ ...list, op: complement.of }], null, sqon.at);
};

const truthy = (value: SqonScalar): SqonScalar => (value === 0 || value === false ? String(value) : value);

const isSpecial = (value: SqonScalar): boolean =>
  typeof value === 'string' && (value.includes('*') || value === MISSING || value.startsWith(SET_PREFIX));

/** A list whose values each stand for another one, or for several: the ends of a range of dates, or words that all occur. */
const byParts = (sqon: SqonLeaf, field: Field, read: (value: SqonScalar) => readonly SqonScalar[]): Sqon => {
  const parts = sqon.values.map(read);
  if (parts.every((values) => values.length === 1)) return listOf({ ...sqon, values: parts.flat() }, field);
  const part = (op: SqonLeaf['op'], values: readonly SqonScalar[]) =>
    leaf(op, sqon.fieldName, values, null, sqon.at);
  const partOf = (value: SqonScalar): Sqon => {
    const several = read(value);
    if (several.length < 2) return part('in', several);
    if (field.kind === 'date') return part('between', several);
    return group(
      'and',
      several.map((word) => part('in', [word])),
      null,
      sqon.at,
    );
  };
  const { asSearch, quantifier } = operators[sqon.op];
  if (quantifier === 'every') return group('and', sqon.values.map(partOf), sqon.pivot, sqon.at);
  const anyOf = (values: readonly SqonScalar[]): Sqon => group('or', values.map(partOf), null, sqon.at);
  return asSearch(sqon, anyOf, field.nestedIn.at(-1) ?? null);
};

/** The words of a text value, in lower case. */
const wordsIn = (value: SqonScalar): readonly SqonScalar[] => {
  if (isSpecialValue(value) && !isPrefixPattern(value)) return [value];
  if (isPrefixPattern(value) && value.startsWith('*')) return [value.toLowerCase()];
  const words = tokensOf(String(value));
  return isPrefixPattern(value) && words.length > 0 ? [...words.slice(0, -1), `${words.at(-1)}*`] : words;
};

/** One value, the two ends of a range, or empty if the format cannot hold the value. */
const dateIn = (value: SqonScalar, { format }: Field): readonly SqonScalar[] => {
  if (typeof value === 'boolean' || isSpecialValue(value)) return [value];
  const from = parseFilterDate(value, format, 'down');
  const to = parseFilterDate(value, format, 'up');
  if (from === null || to === null) return [value];
  const ends = [writtenDate(from, 'up', format), writtenDate(to, 'down', format)];
  if (isEmpty(ends, format)) return [];
  const isExact = (text: string): boolean =>
    parseDate(text, format, 'down') === from && parseDate(text, format, 'up') === to;
  const exact = to - from < dayMs ? [String(value), ends[0]!].find(isExact) : undefined;
  return exact === undefined ? ends : [exact];
};

const dayMs = 86_400_000;

/** Whether no date of the format lies between two ends. */
const isEmpty = (ends: readonly (SqonScalar | null)[], format: string | undefined): boolean => {
  const [from, to] = ends.map((end, at) =>
    end === null || typeof end === 'boolean' ? null : parseDate(end, format, at === 0 ? 'down' : 'up'),
  );
  return from != null && to != null && from > to;
};

/** The strictest of several bounds; both bounds of `between` unchanged; unparsable ones are left to the node. */
const rangeOf = (sqon: SqonLeaf, ends: readonly Bound[], field: Field | undefined): Sqon => {
  const isPair = ends.length > 1 && sqon.values.length === ends.length;
  const bounds = ends.map((end, at) => strictest(isPair ? [sqon.values[at]!] : sqon.values, end, field));
  // not a constant: a facet of the field excludes it as its own selection
  if (field?.kind === 'date' && isEmpty(bounds, field.format))
    return leaf('in', sqon.fieldName, [], sqon.pivot, sqon.at);
  const known = bounds.filter((value) => value !== null);
  return { ...sqon, values: (known.length === bounds.length ? known : sqon.values).map(truthy) };
};

/** @returns null if there is none, or a value is no number or date */
const strictest = (
  values: readonly SqonScalar[],
  { name, of }: Bound,
  field: Field | undefined,
): SqonScalar | null => {
  const isDate = field?.kind === 'date';
  const ordered = values
    .map((value) => {
      const isRead = isDate && typeof value !== 'boolean';
      return {
        value,
        at: isRead ? parseFilterDate(value, field.format, boundRounding[name]) : Number(value),
      };
    })
    .toSorted((left, right) => (of === 'greatest' ? right.at! - left.at! : left.at! - right.at!));
  if (ordered.length === 0 || ordered.some(({ at }) => at === null || Number.isNaN(at))) return null;
  const [{ value, at } = { value: null, at: 0 }] = ordered;
  return isDate ? writtenDate(at!, name === 'gte' || name === 'lt' ? 'up' : 'down', field.format) : value;
};

/** The formats that an ISO 8601 moment is read by. */
const isoFormats: ReadonlySet<string> = new Set([
  ...['strict_date_optional_time', 'strict_date_optional_time_nanos', 'date_optional_time', 'iso8601'],
]);

const formatsIn = (format = defaultDateFormat): readonly string[] =>
  format.split('||').map((alternative) => alternative.trim());

/** Whether dates of a mapping's format may be written in ISO 8601. */
export const takesIsoDates = (format: string | undefined): boolean =>
  formatsIn(format).some((alternative) => isoFormats.has(alternative));

/**
 * A moment as the engine of an established server reads it: in the format of its mapping.
 * @param rounding to the date before or after the moment, if the format has no date that is as precise
 * @param format the mapping's `format`; the engines' default if unknown
 * @returns ISO 8601, which the engine may refuse, for a format that this server cannot write
 */
export const writtenDate = (ms: number, rounding: DateRounding, format?: string): string => {
  const formats = formatsIn(format);
  if (takesIsoDates(format)) return isoMoment(ms);
  if (formats.includes('epoch_millis')) return String(ms);
  const seconds = ms / 1_000;
  if (formats.includes('epoch_second'))
    return String(rounding === 'up' ? Math.ceil(seconds) : Math.floor(seconds));
  const [finest] = formats
    .flatMap((pattern) => inPattern(ms, rounding, pattern))
    .toSorted((left, right) => right.from - left.from);
  return finest?.text ?? isoMoment(ms);
};

interface PatternDate {
  readonly text: string;
  /** The start of the date before the moment, epoch ms. */
  readonly from: number;
}

/** The moment in one format; empty if that is not a pattern, or cannot express the moment. */
const inPattern = (ms: number, rounding: DateRounding, format: string): readonly PatternDate[] => {
  const pattern = namedDatePattern(format) ?? format;
  if (!isDatePattern(pattern)) return [];
  const write = dateText(pattern.replace(/'[^']*'|[[\]Z]/g, (token) => asDateFns[token] ?? token));
  const before = write(isoMoment(ms)) ?? '';
  const from = parseDate(before, format, 'down');
  if (from === null || from > ms) return [];
  if (rounding === 'down' || from === ms) return [{ text: before, from }];
  const next = isoMoment(parseDate(before, format, 'up')! + 1);
  return [{ text: write(next) ?? before, from }];
};

/** Brackets enclose parts that may be absent when parsing. */
const asDateFns: Readonly<Record<string, string>> = { '[': '', ']': '', Z: 'xx' };
