import { daysOfMonth, daysOfYear, isSpokenUnit, measureOf } from '../../../src/lib/text/units.ts';
import { isYear, type Field } from '../api/fields.ts';
import type { Condition } from '../api/filter.ts';

/** Amounts in English, French and German: "over 60", "entre 40 et 50 ans", "mindestens 2 m". All words are folded. */

type Bound = 'gt' | 'gte' | 'lt' | 'lte';

/** What an amount is compared with: amounts of any kind, or points in time. */
type Sense = 'amount' | 'time' | 'both';

const comparisons: ReadonlyMap<string, readonly [Bound, Sense]> = new Map(
  (
    [
      ['gt', 'amount', '>|over|above|more than|older than|greater than|larger than|longer than|taller than'],
      ['gt', 'amount', 'plus de|superieur a|superieure a|au-dessus de|uber|mehr als|alter als|grosser als'],
      ['gt', 'amount', 'plus grand que|plus long que|langer als|hoher als'],
      ['gt', 'time', 'after|apres|nach'],
      ['gte', 'amount', '>=|≥|at least|minimum|min|au moins|mindestens'],
      ['gte', 'time', 'since|depuis|seit'],
      ['gte', 'both', 'from|a partir de|des|ab'],
      ['lt', 'amount', '<|under|below|less than|younger than|smaller than|shorter than|moins de'],
      [
        'lt',
        'amount',
        'inferieur a|inferieure a|au-dessous de|unter|weniger als|junger als|kleiner als|kurzer als',
      ],
      ['lt', 'time', 'before|avant|vor'],
      ['lte', 'amount', '<=|≤|at most|maximum|max|au plus|hochstens|maximal'],
      ['lte', 'both', "up to|until|jusqu'a|jusqu’a|bis|bis zu"],
    ] as const
  ).flatMap(([bound, sense, words]) => words.split('|').map((word) => [word, [bound, sense]] as const)),
);
const longestComparison = 3;

const suffixes: ReadonlyMap<string, Bound> = new Map(
  (
    [
      ['gte', 'and older|or older|and over|and above|or more|and more|et plus|ou plus|und alter|oder alter'],
      ['gte', 'und mehr|oder mehr'],
      [
        'lte',
        'and younger|or younger|and under|or less|et moins|ou moins|und junger|oder junger|oder weniger',
      ],
    ] as const
  ).flatMap(([bound, words]) => words.split('|').map((word) => [word, bound] as const)),
);

const ranges: readonly (readonly [before: readonly string[], between: readonly string[]])[] = [
  [
    ['between', 'entre', 'zwischen'],
    ['and', 'et', 'und'],
  ],
  [
    ['from', 'de', 'von'],
    ['to', 'a', 'bis'],
  ],
  [[], ['to', 'a', 'bis', '-', '–']],
];

const inYear = new Set(['in', 'en', 'im', 'anno', 'im jahr', 'im jahre', 'an']);
const ofAge = new Set(['aged', 'age', 'agee', 'ages', 'agees', 'im alter von']);
const afterUnit = new Set(['old', 'alt', 'revolus', 'age']);
const ofOld = new Set(['year-old', 'years-old', 'jahrig', 'jahrige']);

/** A comparison that was read from words, and how many of them it took. */
export interface Read {
  readonly filter: Condition;
  readonly count: number;
}

interface Amount {
  readonly ends: readonly [number, number];
  readonly unit: string | null;
  readonly bound: Bound | 'between';
  readonly sense: Sense;
  readonly count: number;
  /** Without a field's name: a number alone says nothing. */
  readonly isClear: boolean;
}

/**
 * The comparison that begins with the first of these words.
 * @param words folded
 * @param fields those that may be meant, in the order of their importance
 * @param named the field that the words before name; null: none
 */
