/** How to read the values of a file, from the command line. */
export interface ReadingOptions {
  /** Texts that stand for no value, such as `N/A`. */
  readonly nullWords: ReadonlySet<string>;
  /** The mapped type of a column or a field's dotted path, overriding the inferred one. */
  readonly types: ReadonlyMap<string, string>;
  /** The format of dates, as in a mapping; they are stored as ISO 8601. */
  readonly dateFormat?: string | undefined;
  /** The decimal sign of numbers; the other sign, spaces and apostrophes may then group digits. */
  readonly decimal?: '.' | ',' | undefined;
  /** The cell separator of a CSV file; undefined: detected from its header. */
  readonly delimiter?: string | undefined;
  /** The sheet of a workbook; undefined: its only one. */
  readonly sheet?: string | undefined;
  /** Called once with the columns of a table, before its first row. */
  readonly onColumns?: (names: readonly string[]) => void;
}

/** Values unchanged. */
export const plainReading: ReadingOptions = { nullWords: new Set(), types: new Map() };

/** Whether documents need no conversion. */
export const isPlain = ({ nullWords, types, dateFormat, decimal }: ReadingOptions): boolean =>
  nullWords.size === 0 && types.size === 0 && dateFormat === undefined && decimal === undefined;
