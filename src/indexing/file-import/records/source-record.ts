import type { JsonObject } from '../../../lib/json/json.ts';

/** One record of an import file. `line` counts from 1; in a JSON array it is the element's number. */
export type SourceRecord = DocumentRecord | BadRecord;

export interface DocumentRecord {
  readonly kind: 'document';
  readonly line: number;
  /** The file name, if several are loaded. */
  readonly file?: string;
  /** The key in a bulk action, else null. */
  readonly id: string | null;
  /** Numbers that a double would round are strings of their digits: fractions until they are written. */
  readonly document: JsonObject;
  /** The document with such numbers rounded, for type inference; null if there are none. */
  readonly rounded: JsonObject | null;
  /** Approximate memory use: the bytes it was read from. */
  readonly bytes: number;
}

/** A record that could not be read as a document, and why. */
export interface BadRecord {
  readonly kind: 'bad';
  readonly line: number;
  readonly reason: string;
  /** The file name, if several are loaded. */
  readonly file?: string;
  /** The beginning of the original text. */
  readonly text: string;
}

/** Why a text is refused. */
export const zeroByte = 'it has a zero byte (NUL), which no text has';

const shownCharacters = 2_000;

/** A bad record with its text truncated for a report. */
export const badRecord = (line: number, reason: string, text: string): BadRecord => ({
  kind: 'bad',
  line,
  reason,
  text: text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text,
});

/** A column of a table. */
export interface TableColumn {
  /** The dotted path of its field in the documents. */
  readonly field: string;
  /** Its name in the header, or in comments above the header. */
  readonly label: string;
  /** Its description in comments above the header. */
  readonly description?: string;
  /** From 0; -1 for a field of documents, whose members have no order. */
  readonly position: number;
  /** Whether the header names it; otherwise it may be empty. */
  readonly isNamed: boolean;
}

/** How to read the values of a file, from the command line. */
export interface ReadingOptions {
  /** Texts that mean "no value", such as `N/A`. */
  readonly nullWords: ReadonlySet<string>;
  /** Additional null words, the decimal sign and the date format of single columns or dotted paths. */
  readonly ofField?: ReadonlyMap<string, FieldReading> | undefined;
  /** The mapped type of a column or a field's dotted path, overriding the inferred one. */
  readonly types: ReadonlyMap<string, string>;
  /** Columns that options may name although a table lacks them: those of a codebook. */
  readonly mayLack?: ReadonlySet<string> | undefined;
  /** The format of dates, as in a mapping; they are stored as ISO 8601. */
  readonly dateFormat?: string | undefined;
  /** The decimal sign of numbers; the other sign, spaces and apostrophes may then group digits. */
  readonly decimal?: '.' | ',' | undefined;
  /** How cells of columns, or texts at dotted paths, contain several values: a separator, or `json`. */
  readonly split?: ReadonlyMap<string, string> | undefined;
  /** The cell separator of a CSV file; undefined: detected from its header. */
  readonly delimiter?: string | undefined;
  /** Whether quotes enclose cells of a CSV file; undefined: yes, but detected if tabs separate cells. */
  readonly quotes?: boolean | undefined;
  /** The dotted path of the records in a JSON file; undefined: detected. */
  readonly records?: string | undefined;
  /** The prefix of lines that are not read; undefined: `#` above the header. */
  readonly comment?: string | undefined;
  /** The number of lines at the start that are not read. */
  readonly skipLines?: number | undefined;
  /** The first and last line of a table's header, or `none`; undefined: detected. */
  readonly header?: readonly [number, number] | 'none' | undefined;
  /** Whether the header lacks the name of the first column. */
  readonly rowNames?: boolean | undefined;
  /** The sheet of a workbook; undefined: its only one. */
  readonly sheet?: string | undefined;
  /** Whether dots in a header are text or make objects; undefined: objects if several names share a first part. */
  readonly dots?: 'text' | 'objects' | undefined;
  /** The fields of names with dots in the headers of earlier files. */
  readonly dotted?: ReadonlyMap<string, string> | undefined;
  /** Called once with the columns of a table, before its first row. */
  readonly onColumns?: (columns: readonly TableColumn[]) => void;
  /** Called with each decision or change of a reader, as a sentence for the summary. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Called for each date that matches the date format. */
  readonly onDate?: () => void;
  /** Called once with the types that the file itself declares for its fields, by name. */
  readonly onTypes?: (types: ReadonlyMap<string, string>) => void;
}

/** Options for a single column or field. */
export interface FieldReading {
  readonly nullWords: ReadonlySet<string>;
  readonly decimal?: '.' | ',' | undefined;
  readonly dateFormat?: string | undefined;
}

/** The options that apply to a column or dotted path. */
export const readingOf = (reading: ReadingOptions, path: string): ReadingOptions => {
  const own = reading.ofField?.get(path);
  if (own === undefined) return reading;
  const nullWords = new Set([...reading.nullWords, ...own.nullWords]);
  return {
    ...reading,
    nullWords,
    decimal: own.decimal ?? reading.decimal,
    dateFormat: own.dateFormat ?? reading.dateFormat,
  };
};

/** Options that leave values unchanged. */
export const plainReading: ReadingOptions = { nullWords: new Set(), types: new Map() };

/** Whether documents need no conversion. */
export const isPlain = ({ nullWords, ofField, types, dateFormat, decimal, split }: ReadingOptions): boolean =>
  nullWords.size === 0 &&
  (ofField?.size ?? 0) === 0 &&
  (split?.size ?? 0) === 0 &&
  types.size === 0 &&
  dateFormat === undefined &&
  decimal === undefined;
