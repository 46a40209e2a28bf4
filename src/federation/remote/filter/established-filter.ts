import type { DateRounding } from '../../../introspection/dates/dates.ts';
import { parseDate } from '../../../introspection/dates/dates.ts';
import { startsDateMath } from '../../../introspection/dates/date-math.ts';
import type { Field, Fields } from '../../../introspection/fields/field.ts';
import type { Sqon, SqonLeaf, SqonScalar } from '../../../sqon/ast.ts';
import { group, leaf, MISSING, SET_PREFIX } from '../../../sqon/ast.ts';
import { operators } from '../../../sqon/operators/table.ts';
import type { Bound } from '../../../sqon/range-filter.ts';
import { boundRounding } from '../../../sqon/range-filter.ts';
import type { CursorValue } from '../../../engines/engine.ts';
import { isHighEnd, maxLong, maxUnsignedLong, minLong } from '../../../engines/semantics/cursor.ts';
import type { SortRequest } from '../../../search/query.ts';

/** The context in which a filter for an established node is written. */
export interface EstablishedNode {
  readonly fields: Fields;
  /** Paths of the requested facets. */
  readonly facets: ReadonlySet<string>;
}

/**
 * Rewrites a filter into equivalent forms that the established server accepts: a leaf at the root is wrapped in `and`,
 * as its facets only handle groups; 0 and false become text, as it turns them into the empty string; a range has one
 * bound, and a date without a time becomes a full timestamp, as it derives a format from such dates that its engine
 * refuses.
 */
export const establishedFilter = (sqon: Sqon | null, node: EstablishedNode): Sqon | null => {
  if (sqon === null) return null;
  const written = rewritten(sqon, node);
  return written.kind === 'group' ? written : group('and', [written], null, sqon.at);
};

const rewritten = (sqon: Sqon, node: EstablishedNode): Sqon => {
  switch (sqon.kind) {
    case 'group':
      return { ...sqon, content: sqon.content.map((one) => rewritten(one, node)) };
    case 'multi':
    case 'constant':
      return sqon;
    case 'leaf':
      return leafOf(sqon, node);
  }
};

const leafOf = (sqon: SqonLeaf, node: EstablishedNode): Sqon => {
  const field = node.fields.get(sqon.fieldName);
  if (field?.kind === 'nested' && sqon.values.includes(MISSING)) return presence(sqon, node);
  const { bounds, complement } = operators[sqon.op];
  if (bounds !== null) return rangeOf(sqon, bounds, field);
  const truthy = { ...sqon, values: sqon.values.map(asText) };
  return complement === null ? truthy : negation(truthy, complement, field);
};

const asText = (value: SqonScalar): SqonScalar => (value === 0 || value === false ? String(value) : value);

/** It treats `__missing__` on a nested path as matching all; a value below it exists or is missing with the objects. */
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

/** It combines special values with the others as alternatives, which is wrong for a negation. */
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

/** Of several bounds the effective one, both for `between`; unparsable ones are left to the node. */
const rangeOf = (sqon: SqonLeaf, ends: readonly Bound[], field: Field | undefined): Sqon => {
  const values = ends.map(({ name, of }) =>
    bound(sqon.values, boundRounding[name], of === 'greatest', field),
  );
  const known = values.filter((value) => value !== null);
  return { ...sqon, values: (known.length === values.length ? known : sqon.values).map(asText) };
};

const bound = (
  values: readonly SqonScalar[],
  rounding: DateRounding,
  greatest: boolean,
  field: Field | undefined,
): SqonScalar | null => {
  let found: { readonly value: SqonScalar; readonly at: number } | null = null;
  for (const value of values) {
    const at = orderOf(value, rounding, field);
    if (at === null || Number.isNaN(at)) return null;
    if (found === null || (greatest ? at > found.at : at < found.at)) found = { value, at };
  }
  if (found === null || field?.kind !== 'date') return found && found.value;
  return isDay(found.value) ? new Date(found.at).toISOString() : found.value;
};

const orderOf = (value: SqonScalar, rounding: DateRounding, field: Field | undefined): number | null => {
  if (field?.kind !== 'date' || typeof value === 'boolean') return Number(value);
  return parseDate(value, field.format, rounding);
};

/** A year, month or day, without a time. */
const isDay = (value: SqonScalar): value is string =>
  typeof value === 'string' && /^\d{4}(-|$)/.test(value) && !value.includes('T') && !startsDateMath(value);

/** How a cursor for rows without a value is encoded for an established node. */
export type ExtremeForm = 'date' | 'dateMath' | 'digits';

/**
 * Its engine places missing values at one end of the 64-bit range, and parses a date given as text in the mapping's
 * format: most engines accept the extreme dates as they are, some only as date math, a few the digits of the largest.
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

/** A cursor as an established node takes it back: it shows missing numbers and dates as the least long at both ends. */
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
    const missing = key.missing ?? (key.order === 'asc' ? 'first' : 'last');
    return isHighEnd({ missing, order: key.order }) ? greatest : least;
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
