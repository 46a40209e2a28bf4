import { newInference, type ScalarType } from '../../../introspection/mapping/infer.ts';
import { propertiesOf } from '../../../introspection/mapping/mapping.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts';
import { parseDatePattern } from '../../../introspection/dates/date-pattern.ts';
import { newListEvidence, type ListEvidence } from '../tables/split-cells.ts';
import { digitLoss } from '../records/lossless-json.ts';
import { emptyWords, mayBeEmptyWord, shapeOf, writtenDateFormats, type ValueShape } from './value-shape.ts';

/** A value and its position. */
export interface ValuePlace {
  readonly line: number;
  /** The file name, if several files are loaded. */
  readonly file?: string | undefined;
  /** As text, truncated to fit a line. */
  readonly text: string;
}

/** Values of one shape. */
export interface ShapeEvidence {
  count: number;
  /** Their first places. */
  readonly places: ValuePlace[];
}

/** The values of documents at one dotted path. */
export interface FieldEvidence {
  /** Documents with a value here. */
  documents: number;
  /** The number of the last document with a value here. */
  last: number;
  /** Whether some value is a list. */
  isList: boolean;
  readonly shapes: Map<ValueShape, ShapeEvidence>;
  /** The distinct null words, as spelled. */
  readonly emptyWords: Set<string>;
  /** The formats that fit all dates as written so far; null before the first. */
  dateFormats: readonly string[] | null;
  /** Numbers that are not whole. */
  readonly fractions: ShapeEvidence;
  /** Numbers that are dates such as 20140518, from 1800 to 2099. */
  basicDates: number;
  /** Whole numbers that are milliseconds since 1970, from 1990 to 2037. */
  epochMillis: number;
  /** Number texts with a decimal point. */
  pointDecimals: number;
  /** Whether texts contain several values. */
  readonly lists: ListEvidence;
  example: string | null;
  /** The first whole number that a double would round. */
  longDigits: ValuePlace | null;
}

/** The values of a file's documents, by dotted path, in order of first appearance. */
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
/** After this many texts, a field with only texts is not examined further. */
const plainTexts = 200;

/** Evidence without any documents. */
export const newEvidence = (): Evidence => {
  const fields = new Map<string, FieldEvidence>();
  const place: Place = { line: 0, file: undefined, document: 0 };
  const inference = newInference((path) => {
    const field: FieldEvidence = {
      documents: 0,
      last: -1,
      isList: false,
      shapes: new Map(),
      emptyWords: new Set(),
      dateFormats: null,
      fractions: { count: 0, places: [] },
      basicDates: 0,
      epochMillis: 0,
      pointDecimals: 0,
      lists: newListEvidence(),
      example: null,
      longDigits: null,
    };
    fields.set(path, field);
    return (value, type, inList) => {
      field.isList ||= inList;
      note(field, value, type, place);
    };
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

/** The position of a value. */
interface Place {
  line: number;
  file: string | undefined;
  /** The number of its document. */
  document: number;
}

/** Runs for every value of every document, so it hardly allocates. */
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
  if (look === 'number text' && field.longDigits === null && digitLoss(String(value)) === 'of a text')
    field.longDigits = placed(line, file, shortened(String(value)));
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
  else if (value >= firstMillis && value < endMillis) field.epochMillis += 1;
};

/** A value with its position. */
export const placed = (line: number, file: string | undefined, text: string): ValuePlace =>
  file === undefined ? { line, text } : { file, line, text };

const firstMillis = Date.UTC(1990, 0);
const endMillis = Date.UTC(2038, 0);

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
