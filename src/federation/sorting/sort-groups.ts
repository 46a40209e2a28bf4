import type { CursorValue } from '../../engines/engine.ts';
import { sortValues, type CursorKey } from '../../engines/semantics/cursor.ts';
import { readNumber } from '../../engines/semantics/stored-numbers.ts';
import { typeForm } from '../../introspection/terms/term-forms.ts';
import { utf8Order } from '../../text/text-comparison.ts';
import type { ValueMap } from '../../facets/row/measure-row.ts';
import { documentKey, kindOf, type Field, type FieldKind } from '../../introspection/fields/field.ts';
import { nanosInMs } from '../../introspection/dates/dates.ts';
import { group, constant, leaf, type Sqon, type SqonScalar } from '../../sqon/ast.ts';
import { fieldValue } from '../../sqon/field-values.ts';
import { TributaryError } from '../../errors/errors.ts';
import { rankOf, type CatalogueQuery, type SearchFn, type CatalogueHit } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { isSearchValue } from '../../sqon/rewrite.ts';

/** How to request the rows of a node that translates values of the sort; follows entirely from the plan. */
export interface TranslatedSort {
  /** The node's sort keys, with its own fields and markers. */
  readonly ownKeys: readonly CursorKey[];
  /** These keys as cursors of the network hold them: translated values are keywords. */
  readonly shownKeys: readonly CursorKey[];
  readonly translated: readonly TranslatedKey[];
}

/** A sort key whose values the node translates. */
export interface TranslatedKey {
  /** Its index among the sort keys. */
  readonly at: number;
  /** The node's own field. */
  readonly field: Field;
  readonly values: ValueMap;
  /** Which of a record's several values it is sorted by. */
  readonly mode: 'min' | 'max';
  /** Whether the node can list the field's values. */
  readonly isListed: boolean;
  /** Whether the node is queried over the network, where some texts have a special meaning. */
  readonly isRemote: boolean;
}

/** Records of a node that are shown with the same values of all translated keys, or with none of the known values. */
export interface SortGroup {
  /** For each sort key, the value of all of its records; null if they have individual values, or none. */
  readonly shown: readonly (string | null)[];
  /** In the node's names and values. */
  readonly filter: Sqon;
  /** The sort keys in which the group's records differ. */
  readonly keys: readonly number[];
}

/** The groups of a node's records, disjoint and complete. @param known for each translated key: the values shown */
export const sortGroups = (
  { ownKeys, translated }: TranslatedSort,
  known: readonly (readonly string[])[],
): readonly SortGroup[] => {
  const all = ownKeys.map((_, at) => at);
  let groups: readonly SortGroup[] = [{ shown: all.map(() => null), filter: group('and', []), keys: all }];
  for (const [index, key] of translated.entries()) {
    const parts = partsOf(key, known[index]!);
    groups = groups.flatMap((one) => parts.map((part) => joined(one, part, key)));
  }
  return groups;
};

interface Part {
  /** null: none of the known values. */
  readonly shown: string | null;
  readonly filter: Sqon;
}

/** A record belongs to the part of its least value, or its greatest: it has that value and none before it. */
const partsOf = (key: TranslatedKey, known: readonly string[]): readonly Part[] => {
  const { field, values, mode } = key;
  const byRank = [...known].sort(mode === 'min' ? utf8Order : (a, b) => utf8Order(b, a));
  const parts = byRank.map((shown, rank): Part => {
    const has = shownLeaf(field, values, [shown]);
    const filter = rank === 0 ? has : group('and', [has, noneOf(key, byRank.slice(0, rank))]);
    return { shown, filter };
  });
  return [...parts, { shown: null, filter: noneOf(key, known) }];
};

const noneOf = ({ field, values }: TranslatedKey, shown: readonly string[]): Sqon =>
  group('not', [shownLeaf(field, values, shown)]);

const joined = (one: SortGroup, part: Part, { at }: TranslatedKey): SortGroup => ({
  shown: one.shown.with(at, part.shown),
  filter: group('and', [one.filter, part.filter]),
  keys: part.shown === null ? one.keys : one.keys.filter((key) => key !== at),
});

