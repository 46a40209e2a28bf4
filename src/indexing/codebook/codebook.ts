/** What a codebook says of one field. */
export interface CodedField {
  readonly label?: string;
  readonly description?: string;
  readonly unit?: string;
  /** A type of mappings that holds all values. */
  readonly type?: string;
  /** What each value means, in the order of the codebook; empty for a field that is not coded. */
  readonly values: ReadonlyMap<string, string>;
  /** Values that mean that there is none. */
  readonly missing: readonly string[];
  /** Whether its values tell who a record is about. */
  readonly isIdentifier: boolean;
}

/** What an institution states of the columns of its data, by their names in the header. */
export type Codebook = ReadonlyMap<string, CodedField>;

/** A row of a codebook, by the names in its header. */
export type CodebookRow = Readonly<Record<string, string>>;
