import { newInference, type ScalarType } from '../../../introspection/mapping/infer.ts';
import { propertiesOf } from '../../../introspection/mapping/mapping.ts';
import { isJsonObject, type JsonObject } from '../../../json/json.ts';
import { parseDatePattern } from '../../../introspection/dates/date-pattern.ts';
import type { ListEvidence } from '../tables/split-cells.ts';
import { newListEvidence } from '../tables/split-cells.ts';
import { booleanWord, isNumberWith, isPlainNumber } from '../tables/columns.ts';

/** A value and its position. */
export interface ValuePlace {
  readonly line: number;
  /** Where several files are loaded. */
  readonly file?: string | undefined;
  /** As text, truncated to fit a line. */
  readonly text: string;
}

/** Values of one shape. */
export interface ShapeEvidence {
  count: number;
  /** The first of them. */
  readonly places: ValuePlace[];
}

/** What documents have at one dotted path. */
export interface FieldEvidence {
  /** Documents with a value here. */
  documents: number;
  /** The number of the last document with a value here. */
  last: number;
  readonly shapes: Map<ValueShape, ShapeEvidence>;
  /** The distinct null words, as spelled. */
  readonly emptyWords: Set<string>;
  /** The formats that fit all written dates so far; null before the first. */
  dateFormats: readonly string[] | null;
  /** Numbers that are not whole. */
  readonly fractions: ShapeEvidence;
  /** Numbers that are dates such as 20140518, from 1800 to 2099. */
  basicDates: number;
  /** Number texts with a decimal point. */
  pointDecimals: number;
  /** Whether texts hold several values. */
  readonly lists: ListEvidence;
  example: string | null;
}

/** What the documents of a file have, by dotted path, in order of first appearance. */
export interface Evidence {
  add(document: JsonObject, line: number, file?: string): void;
  readonly fields: ReadonlyMap<string, FieldEvidence>;
  readonly documents: () => number;
  /** The mapping's `properties` that hold all values so far. */
  readonly properties: () => JsonObject;
  /** Changes whenever the properties may have changed. */
  readonly changes: () => number;
}

const shownPlaces = 3;
const shownCharacters = 40;
/** After this many texts, a field with nothing else is not examined further. */
const plainTexts = 200;

/** New, without any documents. */
export const newEvidence = (): Evidence => {
  const fields = new Map<string, FieldEvidence>();
  const place: Place = { line: 0, file: undefined, document: 0 };
  const inference = newInference((path) => {
    const field: FieldEvidence = { documents: 0, last: -1, shapes: new Map(), emptyWords: new Set(), dateFormats: null, fractions: { count: 0, places: [] }, basicDates: 0, pointDecimals: 0, lists: newListEvidence(), example: null }; // prettier-ignore
    fields.set(path, field);
    return (value, type) => note(field, value, type, place);
  });
  return {
    add: (document, line, file) => {
      place.line = line;
      place.file = file;
      place.document += 1;
      inference.addExpanded(document);
    },
    fields,
    documents: () => place.document,
    properties: () => propertiesOf(inference.mapping()),
    changes: inference.changes,
  };
};

/** Where a value is. */
interface Place {
  line: number;
  file: string | undefined;
  /** The number of its document. */
  document: number;
}

/** For every value of every document, so it allocates next to nothing. */
const note = (
  field: FieldEvidence,
  value: string | number | boolean | JsonObject,
  type: ScalarType | 'object',
  { line, file, document }: Place,
): void => {
  if (field.last !== document) field.documents += 1;
  field.last = document;
  if (typeof value === 'number') noteNumber(field, value, line, file);
  const look = shapeIn(field, value, type);
  if (look === 'text' && typeof value === 'string') field.lists.add(value);
  const seen = field.shapes.get(look);
  if (seen !== undefined && seen.places.length === shownPlaces) {
    seen.count += 1;
    return;
  }
  const text = isJsonObject(value) ? '{…}' : shortened(String(value));
  if (look !== 'empty word' && look !== 'object') field.example ??= text;
  if (seen === undefined) field.shapes.set(look, { count: 1, places: [placed(line, file, text)] });
  else {
    seen.count += 1;
    seen.places.push(placed(line, file, text));
  }
};

const noteNumber = (field: FieldEvidence, value: number, line: number, file: string | undefined): void => {
  if (!Number.isInteger(value)) {
    field.fractions.count += 1;
    if (field.fractions.places.length < shownPlaces)
      field.fractions.places.push(placed(line, file, String(value)));
  } else if (value >= 18_000_101 && value < 21_000_101 && isBasicDate(value)) field.basicDates += 1;
};

