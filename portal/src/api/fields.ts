import { kindOf, type FieldKind as MappedKind } from '../../../src/introspection/fields/field.ts';

/** How a field can be counted and filtered. */
export type FieldKind = 'values' | 'numbers' | 'dates' | 'text' | 'nested' | 'other';

/** A field as shown to users. */
export interface Field {
  readonly path: string;
  readonly name: string;
  /** Its names by language; unset: it has one name. */
  readonly names?: Readonly<Record<string, string>>;
  readonly type: string;
  readonly kind: FieldKind;
  readonly unit: string | null;
  readonly description: string | null;
  /** What its owners show instead of a value, by the value as text. */
  readonly displayValues: Readonly<Record<string, unknown>>;
  /** The hierarchy that its values are terms of; unset: none. */
  readonly hierarchy?: string;
  /** Its values are addresses of pictures, which the server passes on. */
  readonly isImage?: true;
  /** `true`: its values are links; else the link in which one stands for `{value}`; unset: neither. */
  readonly link?: true | string;
  /** Rows cannot be sorted by it: some node of the network writes it in values of its own. Unset: none does. */
  readonly sortable?: false;
  /** The nodes of a network that have it; null: the only node. */
  readonly nodes: readonly string[] | null;
}

const kinds = {
  keyword: 'values',
  boolean: 'values',
  number: 'numbers',
  date: 'dates',
  text: 'text',
  nested: 'nested',
  flattened: 'values',
  object: 'other',
  json: 'other',
  range: 'other',
} as const satisfies Readonly<Record<MappedKind, FieldKind>>;

/** The kind of a mapped type; the document's key, `id`, is a value. */
export const kindOfType = (type: string): FieldKind => (type === 'id' ? 'values' : kinds[kindOf(type)]);

/** Words made from a path, for fields without a label: `specimens.files.data_type` is "Specimens files data type". */
export const wordsOf = (path: string): string => {
  const words = path
    .replace(/[._]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Whether a field counts things: values that are different for each record make no facet. */
export const isIdentifier = (path: string): boolean => /(^|[._])(id|uuid|name|url|accession)$|Id$/.test(path);

/** Years are written without groups of thousands. */
export const isYear = (path: string): boolean =>
  /(^|[._])years?([._]|$)/i.test(path) || /[a-z]Year$/.test(path);

/** A field's name with its unit. */
export const titleOf = ({ name, unit }: Field): string => (unit === null ? name : `${name} (${unit})`);

/** A day of the calendar as filters have it, before the common era and after the year 9999 too. */
export const isoDay = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .split('T')[0]!
    .replace(/^([+-])0{1,2}(?=\d{4})/, '$1');

/**
 * The time of a date as filters and records write it, of a year or month where it begins: of UTC where it names no zone,
 * before the common era too. NaN for what is written in another way, which browsers guess.
 */
export const timeOf = (date: string): number => {
  if (/^\d{4}(-\d\d)?$/.test(date)) return Date.parse(date);
  const [, sign = '', year, day, time = '', zone] =
    /^([+-]?)(\d{4,6})(-\d\d-\d\d)(T.*?)?(Z|[+-]\d\d:?\d\d)?$/.exec(date) ?? [];
  if (year === undefined) return NaN;
  const whole = sign + (sign === '' ? year : year.padStart(6, '0')) + day;
  return Date.parse(time === '' ? whole : `${whole}${time}${zone ?? 'Z'}`);
};

/** An end of a filter's range as a number; `open` where it is open, or in another form of links, as now-30d. */
export const endNumber = (
  { kind }: Pick<Field, 'kind'>,
  end: string | number | null,
  open: number,
): number => {
  const at = end === null ? NaN : kind === 'dates' ? timeOf(String(end)) : Number(end);
  return Number.isNaN(at) ? open : at;
};

/** The ends of a filter that finds what lies from one number up to another, as intervals of a histogram do. */
export const rangeEndsOf = (
  { kind, type }: Pick<Field, 'kind' | 'type'>,
  from: number,
  to: number,
): readonly [string | number, string | number] => {
  if (kind === 'dates') return [isoDay(from), isoDay(to - 1)];
  // a field of single precision has none of these: its bound would be the number before
  const first = type === 'float' && Math.fround(from) < from ? -justBelow(-from, type) : from;
  return [first, /float|double/.test(type) ? justBelow(to, type) : to - 1];
};

/** The greatest number below another: of a field that keeps fewer bits, that it can hold. */
const justBelow = (value: number, type: string): number => {
  const [bits, least] =
    type === 'half_float' ? [11, 2 ** -24] : type === 'float' ? [24, 2 ** -149] : [53, Number.MIN_VALUE];
  if (value === 0) return -least;
  if (type === 'float' && Math.fround(value) < value) return Math.fround(value);
  // a little more than half of the distance is rounded to the whole: half_float by the server
  const below = value - Math.abs(value) * 1.01 * 2 ** -bits;
  return type === 'float' ? Math.fround(below) : below;
};

/** A number as it is shown: the end of an interval, which is just below a round number, as this. */
export const shownNumber = <Value>(value: Value): number | Value =>
  // a whole number may be an end of its own
  typeof value === 'number' && !Number.isSafeInteger(value) ? roundEnd(value) : value;

const roundEnd = (value: number): number =>
  [0, ...[6, 7, 15].map((digits) => Number(value.toPrecision(digits)))].find((round) =>
    ['float', 'double'].some((type) => [justBelow(round, type), -justBelow(-round, type)].includes(value)),
  ) ?? value;