export const readQuantity = (
  words: readonly string[],
  fields: readonly Field[],
  named: Field | null,
): Read | null => {
  const hint = [3, 1].find((count) => ofAge.has(words.slice(0, count).join(' '))) ?? 0;
  const skipped = hint > 0 && ['de', 'of', 'von'].includes(words[hint] ?? '') ? hint + 1 : hint;
  const amount = amountIn(words.slice(skipped));
  if (amount === null || !(amount.isClear || named !== null || hint > 0)) return null;
  const wanted = hint > 0 && amount.unit === null ? { ...amount, unit: 'year' } : amount;
  for (const field of named === null ? fields : [named]) {
    const filter = named === null && !isMeant(field, wanted) ? null : conditionOn(field, wanted);
    if (filter !== null) return { filter, count: amount.count + skipped };
  }
  return null;
};

const amountIn = (words: readonly string[]): Amount | null =>
  rangeIn(words) ?? comparedIn(words) ?? plainIn(words);

const rangeIn = (words: readonly string[]): Amount | null => {
  for (const [before, between] of ranges) {
    const start = before.includes(words[0] ?? '') ? 1 : before.length === 0 ? 0 : null;
    const one = start === null ? null : numberIn(words.slice(start));
    if (start === null || one === null || isOpen(one)) continue;
    const middle = start + one.count;
    const other = between.includes(words[middle] ?? '') ? numberIn(words.slice(middle + 1)) : null;
    if (other === null || isOpen(other)) continue;
    const ends = [Math.min(one.value, other.value), Math.max(one.value, other.value)] as const;
    const count = middle + 1 + other.count;
    return { ends, unit: other.unit ?? one.unit, bound: 'between', sense: 'both', count, isClear: true };
  }
  const [, low, high] = /^(\d+)[-–](\d+)$/.exec(words[0] ?? '') ?? [];
  if (low === undefined || Number(low) >= Number(high)) return null;
  const unit = isSpokenUnit(words[1] ?? '') ? words[1]! : null;
  const ends = [Number(low), Number(high)] as const;
  return {
    ...{ ends, unit, bound: 'between', sense: 'both' },
    ...{ count: unit === null ? 1 : 2, isClear: unit !== null || isYearly({ ends, unit }) },
  };
};

const comparedIn = (words: readonly string[]): Amount | null => {
  for (let length = longestComparison; length > 0; length -= 1) {
    const phrase = words.slice(0, length).join(' ');
    const [bound, sense] = comparisons.get(phrase) ?? (inYear.has(phrase) ? yearOnly : []);
    const number = bound === undefined ? null : numberIn(words.slice(length));
    if (bound === undefined || sense === undefined || number === null || isOpen(number)) continue;
    const { value, unit, count } = number;
    return { ends: [value, value], unit, bound, sense, count: length + count, isClear: true };
  }
  return null;
};

const yearOnly = ['between', 'time'] as const;

const plainIn = (words: readonly string[]): Amount | null => {
  const number = numberIn(words);
  if (number === null) return null;
  const { value, unit, count, suffix } = number;
  const after = suffixes.get(words.slice(count, count + 2).join(' '));
  if (suffix === 'decade')
    return { ends: [value, value + 9], unit, bound: 'between', sense: 'time', count, isClear: true };
  const bound = after ?? (suffix === '+' ? 'gte' : 'between');
  return {
    ...{ ends: [value, value], unit, bound, sense: 'both' },
    ...{ count: after === undefined ? count : count + 2, isClear: bound !== 'between' || suffix === 'old' },
  };
};

interface Numeral {
  readonly value: number;
  readonly unit: string | null;
  readonly suffix: '' | '+' | 'decade' | 'old';
  readonly count: number;
}

