import { setOwn, type JsonObject, type JsonScalar } from '../../../lib/json/json.ts';
import { digitLoss } from '../records/lossless-json.ts';
import { plainReading } from '../records/source-record.ts';
import { isPlainNumber, type Cell, type Column } from './columns.ts';
import { cellParts, type Splitting } from './split-cells.ts';

/** A row as a document. */
interface RowDocument {
  readonly document: JsonObject;
  /** The document with digits kept in number columns as rounded numbers, for type inference; null if it has none. */
  readonly rounded: JsonObject | null;
}

/** Makes documents of rows. Empty cells and null words are absent fields. */
export const documentReader = (
  columns: readonly Column[],
  nullWords: ReadonlySet<string> = plainReading.nullWords,
): ((row: readonly Cell[]) => RowDocument) => {
  const values: unknown[] = [];
  const objectOf = objectReader(membersOf(columns.map(({ path }, position) => ({ path, position }))));
  const numbers = columns.flatMap(({ type }, at) => (type === 'number' || type === 'any' ? [at] : []));
  return (row) => {
    for (let at = 0; at < columns.length; at += 1)
      values[at] = valueIn(columns[at]!, row[at] ?? '', nullWords);
    const document = objectOf(values) ?? {};
    let rounded: JsonObject | null = null;
    for (const at of numbers) {
      const value = roundedIn(values[at]);
      if (value === values[at]) continue;
      values[at] = value;
      rounded = document;
    }
    return { document, rounded: rounded && (objectOf(values) ?? {}) };
  };
};

/** A value with its kept digits as rounded numbers; the value itself if it has none. */
const roundedIn = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const numbers = value.map(roundedIn);
    return numbers.some((number, at) => number !== value[at]) ? numbers : value;
  }
  if (typeof value !== 'string' || value.length < 16 || !isPlainNumber(value)) return value;
  return digitLoss(value) === 'of a text' ? value : Number(value);
};

const valueIn = (
  { read, nullWords: own, split }: Column,
  cell: Cell,
  nullWords: ReadonlySet<string>,
): unknown => {
  if (cell === '' || (nullWords.size > 0 && nullWords.has(String(cell).trim()))) return undefined;
  if (own?.has(String(cell).trim()) === true) return undefined;
  if (split === undefined) return read(cell) ?? String(cell);
  const isNull = (part: string): boolean => nullWords.has(part) || own?.has(part) === true;
  return listOf(String(cell), split, (part) => (isNull(part) ? undefined : (read(part) ?? part)));
};

/** The values of a cell as a list; undefined if there are none. */
const listOf = (
  text: string,
  splitting: Splitting,
  read: (part: string) => JsonScalar | undefined,
): JsonScalar | readonly JsonScalar[] | undefined => {
  const parts = cellParts(text, splitting);
  if (parts === null) return read(text);
  const values = parts.map(read).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : values;
};

/** A member of a document: the value of a column, or an object of several; undefined if empty. */
interface Member {
  readonly name: string;
  readonly read: (values: readonly unknown[]) => unknown;
}

interface Place {
  readonly path: readonly string[];
  readonly position: number;
}

/** The members that these columns make, in the order of their first column. */
const membersOf = (places: readonly Place[]): readonly Member[] =>
  [...Map.groupBy(places, ({ path }) => path[0] ?? '')].map(([name, group]) => {
    const [{ path, position }] = group as [Place];
    if (path.length < 2) return { name, read: (values) => values[position] };
    return { name, read: objectReader(membersOf(group.map((one) => ({ ...one, path: one.path.slice(1) })))) };
  });

/** Makes an object of the members that have a value; undefined if none has. */
const objectReader = (
  members: readonly Member[],
): ((values: readonly unknown[]) => JsonObject | undefined) => {
  const held: unknown[] = [];
  const newObject = objectsByShape(members.map(({ name }) => name));
  return (values) => {
    let isEmpty = true;
    for (let at = 0; at < members.length; at += 1) {
      held[at] = members[at]!.read(values);
      isEmpty &&= held[at] === undefined;
    }
    if (isEmpty) return undefined;
    const object = newObject(held);
    for (let at = 0; at < members.length; at += 1)
      if (held[at] !== undefined) setOwn(object, members[at]!.name, held[at]);
    return object as JsonObject;
  };
};

/** The members that objects have in common, as a tree by their positions. */
interface Shape {
  readonly next: (Shape | undefined)[];
  template: JsonObject | null;
}

const maxShapes = 20_000;

/**
 * New objects with the members of these values, but without the values: copies of one template, since V8 turns an object
 * that is built member by member into a hash table, which is several times slower to read.
 */
const objectsByShape = (
  names: readonly string[],
): ((values: readonly unknown[]) => Record<string, unknown>) => {
  const root: Shape = { next: [], template: null };
  let shapes = 1;
  return (values) => {
    let shape = root;
    for (let at = 0; at < names.length; at += 1) {
      if (values[at] === undefined) continue;
      let next = shape.next[at];
      if (next === undefined) {
        if (shapes >= maxShapes) return {};
        shapes += 1;
        shape.next[at] = next = { next: [], template: null };
      }
      shape = next;
    }
    shape.template ??= templateOf(names.filter((_, at) => values[at] !== undefined));
    return { ...shape.template };
  };
};

const templateOf = (names: readonly string[]): JsonObject =>
  JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`) as JsonObject;
