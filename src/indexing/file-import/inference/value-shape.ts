import { booleanWord, isIsoDate, isNumberWith, isPlainNumber } from '../tables/cell-reader.ts';

/** What a value is, or what its text looks like. */
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
const emptyWords: ReadonlySet<string> = new Set([
  ...[
    'n/a',
    'na',
    'n.a.',
    '#n/a',
    '#nv',
    'null',
    'none',
    'nil',
    'nan',
    'undefined',
    '(blank)',
    'empty',
    '\\n',
  ],
  ...['unknown', 'not known', 'not available', 'not applicable', 'not recorded', 'missing', 'tbd'],
  ...['no date', 'n.d.', 'n. d.', 'undated', '-', '--', '---', '–', '—', '?', '??'],
  ...[
    'unbekannt',
    'unbek.',
    'k.a.',
    'k. a.',
    'keine angabe',
    'ohne angabe',
    'o.a.',
    'o. a.',
    'leer',
    '(leer)',
  ],
  ...['o.j.', 'o. j.', 'o.d.', 'o. d.', 'ohne datum', 'undatiert'],
  ...['inconnu', 'inconnue', 'non renseigné', 'vide', '(vide)', 's.d.', 's. d.', 'sans date'],
]);

/** What a text looks like. */
export const shapeOf = (text: string): ValueShape => {
  if (isPlainNumber(text)) return 'number text';
  if (isIsoDate(text)) return 'date';
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return 'partial date';
  if (text === 'true' || text === 'false') return 'boolean text';
  if (emptyWords.has(text.trim().toLowerCase())) return 'empty word';
  if (booleanWord(text) !== undefined) return 'boolean word';
  if (/^[+-]?\d/.test(text)) {
    if (isNumberWith(text, ',') && /[ ,.\u00a0\u202f'’]/.test(text)) return 'comma number';
    if (isNumberWith(text, '.') && text.includes(',')) return 'grouped number';
    if (writtenDateFormats(text).length > 0) return 'written date';
  }
  return 'text';
};

const writtenDate = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

/** The date formats that a text matches: day first before month first, two digits before one or two. */
export const writtenDateFormats = (text: string): readonly string[] => {
  const [, first, sign, second] = writtenDate.exec(text) ?? [];
  if (first === undefined || sign === undefined || second === undefined) return [];
  const wide = first.length === 2 && second.length === 2;
  const formats = (day: string, month: string, wideFormat: string, format: string): readonly string[] =>
    isDay(day) && isMonth(month) ? [...(wide ? [wideFormat] : []), format] : [];
  return [
    ...formats(first, second, `dd${sign}MM${sign}yyyy`, `d${sign}M${sign}yyyy`),
    ...(sign === '/' ? formats(second, first, 'MM/dd/yyyy', 'M/d/yyyy') : []),
  ];
};

const isDay = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 31;
const isMonth = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 12;
