import { objectIn, objectsIn, type JsonObject, type JsonValue } from '../../../lib/json/json.ts';
import { badUserInput } from '../../../lib/errors/errors.ts';
import type { IndexField } from '../../../introspection/fields/field.ts';
import { hitsBody, nextStep, readHits, sortsByKey } from '../dsl/hits.ts';
import { afterValues } from '../dsl/sort-values.ts';
import { utf8Order } from '../../../lib/text/text-comparison.ts';
import { printCursor, readCursor, sortValues, type SortValue } from '../../semantics/cursor.ts';
import type { Hit, HitsQuery, HitsResult, SortKey } from '../../engine.ts';
import { cachedWindow, overPointInTime, plainStep, type StepSearch } from './deep-hits.ts';
import type { SearchContext } from './search-context.ts';

/** The maximum number of documents sorted by key here, where the server cannot do it. */
const maxSortedRows = 100_000;

/** Whether the order includes the document key and the server cannot sort by it: Elasticsearch 8 and later. */
export const isOrderedHere = ({ sort, size }: HitsQuery, { dialect }: SearchContext): boolean =>
  !sortsByKey(dialect) && size > 0 && sort.some(isKey);

const isKey = ({ field }: SortKey): boolean => field.path === '_id';

/**
 * Fetches a page whose order includes `_id`. The server sorts by the keys before it; ties are ordered by `_id` here, as
 * far as the page requires, and equal keys by their index. Sort keys after `_id` never matter, as it is unique within an index.
 * @throws TributaryError BAD_USER_INPUT when more than 100 000 documents would have to be sorted here
 */
export const hitsByKey = async (searching: SearchContext, query: HitsQuery): Promise<HitsResult> => {
  const page = pageOf(query, await cachedWindow(searching));
  // most need a single step, which sees a consistent state anyway
  const soon = await walk(searching, page, (body) => plainStep(searching, body), 1);
  if (soon !== null) return soon;
  return overPointInTime(
    searching,
    async (search) => (await walk(searching, page, search, Infinity)) as HitsResult,
  );
};

interface KeyPage {
  readonly query: HitsQuery;
  /** What the server sorts by. */
  readonly before: readonly SortKey[];
  readonly key: IndexField;
  /** Sort keys that no longer affect the order but are part of cursors; a repeated `_id` is omitted. */
  readonly behind: readonly SortKey[];
  readonly order: 1 | -1;
  /** The result window of the index. */
  readonly window: number;
  readonly after: KeyPosition | null;
}

interface KeyPosition {
  /** null: after the documents of all indexes. */
  readonly index: string | null;
  readonly id: string;
  /** The values of the sort keys before `_id`. */
  readonly values: readonly SortValue[];
}

/** Before the name of the index in the tie-break of a cursor. */
const beforeIndex = '#';

const pageOf = (query: HitsQuery, window: number): KeyPage => {
  const { sort, searchAfter } = query;
  const at = sort.findIndex(isKey);
  const { field, order } = sort[at]!;
  const cursor = searchAfter !== null && searchAfter.length > 0 ? readCursor(searchAfter, sort) : null;
  return {
    query,
    window,
    before: sort.slice(0, at),
    key: field,
    behind: sort.slice(at + 1),
    order: order === 'asc' ? 1 : -1,
    after: cursor && {
      values: cursor.values.slice(0, at),
      id: keyIn(cursor.values[at]!),
      index: indexIn(String(cursor.tieBreak)),
    },
  };
};

const keyIn = (value: SortValue): string => (value.isMissing ? '' : String(value.value));

const indexIn = (tieBreak: string): string | null =>
  tieBreak.startsWith(beforeIndex) ? tieBreak.slice(beforeIndex.length) : null;

interface Row extends KeyPosition {
  readonly index: string;
}

