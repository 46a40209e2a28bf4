import { kindOf } from '../../introspection/field.ts';
import type { JsonObject, JsonValue } from '../../json.ts';
import type { CursorValue, Hit, HitsQuery, HitsResult, SortKey } from '../engine.ts';
import { numberIn, objectIn, objectsIn } from './answer.ts';
import type { Dialect } from './dialect.ts';
import { afterValue } from './hits-body.ts';

/** A page out of the answer to hitsBody. */
export const readHits = (query: HitsQuery, answer: JsonObject, dialect: Dialect): HitsResult => {
  const found = objectIn(answer, 'hits');
  const hits = objectsIn(found, 'hits').map((hit) => readHit(hit, query.sort, dialect));
  const behindCursor = query.searchAfter !== null && query.searchAfter.length > 0;
  return {
    total: query.trackTotal ? numberIn(objectIn(found, 'total'), 'value') : null,
    hits: behindCursor ? hits.slice(query.offset) : hits,
  };
};

/** Where a page ends, for the next hitsBody of the same sort; null when it is empty. */
export const nextStep = (sort: readonly SortKey[], answer: JsonObject): readonly JsonValue[] | null => {
  const last = objectsIn(objectIn(answer, 'hits'), 'hits').at(-1);
  if (last === undefined) return null;
  const values = (last['sort'] ?? []) as readonly JsonValue[];
  return values.map((value, position) => {
    const key = sort[position];
    return key === undefined ? value : afterValue(key, cursorValue(key, value));
  });
};

const readHit = (hit: JsonObject, sort: readonly SortKey[], dialect: Dialect): Hit => {
  const values = (hit['sort'] ?? []) as readonly JsonValue[];
  const ties = values.slice(sort.length).map(String);
  return {
    id: String(hit['_id']),
    source: objectIn(hit, '_source'),
    cursor: [
      ...sort.map((key, position) => cursorValue(key, values[position] ?? null)),
      dialect.tieBreak === '_id' ? ties[0]! : ties.join(':'),
    ],
  };
};

const longEnds: ReadonlySet<JsonValue> = new Set(['9223372036854775807', '-9223372036854775808']);

const cursorValue = ({ field }: SortKey, value: JsonValue): CursorValue => {
  if (kindOf(field.type) === 'boolean')
    return value === null || longEnds.has(value) ? null : value === true || value === 'true' || value === 1;
  // printed with as few digits as tell it from other floats
  if (typeof value === 'number' && (field.type === 'float' || field.type === 'half_float'))
    return Math.fround(value);
  return value as CursorValue;
};
