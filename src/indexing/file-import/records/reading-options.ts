/** How the values of a file are to be read, as the command line says it. */
export interface ReadingOptions {
  /** Texts that stand for no value, as `N/A`. */
  readonly nullWords: ReadonlySet<string>;
  /** The mapped type of a column or of a field's dotted path, over what would be inferred. */
  readonly types: ReadonlyMap<string, string>;
  /** How dates are written, as a mapping's date format; they are stored as ISO 8601. */
  readonly dateFormat?: string | undefined;
  /** The decimal sign of numbers; the other sign, spaces and apostrophes may then group digits. */
  readonly decimal?: '.' | ',' | undefined;
  /** What separates the cells of a CSV file; undefined: told by its header. */
  readonly delimiter?: string | undefined;
  /** The sheet of a workbook; undefined: its only one. */
  readonly sheet?: string | undefined;
  /** Is told the columns of a table, once, before its first row. */
  readonly onColumns?: (names: readonly string[]) => void;
}

/** Values as they stand. */
export const plainReading: ReadingOptions = { nullWords: new Set(), types: new Map() };

/** Whether documents need no conversion. */
export const isPlain = ({ nullWords, types, dateFormat, decimal }: ReadingOptions): boolean =>
  nullWords.size === 0 && types.size === 0 && dateFormat === undefined && decimal === undefined;