const placed = (line: number, file: string | undefined, text: string): ValuePlace =>
  file === undefined ? { line, text } : { file, line, text };

const isBasicDate = (value: number): boolean => parseDatePattern(String(value), 'yyyyMMdd', 'down') !== null;

const shapeIn = (
  field: FieldEvidence,
  value: string | number | boolean | JsonObject,
  type: ScalarType | 'object',
): ValueShape => {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value !== 'string') return 'object';
  if (field.shapes.size === 1 && (field.shapes.get('text')?.count ?? 0) >= plainTexts) {
    if (mayBeEmptyWord(value) && emptyWords.has(value.trim().toLowerCase())) field.emptyWords.add(value);
    return 'text';
  }
  const look = type === 'date' ? 'date' : shapeOf(value);
  if (look === 'empty word') field.emptyWords.add(value);
  else if (look === 'number text' && value.includes('.')) field.pointDecimals += 1;
  else if (look === 'written date') {
    const formats = writtenDateFormats(value);
    field.dateFormats = field.dateFormats?.filter((format) => formats.includes(format)) ?? formats;
  }
  return look;
};

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line;
};

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
const emptyWords: ReadonlySet<string> = new Set(
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
/** A word's length and first character in one number. */
const beginningOf = (word: string): number => word.charCodeAt(0) * 64 + word.length;
const emptyBeginnings = new Set(
  [...emptyWords].flatMap((word) => [word, word.toUpperCase()]).map(beginningOf),
);

/** Cheaper than to look the word up. */
const mayBeEmptyWord = (text: string): boolean =>
  text.length <= longestEmptyWord && (emptyBeginnings.has(beginningOf(text)) || text.trim() !== text);

/** What a text looks like. */
const shapeOf = (text: string): ValueShape => {
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

/** Dates whose order of parts is clear. */
const clearDates: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'yyyy-MM-dd HH:mm:ss'],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/, 'yyyy-MM-dd HH:mm:ss.SSS'],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d$/, 'yyyy-MM-dd HH:mm'],
  [/^\d{4}\/\d{1,2}\/\d{1,2}$/, 'yyyy/M/d'],
  [/^\d{4}\.\d{1,2}\.\d{1,2}$/, 'yyyy.M.d'],
  [/^\d{1,2}-[a-z]{3,9}-\d{2}$/i, 'd-MMM-yy'],
  [/^\d{1,2}-[a-z]{3,9}-\d{4}$/i, 'd-MMM-yyyy'],
  [/^\d{1,2} [a-z]{3,9} \d{4}$/i, 'd MMM yyyy'],
  // SAS
  [/^\d{2}[a-z]{3}\d{4}$/i, 'ddMMMyyyy'],
  [/^\d{2}[a-z]{3}\d{4}:\d\d:\d\d:\d\d$/i, 'ddMMMyyyy:HH:mm:ss'],
  [/^[a-z]{3,9} \d{4}$/i, 'MMM yyyy'],
  [/^[a-z]{3,9} \d{1,2}, \d{4}$/i, 'MMM d, yyyy'],
];

/** The date formats that a text matches: day first before month first, two digits before one or two. */
const writtenDateFormats = (text: string): readonly string[] => {
  const clear = clearDates.find(([look, format]) => look.test(text) && parseDatePattern(text, format, 'down') !== null); // prettier-ignore
  if (clear !== undefined) return [clear[1]];
  const [, first, sign, second, year = '', clock = ''] = writtenDate.exec(text) ?? [];
  if (first === undefined || sign === undefined || second === undefined) return [];
  const wide = first.length === 2 && second.length === 2;
  const rest = `${'y'.repeat(year.length)}${clock === '' ? '' : clock.length > 6 ? ' HH:mm:ss' : ' HH:mm'}`;
  const formats = (day: string, month: string, order: readonly [string, string]): readonly string[] =>
    isDay(day) && isMonth(month)
      ? [...(wide ? [`${order[0].repeat(2)}${sign}${order[1].repeat(2)}${sign}${rest}`] : []), `${order.join(sign)}${sign}${rest}`] // prettier-ignore
      : [];
  return [...formats(first, second, ['d', 'M']), ...(sign === '/' ? formats(second, first, ['M', 'd']) : [])];
};

const isDay = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 31;
const isMonth = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 12;
