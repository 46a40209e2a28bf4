import { TributaryError } from '../../errors/errors.ts';
import { tableRows, type Row } from '../../hierarchies/read-table.ts';

/** What a file says of a node's values. */
export interface ValueFile {
  /** The node's value -> the network's, which is the same or broader: all of the node's records are of it. */
  readonly values: ReadonlyMap<string, string>;
  /** The node's value -> the narrower ones of the network that its records may be of: they are not translated. */
  readonly wider: ReadonlyMap<string, readonly string[]>;
}

/**
 * A file of mappings: SSSOM, whose subjects are the node's values, or two columns, the node's value and the network's.
 * @param bytes UTF-8, which are changed
 * @throws TributaryError CONFIG_INVALID with file and line: no columns to read, a value that is translated twice
 */
export const readValueFile = (bytes: Buffer, file: string): ValueFile => {
  const exact = new Translations(file);
  const broader = new Translations(file);
  const wider = new Map<string, string[]>();
  let columns: Columns | null = null;
  for (const row of tableRows(bytes, file)) {
    if (columns === null) {
      const found = columnsOf(row, file);
      columns = found;
      if (!found.isData) continue;
    }
    const [own, shown] = [row.text(columns.subject), row.text(columns.object)];
    const isNegated = row.text(columns.modifier) !== '';
    if (own === '' || shown === '' || isNegated) continue;
    const predicate = columns.predicate < 0 ? 'exactMatch' : row.text(columns.predicate).replace(/^.*[:#/]/, '');
    if (predicate === 'exactMatch') exact.add(own, shown, row.line);
    if (predicate === 'broadMatch') broader.add(own, shown, row.line);
    if (predicate === 'narrowMatch') wider.set(own, [...(wider.get(own) ?? []), shown]);
  }
  if (columns === null) throw new TributaryError('CONFIG_INVALID', `${file} has no mappings`);
  const values = new Map([...broader.values, ...exact.values]);
  return { values, wider: new Map([...wider].filter(([own]) => !values.has(own))) };
}; // prettier-ignore

class Translations {
  readonly values = new Map<string, string>();
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  add(own: string, shown: string, line: number): void {
    const before = this.values.get(own);
    if (before !== undefined && before !== shown)
      throw new TributaryError(
        'CONFIG_INVALID',
        `${this.#file} line ${line}: ${JSON.stringify(own)} is translated to ${JSON.stringify(shown)} and to ${JSON.stringify(before)}: keep one`,
      );
    this.values.set(own, shown);
  }
}

/** Positions of columns; -1 for a missing one. */
interface Columns {
  readonly subject: number;
  readonly object: number;
  readonly predicate: number;
  readonly modifier: number;
  /** Whether the first row is one of data. */
  readonly isData: boolean;
}

const columnsOf = (row: Row, file: string): Columns => {
  const names = row.texts().map((cell) => cell.toLowerCase());
  const [subject, object, predicate, modifier] = ['subject_id', 'object_id', 'predicate_id', 'predicate_modifier'].map((name) => names.indexOf(name)); // prettier-ignore
  if (subject! >= 0 && object! >= 0)
    return { subject: subject!, object: object!, predicate: predicate!, modifier: modifier!, isData: false };
  if (names.length === 2) {
    const isData = !(names[0] === 'node' && names[1] === 'network');
    return { subject: 0, object: 1, predicate: -1, modifier: -1, isData };
  }
  throw new TributaryError(
    'CONFIG_INVALID',
    `${file} line ${row.line}: the columns subject_id, predicate_id and object_id of SSSOM expected, or two columns: the node's value and the network's`,
  );
};
