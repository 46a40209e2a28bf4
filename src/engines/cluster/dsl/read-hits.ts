import type { JsonObject, JsonValue } from '../../../json/json.ts';
import { printCursor } from '../../semantics/cursor.ts';
import type { Hit, HitsQuery, HitsResult, SortKey } from '../../engine.ts';
import { numberIn, objectIn, objectsIn } from '../client/answer.ts';
import type { Dialect } from './dialect.ts';
import { afterValues, readSortValues } from './sort-values.ts';

/** Reads a page from the response to hitsBody. */
export const readHits = (query: HitsQuery, answer: JsonObject, dialect: Dialect): HitsResult => {
  const found = objectIn(answer, 'hits');
  const hits = objectsIn(found, 'hits').map((hit) => readHit(hit, query.sort, dialect));
  const behindCursor = query.searchAfter !== null && query.searchAfter.length > 0;
  return {
    total: query.trackTotal ? numberIn(objectIn(found, 'total'), 'value') : null,
    hits: behindCursor ? hits.slice(query.offset) : hits,
  };
};

/** Where a page ends, for the next hitsBody with the same sort; null for an empty page. */
export const nextStep = (sort: readonly SortKey[], answer: JsonObject): readonly JsonValue[] | null => {
  const last = objectsIn(objectIn(answer, 'hits'), 'hits').at(-1);
  if (last === undefined) return null;
  const printed = (last['sort'] ?? []) as readonly JsonValue[];
  const { values, length } = readSortValues(sort, printed);
  return [...afterValues(sort, values), ...printed.slice(length)];
};

const readHit = (hit: JsonObject, sort: readonly SortKey[], dialect: Dialect): Hit => {
  const printed = (hit['sort'] ?? []) as readonly JsonValue[];
  const { values, length } = readSortValues(sort, printed);
  const ties = printed.slice(length).map(String);
  return {
    id: String(hit['_id']),
    source: objectIn(hit, '_source'),
    cursor: printCursor(values, sort, dialect.tieBreak === '_id' ? ties[0]! : ties.join(':')),
  };
};
