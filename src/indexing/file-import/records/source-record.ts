import type { JsonObject } from '../../../json/json.ts';

/** One thing read from an import file. `line` counts from 1; in a JSON array it is the element's number. */
export type SourceRecord = DocumentRecord | DeleteRecord | BadRecord;

export interface DocumentRecord {
  readonly kind: 'document';
  readonly line: number;
  /** The key given by a bulk action, else null. */
  readonly id: string | null;
  /** Integers that a double cannot represent exactly are strings of their digits. */
  readonly document: JsonObject;
  /** The same document with such numbers rounded, for type inference; null if there are none. */
  readonly rounded: JsonObject | null;
  /** Approximate memory use: the bytes it was read from. */
  readonly bytes: number;
}

export interface DeleteRecord {
  readonly kind: 'delete';
  readonly line: number;
  readonly id: string;
}

/** What could not be read as a document, and why. */
export interface BadRecord {
  readonly kind: 'bad';
  readonly line: number;
  readonly reason: string;
  /** The beginning of the original text. */
  readonly text: string;
}

const shownCharacters = 2_000;

/** A bad record with its text truncated for a report. */
export const badRecord = (line: number, reason: string, text: string): BadRecord => ({
  kind: 'bad',
  line,
  reason,
  text: text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text,
});
