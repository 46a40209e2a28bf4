import type { CursorValue } from '../../engines/engine.ts';
import { sortValues, type CursorKey, type SortValue } from '../../engines/semantics/cursor.ts';
import {
  rankOf,
  type CatalogueHit,
  type CatalogueQuery,
  type HitsRequest,
  type SearchFn,
} from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { group as groupOf } from '../../sqon/ast.ts';
import { truthOf } from '../../sqon/rewrite.ts';
import type { MergedValue, MergeKey, SortGroup, TranslatedSort } from './sort-groups.ts';
import { comparable, compareRows, kindOfKey, textOf } from './sort-groups.ts';

/** A row of a group, with its sort values in the network's terms. */
export interface GroupRow {
  readonly hit: CatalogueHit;
  readonly values: readonly SortValue[];
  readonly compared: readonly MergedValue[];
  /** Where the group resumes after it; null when the node returns no tiebreaker. */
  readonly reached: Pick<CatalogueHit, 'cursor'> | null;
}

/** The rows of one group, fetched as they are needed. */
export interface GroupStream {
  readonly index: number;
  /** The sort values that all of its rows begin with, as far as known. */
  readonly prefix: readonly string[];
  /** The next fetched row; null if there is none. */
  readonly head: () => GroupRow | null;
  /** Takes the next fetched row. */
  readonly take: () => GroupRow;
  /** Whether no rows follow the fetched ones now. */
  readonly isAtEnd: () => boolean;
  /** Whether later pages have no rows either: in a network, nodes that failed may have some. */
  readonly isExhausted: () => boolean;
  /** Fetches more rows. @param wanted how many rows are still needed, from all groups together */
  readonly fill: (wanted: number) => Promise<void>;
}

export interface StreamSettings {
  readonly query: CatalogueQuery;
  readonly hits: HitsRequest;
  readonly search: SearchFn;
  readonly context: RequestContext;
  /** By index of the group: where the previous page ended. */
  readonly reached: ReadonlyMap<number, readonly CursorValue[] | null>;
}

/** One stream for each group, in the same order; nothing is fetched yet. */
export const openStreams = (
  groups: readonly SortGroup[],
  sort: TranslatedSort,
  settings: StreamSettings,
): readonly GroupStream[] => {
  const prefixes = groups.map(prefixOf);
  return groups.map((group, index) => {
    const beside = prefixes.filter((other) => isSame(other, prefixes[index]!)).length;
    return openStream({ index, group, beside }, sort, settings);
  });
};

const prefixOf = ({ shown }: SortGroup): readonly string[] => {
  const known = shown.indexOf(null);
  return (known < 0 ? shown : shown.slice(0, known)) as readonly string[];
};

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, at) => value === b[at]);

interface StreamGroup {
  readonly index: number;
  readonly group: SortGroup;
  /** How many groups are read at the same time as this one. */
  readonly beside: number;
}

const minPage = 10;

const openStream = (
  { index, group, beside }: StreamGroup,
  sort: TranslatedSort,
  { query, hits, search, context, reached }: StreamSettings,
): GroupStream => {
  const filter = query.filters === null ? group.filter : groupOf('and', [query.filters, group.filter]);
  const groupSort = group.keys.map((at) => hits.sort[at]!);
  const isResumed = reached.has(index);
  const rowOf = rowReader(group, sort);
  let cursor = reached.get(index) ?? null;
  let rows: readonly GroupRow[] = [];
  let [next, read, total] = [0, 0, null as number | null];
  let isAtEnd = (isResumed && cursor === null) || truthOf(filter) === false;
  let isPartial = false;
  const fill = async (wanted: number): Promise<void> => {
    const first =
      beside === 1 ? wanted : Math.min(wanted, Math.max(minPage, Math.ceil((2 * wanted) / beside)));
    const position =
      cursor === null ? { offset: read, searchAfter: null } : { offset: 0, searchAfter: cursor };
    const trackTotal = read === 0 && !isResumed;
    const page = { ...hits, ...position, first, sort: groupSort, trackTotal };
    const answer = await search({ ...query, facets: [], filters: filter, hits: page }, context);
    isPartial ||= answer.nodes?.partial === true;
    total ??= trackTotal ? answer.total : null;
    rows = [...rows.slice(next), ...answer.hits.map(rowOf)];
    next = 0;
    read += answer.hits.length;
    cursor = rows.at(-1)?.reached?.cursor ?? null;
    // a node with a smaller window returns less than requested
    isAtEnd = answer.hits.length === 0 || (total !== null && read >= total);
  };
  return {
    index,
    prefix: prefixOf(group),
    head: () => rows[next] ?? null,
    take: () => rows[next++]!,
    isAtEnd: () => isAtEnd,
    isExhausted: () => isAtEnd && !isPartial,
    fill,
  };
};

const rowReader = (
  { shown, keys }: SortGroup,
  { ownKeys, shownKeys, translated }: TranslatedSort,
): ((hit: CatalogueHit) => GroupRow) => {
  const groupKeys = keys.map((at) => ownKeys[at]!);
  const keyAt = new Map(translated.map((key) => [key.at, key]));
  const kinds = shownKeys.map(kindOfKey);
  const types = shownKeys.map(({ field }) => field.type);
  return (hit) => {
    const rank = rankOf(hit);
    const own = sortValues(rank, groupKeys);
    const values = shown.map((constant, at): SortValue => {
      if (constant !== null) return { isMissing: false, value: constant };
      const value = own[keys.indexOf(at)]!;
      const key = keyAt.get(at);
      if (!key || value.isMissing) return value;
      return { isMissing: false, value: key.values.toNetwork(textOf(value.value, key.field)) };
    });
    const compared = values.map((one, at) =>
      one.isMissing ? undefined : comparable(one.value, kinds[at]!, types[at]!),
    );
    const reached = rank.length > groupKeys.length ? hit : null;
    return { hit, values, compared, reached };
  };
};

/** The keys of a translated sort, in the form used to compare rows. */
export const mergeKeysOf = (shownKeys: readonly CursorKey[]): readonly MergeKey[] =>
  shownKeys.map((key) => ({ kind: kindOfKey(key), order: key.order, missing: key.missing }));

/** Compares two prefixes of rows: equal if one is a prefix of the other. */
export const comparePrefix = (
  a: readonly MergedValue[],
  b: readonly MergedValue[],
  keys: readonly MergeKey[],
): number => compareRows(a, b, keys.slice(0, Math.min(a.length, b.length)));