/** null if the page is not complete after that many steps. */
const walk = async (
  searching: SearchContext,
  page: KeyPage,
  search: StepSearch,
  maxSteps: number,
): Promise<HitsResult | null> => {
  const { dialect } = searching;
  const { window } = page;
  const needed = page.query.offset + page.query.size;
  const rows: Row[] = [];
  let total: number | null = null;
  let after = firstStep(page);
  for (let steps = 1; steps <= maxSteps; steps += 1) {
    // without sort keys before `_id` all documents are needed
    const size = Math.min(window, page.before.length === 0 ? window : needed + 1_000);
    const step: HitsQuery = {
      ...page.query,
      ...{ sort: page.before, offset: 0, size, searchAfter: null, source: [] },
      trackTotal: steps === 1 && page.query.trackTotal,
    };
    const answer = await search(hitsBody(step, dialect, after));
    if (steps === 1) total = readHits(step, answer, dialect).total;
    for (const row of rowsOf(step, answer, searching)) rows.push(row);
    const count = objectsIn(objectIn(answer, 'hits'), 'hits').length;
    const ordered = orderedRows(rows, page, count < size);
    if (count < size || ordered.length >= needed)
      return { total, hits: await hitsOf(searching, page, ordered.slice(page.query.offset, needed), search) };
    rejectTooMany(rows, page);
    after = nextStep(page.before, answer);
  }
  return null;
};

/** The position before the first document that equals the cursor in the sort keys before `_id`. */
const firstStep = ({ before, after }: KeyPage): readonly JsonValue[] | null =>
  after === null || before.length === 0 ? null : [...afterValues(before, after.values), -1, -1];

const rowsOf = (step: HitsQuery, answer: JsonObject, { dialect }: SearchContext): readonly Row[] => {
  const raw = objectsIn(objectIn(answer, 'hits'), 'hits');
  return readHits(step, answer, dialect).hits.map(({ id, cursor }, index) => ({
    index: String(raw[index]!['_index']),
    id,
    values: sortValues(cursor, step.sort),
  }));
};

/** The rows whose position is final, in order: all except the last group of ties, unless there are no more rows. */
const orderedRows = (rows: readonly Row[], page: KeyPage, isAll: boolean): readonly Row[] => {
  const groups: Row[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group !== undefined && equalValues(group[0]!.values, row.values)) group.push(row);
    else groups.push([row]);
  }
  if (!isAll) groups.pop();
  return groups.flatMap((group) => group.filter((row) => isBehind(row, page)).sort(byKey(page.order)));
};

const byKey =
  (order: 1 | -1) =>
  (left: KeyPosition, right: KeyPosition): number =>
    order * utf8Order(left.id, right.id) ||
    (left.index === null || right.index === null ? 0 : utf8Order(left.index, right.index));

const isBehind = (row: Row, { after, order }: KeyPage): boolean =>
  after === null || !equalValues(row.values, after.values) || byKey(order)(row, after) > 0;

/** Cursors come from clients, which may send a number as a string of digits. */
const equalValues = (left: readonly SortValue[], right: readonly SortValue[]): boolean =>
  left.every((value, position) => {
    const other = right[position]!;
    if (value.isMissing || other.isMissing) return value.isMissing === other.isMissing;
    return String(value.value) === String(other.value);
  });

const rejectTooMany = (rows: readonly Row[], { before }: KeyPage): void => {
  if (rows.length < maxSortedRows) return;
  const equal =
    before.length === 0 ? '' : ` that are equal in ${before.map(({ field }) => field.path).join(', ')}`;
  throw badUserInput(
    `this search server does not sort by _id, and more than ${maxSortedRows} documents${equal} match; sort by a field that holds the key, or narrow the filter`,
  );
};

/** Fetches the documents of the page by key, omitting any deleted in the meantime. */
const hitsOf = async (
  { dialect }: SearchContext,
  page: KeyPage,
  rows: readonly Row[],
  search: StepSearch,
): Promise<readonly Hit[]> => {
  const { window } = page;
  const byId = new Map<string, Hit>();
  for (let from = 0; from < rows.length; from += window) {
    const values = rows.slice(from, from + window).map(({ id }) => id);
    const step: HitsQuery = {
      ...page.query,
      // the same key may exist in several indexes
      ...{ sort: page.behind, size: window, offset: 0, searchAfter: null, trackTotal: false },
      filter: { kind: 'terms', field: page.key, values },
    };
    const answer = await search(hitsBody(step, dialect));
    const raw = objectsIn(objectIn(answer, 'hits'), 'hits');
    readHits(step, answer, dialect).hits.forEach((hit, index) =>
      byId.set(JSON.stringify([raw[index]!['_index'], hit.id]), hit),
    );
  }
  return rows.flatMap(({ index, id, values }) => {
    const hit = byId.get(JSON.stringify([index, id]));
    if (hit === undefined) return [];
    const behind = readCursor(hit.cursor, page.behind);
    const all: readonly SortValue[] = [...values, { isMissing: false, value: id }, ...behind.values];
    return [{ ...hit, cursor: printCursor(all, page.query.sort, `${beforeIndex}${index}`) }];
  });
};