const numberIn = ([first = '', second = '', third = '']: readonly string[]): Numeral | null => {
  const decade = /^([12]\d\d0)['’]?(?:s|er)$/.exec(first)?.[1];
  if (decade !== undefined) return { value: Number(decade), unit: null, suffix: 'decade', count: 1 };
  const [, digits, rest = ''] = /^(\d[\d.,]*)-?(\+|%|[a-zµ][a-z-]*)?$/.exec(first) ?? [];
  const value = digits === undefined ? NaN : valueOf(digits);
  if (Number.isNaN(value)) return null;
  if (rest === '+') return { value, unit: null, suffix: '+', count: 1 };
  if (rest !== '' && !isSpokenUnit(rest)) return null;
  const [unit, count, after] =
    rest !== '' ? [rest, 1, second] : isSpokenUnit(second) ? [second, 2, third] : [null, 1, ''];
  if (unit !== null && afterUnit.has(after)) return { value, unit, suffix: 'old', count: count + 1 };
  return { value, unit, suffix: ofOld.has(unit ?? '') ? 'old' : '', count };
};

/** Whether a number is a range by itself. */
const isOpen = ({ suffix }: Numeral): boolean => suffix === '+' || suffix === 'decade';

/** A comma before three digits separates thousands, any other decimals. */
const valueOf = (digits: string): number => {
  const plain = digits.replace(/[.,]$/, '');
  return Number(
    /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain.replace(',', '.'),
  );
};

const isYearly = ({ ends, unit }: Pick<Amount, 'ends' | 'unit'>): boolean =>
  unit === null && ends.every((end) => Number.isInteger(end) && end >= 1000 && end <= 2100);

/** The greatest age that is meant by a number alone. */
const oldest = 120;

const isMeant = (field: Field, amount: Amount): boolean => {
  const { ends, unit, sense } = amount;
  const isOfTime = field.kind === 'dates' || (field.kind === 'numbers' && isYear(field.path));
  if (sense !== 'amount' && isYearly(amount)) return isOfTime;
  if (field.kind !== 'numbers' || isOfTime || sense === 'time') return false;
  if (unit === null) return isAge(field) && ends[1] <= oldest;
  const [measure, factor] = measureOf(unit)!;
  // an age, where somebody speaks of years or months
  return measure !== 'time' || (isAge(field) && factor >= daysOfMonth);
};

const isAge = ({ unit }: Field): boolean => unit !== null && measureOf(unit)?.[1] === daysOfYear;

const conditionOn = (field: Field, { ends, unit, bound }: Amount): Condition | null => {
  if (field.kind === 'dates') return isYearly({ ends, unit }) ? datesOf(field, ends, bound) : null;
  if (field.kind !== 'numbers') return null;
  const [low, high] = ends.map((end) => converted(end, unit, field));
  if (low == null || high == null) return null;
  const isWhole = /^(byte|short|integer|long)$/.test(field.type);
  const [up, down] = isWhole ? [Math.ceil, Math.floor] : [Number, Number];
  if (bound === 'between')
    return up(low) > down(high)
      ? null
      : { op: bound, content: { fieldName: field.path, value: [up(low), down(high)] } };
  // of whole numbers, more than 1.5 is more than 1, and less than 1.5 less than 2
  const value = bound === 'gt' || bound === 'lte' ? down(low) : up(low);
  return { op: bound, content: { fieldName: field.path, value } };
};

/** An amount in the unit of a field; null: it is measured in something else. */
const converted = (value: number, unit: string | null, { unit: own }: Field): number | null => {
  if (unit === null) return value;
  const [from, to] = [measureOf(unit), own === null ? undefined : measureOf(own)];
  if (from === undefined || to === undefined || from[0] !== to[0]) return null;
  return Number(((value * from[1]) / to[1]).toPrecision(12));
};

const datesOf = ({ path }: Field, [low, high]: Amount['ends'], bound: Amount['bound']): Condition => {
  const [first, last] = [(year: number) => `${year}-01-01`, (year: number) => `${year}-12-31`];
  const [op, value] = {
    between: ['between', [first(low), last(high)]],
    gt: ['gte', first(low + 1)],
    gte: ['gte', first(low)],
    lt: ['lte', last(low - 1)],
    lte: ['lte', last(low)],
  }[bound] as [Condition['op'], Condition['content']['value']];
  return { op, content: { fieldName: path, value } };
};
