import { TributaryError } from '../../../errors/errors.ts';
import { fieldNameOffers, nameCollision } from '../../../introspection/fields/names.ts';
import type { Cell } from './cell-reader.ts';

/** The names of a table's columns; null for an unnamed column, which must be empty. */
export type Header = readonly (string | null)[];

/**
 * A header line as field names. Trailing unnamed columns are kept as such: spreadsheets export empty ones.
 * @throws TributaryError INPUT_INVALID two columns that map to one field, or a column that is both a field and an
 *   object, naming both and suggesting other names
 */
export const readHeader = (cells: readonly Cell[]): Header => {
  const header = cells.map((cell) => (String(cell).trim() === '' ? null : String(cell).trim()));
  const names = header.filter((name) => name !== null);
  rejectDuplicate(header);
  const dotted = names.find((name) => name.split('.').some((part) => part.trim() === ''));
  if (dotted !== undefined)
    throw invalid(`the column "${dotted}" has an empty part beside a dot, which separates objects: rename it, for example to ${dotted.split('.').filter((part) => part.trim() !== '').join('.')}`); // prettier-ignore
  const inside = names.find((name) => names.some((other) => other.startsWith(`${name}.`)));
  if (inside !== undefined)
    throw invalid(`the column "${inside}" cannot hold values and be the object of "${names.find((other) => other.startsWith(`${inside}.`)) ?? ''}": rename it, for example to ${inside}.value`); // prettier-ignore
  const collision = nameCollision(names);
  if (collision !== null) throw columnsCollide(collision);
  return header;
};

const rejectDuplicate = (header: Header): void => {
  const second = header.findIndex((name, at) => name !== null && header.indexOf(name) !== at);
  const name = header[second];
  if (name === undefined || name === null) return;
  const first = header.indexOf(name);
  throw invalid(
    `the header has the column name ${name} twice, in columns ${String(first + 1)} and ${String(second + 1)}: rename one, for example to ${name}_2`,
  );
};

const columnsCollide = ({
  first,
  second,
  name,
}: {
  first: string;
  second: string;
  name: string;
}): TributaryError => {
  const [one, other] = fieldNameOffers(first, second);
  return invalid(
    `the columns "${first}" and "${second}" would both be ${name} in GraphQL: rename them in the header, for example to ${one} and ${other}`,
    { columns: [first, second], offered: [one, other] },
  );
};

const invalid = (message: string, details?: Readonly<Record<string, unknown>>): TributaryError =>
  new TributaryError('INPUT_INVALID', message, details === undefined ? {} : { details });
