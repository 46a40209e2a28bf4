import type { JsonObject, JsonValue } from '../../../json/json.ts';
import { isJsonObject } from '../../../json/json.ts';
import type { ValueShape } from './value-shape.ts';
import { shapeOf, writtenDateFormats } from './value-shape.ts';

/** A value and its position. */
export interface ValuePlace {
  readonly line: number;
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
  lastLine: number;
  readonly shapes: Map<ValueShape, ShapeEvidence>;
  /** The distinct null words, as spelled. */
  readonly emptyWords: Set<string>;
  /** The formats that fit all written dates so far; null before the first. */
  dateFormats: readonly string[] | null;
  /** Number texts with a decimal point. */
  pointDecimals: number;
  example: string | null;
}

/** What the documents of a file have, by dotted path, in order of first appearance. */
export interface Evidence {
  add(document: JsonObject, line: number): void;
  readonly fields: ReadonlyMap<string, FieldEvidence>;
  readonly documents: () => number;
}

const shownPlaces = 3;
const shownCharacters = 40;
/** After this many texts, a field with nothing else is not examined further. */
const plainTexts = 200;

/** New, without any documents. */
export const newEvidence = (): Evidence => {
  const fields = new Map<string, FieldEvidence>();
  let documents = 0;
  const lookAt = (value: JsonValue, path: string, line: number): void => {
    if (value === null) return;
    if (Array.isArray(value)) {
      for (const item of value as readonly JsonValue[]) lookAt(item, path, line);
      return;
    }
    note(fields, path, value, line);
    if (isJsonObject(value)) lookInside(value, `${path}.`, line);
  };
  const lookInside = (object: JsonObject, prefix: string, line: number): void => {
    for (const [name, value] of Object.entries(object))
      if (value !== undefined) lookAt(value, prefix + name, line);
  };
  return {
    add: (document, line) => {
      documents += 1;
      lookInside(document, '', line);
    },
    fields,
    documents: () => documents,
  };
};

const note = (fields: Map<string, FieldEvidence>, path: string, value: JsonValue, line: number): void => {
  let field = fields.get(path);
  if (field === undefined) {
    field = { documents: 0, lastLine: -1, shapes: new Map(), emptyWords: new Set(), dateFormats: null, pointDecimals: 0, example: null }; // prettier-ignore
    fields.set(path, field);
  }
  if (field.lastLine !== line) field.documents += 1;
  field.lastLine = line;
  const look = shapeIn(field, value);
  const seen = field.shapes.get(look);
  if (seen !== undefined && seen.places.length === shownPlaces) {
    seen.count += 1;
    return;
  }
  const text = isJsonObject(value) ? '{…}' : shortened(String(value));
  if (look !== 'empty word' && look !== 'object') field.example ??= text;
  if (seen === undefined) field.shapes.set(look, { count: 1, places: [{ line, text }] });
  else {
    seen.count += 1;
    seen.places.push({ line, text });
  }
};

const shapeIn = (field: FieldEvidence, value: JsonValue): ValueShape => {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value !== 'string') return 'object';
  if (field.shapes.size === 1 && (field.shapes.get('text')?.count ?? 0) >= plainTexts) return 'text';
  const look = shapeOf(value);
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