/** Records with any node value that is shown as one of these, matched literally: no patterns. */
const shownLeaf = (field: Field, map: ValueMap, shown: readonly string[]): Sqon => {
  const exact = shown.flatMap((value) => map.toNode(value)).filter((value) => canHold(value, field));
  if (exact.length === 0) return constant(false);
  return { ...leaf('in', field.path, [...new Set(exact)]), exactFrom: 0 };
};

/** A field with more values is split only by the listed ones. */
const maxValues = 32;

/** The limit on groups of one node. */
const maxGroups = 256;

/**
 * For each translated key: the shown values that a node's records are grouped by. These are all values of the field, so
 * that records with several are placed correctly; for fields with very many, only those listed as translated.
 * @throws TributaryError BAD_USER_INPUT for keys that make too many groups
 */
export const knownValues = async (
  query: CatalogueQuery,
  { translated }: TranslatedSort,
  search: SearchFn,
  context: RequestContext,
): Promise<readonly (readonly string[])[]> => {
  const found = await Promise.all(translated.map((key) => allValues(key, query, search, context)));
  const known = translated.map((key, at) => found[at] ?? listedValues(key));
  for (let at = known.length - 1; at >= 0 && !isQueried(known); at -= 1)
    known[at] = listedValues(translated[at]!);
  if (isQueried(known)) return known;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `sorts by several fields whose values it translates: that takes ${groupsOf(known)} queries, at most ${maxGroups} are sent`,
  );
};

/** Whether a node is queried for the groups of these values: a cursor, which any client can forge, may name more. */
export const isQueried = (known: readonly (readonly string[])[]): boolean => groupsOf(known) <= maxGroups;

const groupsOf = (known: readonly (readonly string[])[]): number =>
  known.reduce((groups, values) => groups * (values.length + 1), 1);

const listedValues = ({ values }: TranslatedKey): readonly string[] => [...new Set(values.listed.values())];

/** null if there are too many values, or the node cannot list them. */
const allValues = async (
  key: TranslatedKey,
  query: CatalogueQuery,
  search: SearchFn,
  context: RequestContext,
): Promise<readonly string[] | null> => {
  const { field, values, isListed, isRemote } = key;
  const found = isListed
    ? await facetValues(field, query, search, context)
    : field.kind === 'number'
      ? await scannedValues(field, query, search, context)
      : null;
  const texts = (found ?? []).map((value) => textOf(value, field));
  // some remote nodes would interpret them as patterns and sets
  const isLiteral = (text: string): boolean => !text.includes('*') && !isSearchValue(text);
  const allowed = texts.filter((text) => values.listed.has(text) || !isRemote || isLiteral(text));
  return found && [...new Set(allowed.map((text) => values.toNetwork(text)))];
};

const facetValues = async (
  field: Field,
  { filters }: CatalogueQuery,
  search: SearchFn,
  context: RequestContext,
): Promise<readonly string[] | null> => {
  const query: CatalogueQuery = {
    // a filter on nested objects would restrict the objects that are counted
    filters: field.nestedIn.length === 0 ? filters : null,
    filterThemselves: true,
    includeMissing: false,
    facets: [{ field: field.path, measure: { kind: 'terms', max: maxValues + 1, distinct: false } }],
    hits: null,
  };
  const [facet] = (await search(query, context)).facets;
  if (facet?.kind !== 'terms' || facet.buckets.length > maxValues) return null;
  return facet.buckets.map(({ key }) => key);
};

/** Values of numbers, which nodes do not list: each query for a record above the last value finds the next. */
const scannedValues = async (
  { path, type }: Field,
  query: CatalogueQuery,
  search: SearchFn,
  context: RequestContext,
): Promise<readonly CursorValue[] | null> => {
  const sort = { fieldName: path, order: 'asc', missing: 'last' } as const;
  const sortedBy: readonly CursorKey[] = [{ field: { path, type }, order: 'asc', missing: 'last' }];
  const found: CursorValue[] = [];
  while (found.length <= maxValues) {
    const last = found.at(-1);
    const above = last === undefined ? [] : [leaf('gt', path, [last as SqonScalar])];
    const hits = { first: 1, offset: 0, sort: [sort], searchAfter: null, trackTotal: false, fields: [] };
    const filters = group('and', [...(query.filters ? [query.filters] : []), ...above]);
    const [next] = (await search({ ...query, filters, facets: [], hits }, context)).hits;
    const [value] = next ? sortValues(next.cursor, sortedBy) : [];
    if (!value || value.isMissing) return found;
    // a record's least value may be below the last one
    if (last !== undefined && !(Number(value.value) > Number(last))) return null;
    found.push(value.value);
  }
  return null;
};

