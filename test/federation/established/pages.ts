import type { CatalogueHit } from '../../../src/search/query.ts';
import { engineError } from './filter-quirks.ts';

export interface SortArgument {
  readonly fieldName: string;
  readonly order?: 'asc' | 'desc' | null;
  readonly missing?: 'first' | 'last' | null;
}

const least = '-9223372036854775808';
const greatest = '9223372036854775807';
const greatestUnsigned = '18446744073709551615';
const ends: readonly unknown[] = [null, least, greatest, greatestUnsigned];

/** Forms in which an engine reads the ends of all dates in `search_after`, besides digits of the greatest. */
const extremeDates: Readonly<Record<'opensearch' | 'elasticsearch7', Readonly<Record<string, string>>>> = {
  opensearch: {
    '-292275055-05-16T16:47:04.192Z': least,
    '+292278994-08-17T07:12:55.807Z': greatest,
    '1969-05-16T16:47:04.192Z||-292277024y': least,
    '1970-08-17T07:12:55.807Z||+292277024y': greatest,
  },
  elasticsearch7: {
    '1969-05-16T16:47:04.192Z||-292277024y': least,
    '1970-08-17T07:12:55.807Z||+292277024y': greatest,
  },
};
export type EngineOfIt = keyof typeof extremeDates;

const isLong = (type: string): boolean => ['long', 'integer', 'byte', 'unsigned_long', 'date'].includes(type);

/** Where missing values stand for the engine of the established server: at one end of 64 bits. */
const markerOf = ({ order, missing }: SortArgument, type: string): string => {
  const last = (missing ?? (order === 'desc' ? 'last' : 'first')) === 'last';
  const high = last === (order !== 'desc');
  if (type === 'unsigned_long') return high ? greatestUnsigned : '0';
  return high ? greatest : least;
};

/** The sort values of a row as its engine has them; longs as digits. */
const engineValues = (
  hit: CatalogueHit,
  sort: readonly SortArgument[],
  types: ReadonlyMap<string, string>,
): readonly unknown[] =>
  sort.map((key, index) => {
    const value = hit.cursor[index] ?? null;
    const type = types.get(key.fieldName) ?? 'keyword';
    if (!isLong(type)) return value;
    return ends.includes(value) ? markerOf(key, type) : String(value);
  });

/** As it is shown: what JavaScript cannot hold exactly, the missing marker among it, is the least long. */
export const shownSearchAfter = (
  hit: CatalogueHit,
  sort: readonly SortArgument[],
  types: ReadonlyMap<string, string>,
): readonly unknown[] =>
  engineValues(hit, sort, types).map((value, index) => {
    if (!isLong(types.get(sort[index]!.fieldName) ?? 'keyword')) return value;
    return Number.isSafeInteger(Number(value)) ? Number(value) : least;
  });

/**
 * The rows behind a cursor, sorted rows given.
 * @throws what its engine answers to a value that is none of the field's type
 */
export const rowsBehind = (
  rows: readonly CatalogueHit[],
  searchAfter: readonly unknown[],
  sort: readonly SortArgument[],
  types: ReadonlyMap<string, string>,
  engine: EngineOfIt,
): readonly CatalogueHit[] => {
  const sent = searchAfter.map((value, index) =>
    read(value, types.get(sort[index]?.fieldName ?? '') ?? 'keyword', engine),
  );
  const key = JSON.stringify(sent);
  const place = rows.findLastIndex((row) => JSON.stringify(engineValues(row, sort, types)) === key);
  // no row stands there: an end of the order, from which all of it follows, or nothing
  if (place < 0) return sent[0] === least ? rows : [];
  return rows.slice(place + 1);
};

const read = (value: unknown, type: string, engine: EngineOfIt): unknown => {
  if (type === 'date') {
    const text = String(value);
    if (typeof value === 'number' && Number.isSafeInteger(value)) return text;
    if (text === greatest) return text;
    if (Object.hasOwn(extremeDates[engine], text)) return extremeDates[engine][text];
    const ms = Date.parse(text);
    if (Number.isNaN(ms) || /^[+-]/.test(text))
      throw engineError(
        'parse_exception',
        `failed to parse date field [${text}] with format [strict_date_optional_time||epoch_millis]`,
      );
    return String(ms);
  }
  if (type === 'unsigned_long' && String(value).startsWith('-'))
    throw engineError(
      'illegal_argument_exception',
      `Value [${String(value)}] is out of range for an unsigned long`,
    );
  return isLong(type) ? String(value) : value;
};
