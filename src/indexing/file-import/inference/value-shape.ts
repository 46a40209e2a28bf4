import { parseDatePattern } from '../../../introspection/dates/date-pattern.ts';
import { booleanWord, isNumberWith, isPlainNumber } from '../tables/columns.ts';

/** The type of a value, or what its text looks like. */
export type ValueShape =
  | 'number'
  | 'boolean'
  | 'date'
  | 'object'
  | 'text'
  /** A number in JSON notation, as text. */
  | 'number text'
  /** A number with a decimal comma, or with digit grouping that implies one. */
  | 'comma number'
  /** A number with commas as thousands separators. */
  | 'grouped number'
  /** A date as written in German, French or English. */
  | 'written date'
  | 'boolean word'
  /** `true` or `false` as a text. */
  | 'boolean text'
  /** A year and a month. */
  | 'partial date'
  /** A null word. */
  | 'empty word';

/** Words for missing values in the lists of museums and laboratories, in English, German and French. */
export const emptyWords: ReadonlySet<string> = new Set(
  [
    'n/a|na|n.a.|#n/a|#nv|null|none|nil|nan|undefined|(blank)|empty|\\n',
    'unknown|not known|not available|not applicable|not recorded|missing|tbd|no date|n.d.|n. d.|undated',
    '-|--|---|–|—|?|??',
    'unbekannt|unbek.|k.a.|k. a.|keine angabe|ohne angabe|o.a.|o. a.|leer|(leer)',
    'o.j.|o. j.|o.d.|o. d.|ohne datum|undatiert',
    'not reported|.|:|unk|[not available]|[unknown]|[not applicable]|[not evaluated]',
    'inconnu|inconnue|non renseigné|vide|(vide)|s.d.|s. d.|sans date',
  ].flatMap((words) => words.split('|')),
);

const longestEmptyWord = Math.max(...[...emptyWords].map(({ length }) => length));
/** A word's length and first character combined in one number. */
const beginningOf = (word: string): number => word.charCodeAt(0) * 64 + word.length;
const emptyBeginnings = new Set(
  [...emptyWords].flatMap((word) => [word, word.toUpperCase()]).map(beginningOf),
);

/** Cheaper than looking up the word. */
export const mayBeEmptyWord = (text: string): boolean =>
  text.length <= longestEmptyWord && (emptyBeginnings.has(beginningOf(text)) || text.trim() !== text);

/** What a text looks like. */
export const shapeOf = (text: string): ValueShape => {
  if (isPlainNumber(text)) return 'number text';
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return 'partial date';
  if (text === 'true' || text === 'false') return 'boolean text';
  if (emptyWords.has(text.trim().toLowerCase())) return 'empty word';
  if (booleanWord(text) !== undefined) return 'boolean word';
  if (/^[+-]?\d/.test(text)) {
    if (isNumberWith(text, ',') && /[ ,.\u00a0\u202f'’]/.test(text)) return 'comma number';
    if (isNumberWith(text, '.') && text.includes(',')) return 'grouped number';
  }
  if (/^[\da-z]/i.test(text) && text.length <= 23 && writtenDateFormats(text).length > 0)
    return 'written date';
  return 'text';
};

const writtenDate = /^(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})( \d\d:\d\d(?::\d\d)?)?$/;

/** Dates with an unambiguous order of parts. */
const clearDates: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'yyyy-MM-dd HH:mm:ss'],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/, 'yyyy-MM-dd HH:mm:ss.SSS'],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d$/, 'yyyy-MM-dd HH:mm'],
  [/^\d{4}\/\d{1,2}\/\d{1,2}$/, 'yyyy/M/d'],
  [/^\d{4}\.\d{1,2}\.\d{1,2}$/, 'yyyy.M.d'],
  [/^\d{1,2}-[a-z]{3,9}-\d{2}$/i, 'd-MMM-yy'],
  [/^\d{1,2}-[a-z]{3,9}-\d{4}$/i, 'd-MMM-yyyy'],
  [/^\d{1,2} [a-z]{3,9} \d{4}$/i, 'd MMM yyyy'],
  [/^\d{1,2}\. [a-z]{3,9} \d{4}$/i, 'd. MMM yyyy'],
  // as written by SAS
  [/^\d{2}[a-z]{3}\d{4}$/i, 'ddMMMyyyy'],
  [/^\d{2}[a-z]{3}\d{4}:\d\d:\d\d:\d\d$/i, 'ddMMMyyyy:HH:mm:ss'],
  [/^[a-z]{3,9} \d{4}$/i, 'MMM yyyy'],
  [/^[a-z]{3,9} \d{1,2}, \d{4}$/i, 'MMM d, yyyy'],
  [/^[a-z]{3,9} \d{1,2} \d{4}$/i, 'MMM d yyyy'],
  [/^[a-z]{3,9}-\d{1,2}-\d{4}$/i, 'MMM-d-yyyy'],
  [/^\d{1,2}\/[a-z]{3,9}\/\d{4}$/i, 'd/MMM/yyyy'],
  [/^\d{1,2} [a-z]{3,9}, \d{4}$/i, 'd MMM, yyyy'],
  [/^\d{1,2}\.[a-z]{3,9}\.\d{4}$/i, 'd.MMM.yyyy'],
  [/^\d{4} [a-z]{3,9} \d{1,2}$/i, 'yyyy MMM d'],
  [/^\d{4}-[a-z]{3,9}-\d{1,2}$/i, 'yyyy-MMM-d'],
];

/** The date formats that a text matches: day first before month first, two digits before one or two. */
export const writtenDateFormats = (text: string): readonly string[] => {
  const [time = ''] = / \d\d:\d\d(?::\d\d)?$/.exec(text) ?? [];
  const clear = clearDates.flatMap(([look, format]) => {
    if (look.test(text)) return [format];
    const timed = `${format} ${time.length > 6 ? 'HH:mm:ss' : 'HH:mm'}`;
    return time !== '' && look.test(text.slice(0, -time.length)) ? [timed] : [];
  });
  const fitting = clear.find((format) => parseDatePattern(text, format, 'down') !== null);
  if (fitting !== undefined) return [fitting];
  const [, first, sign, second, year = '', clock = ''] = writtenDate.exec(text) ?? [];
  if (first === undefined || sign === undefined || second === undefined) return [];
  const wide = first.length === 2 && second.length === 2;
  const rest = `${'y'.repeat(year.length)}${clock === '' ? '' : clock.length > 6 ? ' HH:mm:ss' : ' HH:mm'}`;
  const formats = (day: string, month: string, order: readonly [string, string]): readonly string[] =>
    isDay(day) && isMonth(month)
      ? [
          ...(wide ? [`${order[0].repeat(2)}${sign}${order[1].repeat(2)}${sign}${rest}`] : []),
          `${order.join(sign)}${sign}${rest}`,
        ]
      : [];
  return [...formats(first, second, ['d', 'M']), ...(sign === '/' ? formats(second, first, ['M', 'd']) : [])];
};

const isDay = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 31;
const isMonth = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 12;