/** A node's value as facets list it: booleans have several forms. */
export const textOf = (value: CursorValue, { kind }: Field): string =>
  kind === 'boolean' ? String(['1', 'true'].includes(String(value))) : String(value);

/** Whether the node's field can hold the value at all; the node would reject other values. */
export const canHold = (value: SqonScalar, field: Field): boolean => {
  try {
    fieldValue(value, field, '$');
    return true;
  } catch {
    return false;
  }
};

/** A sort key of the query, in the network's terms. */
export interface MergeKey {
  readonly kind: FieldKind;
  readonly order: 'asc' | 'desc';
  readonly missing: 'first' | 'last';
}

/** undefined means missing. */
export type MergedValue = string | number | bigint | undefined;

/** How a node sorted its rows. */
export interface SortedPart {
  /** For each key of the query, its index in the node's sort values; null when the node lacks the field. */
  readonly sort: readonly (number | null)[];
  /** The keys the node sorted by, with its own fields: they determine its markers for missing values. */
  readonly keys: readonly CursorKey[];
}

/** The sort values of a row, in the network's terms. */
export const rowValues = (
  hit: Pick<CatalogueHit, 'rank' | 'cursor'>,
  part: SortedPart,
  keys: readonly MergeKey[],
): readonly MergedValue[] => {
  const own = sortValues(rankOf(hit), part.keys);
  return keys.map(({ kind }, index) => {
    const at = part.sort[index];
    const value = at == null ? undefined : own[at];
    if (value === undefined || value.isMissing) return undefined;
    return comparable(value.value, kind, part.keys[at!]!.field.type);
  });
};

/** The kind of a sort key's values; documents' keys have a type of their own. */
export const kindOfKey = ({ field: { type } }: CursorKey): FieldKind =>
  type === documentKey.type ? documentKey.kind : kindOf(type);

/**
 * Makes a serialised sort value comparable. @param type the type of the node's own field, which determines the order of
 * its rows
 */
export const comparable = (value: CursorValue, kind: FieldKind, type: string): MergedValue => {
  if (kind === 'keyword' || kind === 'text')
    return value === null ? undefined : (typeForm(type)?.term(String(value)) ?? String(value));
  if (typeof value === 'boolean') return Number(value);
  if (kind === 'date') return nanosOf(value, type);
  if (typeof value === 'string') return /^-?\d{16,}$/.test(value) ? BigInt(value) : numberOf(value);
  return value ?? undefined;
};

/** Dates are compared in nanoseconds, the finest unit of any node. */
const nanosOf = (value: CursorValue, type: string): bigint | undefined => {
  const number = readNumber(String(value));
  if (number === null) return undefined;
  if (typeof number === 'bigint') return number;
  // a node may return fractions
  return BigInt(Math.trunc(number)) * (type === 'date_nanos' ? 1n : nanosInMs);
};

const numberOf = (text: string): number | undefined => {
  if (text === 'true' || text === 'false') return Number(text === 'true');
  const number = Number(text);
  return Number.isNaN(number) ? undefined : number;
};

/** Negative when the first row sorts before the second, 0 for a tie. */
export const compareRows = (
  a: readonly MergedValue[],
  b: readonly MergedValue[],
  keys: readonly MergeKey[],
): number => {
  for (let index = 0; index < keys.length; index += 1) {
    const order = compareValues(a[index], b[index], keys[index]!);
    if (order !== 0) return order;
  }
  return 0;
};

const compareValues = (a: MergedValue, b: MergedValue, { order, missing }: MergeKey): number => {
  if (a === undefined || b === undefined) {
    if (a === b) return 0;
    return (a === undefined) === (missing === 'first') ? -1 : 1;
  }
  const ascending =
    typeof a === 'string' && typeof b === 'string' ? utf8Order(a, b) : a < b ? -1 : a > b ? 1 : 0;
  return order === 'asc' ? ascending : -ascending;
};
