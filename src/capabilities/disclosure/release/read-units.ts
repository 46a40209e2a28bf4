import type { CursorValue, Engine, Hit } from '../../../engines/engine.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { parseDate } from '../../../introspection/dates/dates.ts';
import type { Field, IndexField } from '../../../introspection/fields/field.ts';
import { expandedKeys } from '../../../introspection/mapping/expanded-keys.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts';
import { all } from '../../../sqon/filter.ts';
import { yieldToEventLoop } from '../../../lib/concurrency/yield-to-event-loop.ts';
import { storedValue, type CellValue } from '../cells/cell.ts';

/** The units of an index with their values, each distinct value represented by a number. */
export interface Units {
  /** The units' identifiers, in the order in which they were found. */
  readonly ids: readonly string[];
  /** One for each field: the numbers of the values that each unit has, distinct. */
  readonly columns: readonly UnitColumn[];
  /** Records without a value for the unit, which are not counted. */
  readonly withoutUnit: number;
}

export interface UnitColumn {
  readonly values: readonly CellValue[];
  /** The first value of each unit, -1 for none. */
  readonly first: readonly number[];
  /** All values of the units that have several. */
  readonly several: ReadonlyMap<number, ReadonlySet<number>>;
}

const pageSize = 10_000;
const maxAttempts = 5;

/**
 * Reads every record of an index once, in a consistent state: pages that saw different data are read again from the
 * beginning, and a server that cannot count changes gets one search for all, over one point in time.
 * @param unit the field that identifies a unit; null: each record is a unit
 * @throws TributaryError ENGINE_ERROR when the records keep changing, and errors of the engine
 */
export const readUnits = async (
  engine: Engine,
  index: string,
  fields: readonly Field[],
  unit: Field | null,
): Promise<Units> => {
  const paths = [...fields, ...(unit === null ? [] : [unit])].flatMap(
    ({ indexField }) => sourcePath(indexField) ?? [],
  );
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const collected = collectUnits(fields, unit);
    if (await readAll(engine, index, paths, collected.add)) return collected.units();
  }
  throw new TributaryError(
    'CONFLICT',
    'the records changed while they were read, several times: release when nothing is being indexed',
  );
};

/** @returns false when the data changed in between */
const readAll = async (
  engine: Engine,
  index: string,
  paths: readonly string[],
  add: (hit: Hit) => void,
): Promise<boolean> => {
  const page = (size: number, searchAfter: readonly CursorValue[] | null) =>
    engine.search(index, {
      hits: { filter: all, size, offset: 0, sort: [], searchAfter, source: paths, trackTotal: false },
      facets: [],
    });
  let { hits, warnings, generation } = await page(pageSize, null);
  const first = generation;
  if (first === undefined && hits!.hits.length === pageSize) {
    const { documents } = await engine.describe(index);
    ({ hits, warnings } = await page(documents + pageSize, null));
    assertComplete(index, warnings);
    hits!.hits.forEach(add);
    return true;
  }
  for (;;) {
    assertComplete(index, warnings);
    if (generation !== first) return false;
    const { hits: own } = hits!;
    // requested while the current hits are processed
    const next = own.length < pageSize ? null : page(pageSize, own.at(-1)!.cursor);
    // errors of the current page come first
    next?.catch(() => undefined);
    await yieldToEventLoop();
    own.forEach(add);
    if (next === null) return true;
    ({ hits, warnings, generation } = await next);
  }
};

const assertComplete = (index: string, warnings: readonly string[]): void => {
  if (warnings.length > 0)
    throw new TributaryError('ENGINE_ERROR', `${index} cannot be read completely: ${warnings.join('; ')}`);
};

const collectUnits = (fields: readonly Field[], unit: Field | null) => {
  const numbers = new Map<string, number>();
  const columns = fields.map(() => ({
    numberOf: new Map<CellValue, number>(),
    first: [] as number[],
    several: new Map<number, Set<number>>(),
  }));
  const readers = fields.map(valuesReader);
  const unitsOf = unit === null ? null : valuesReader(unit);
  let withoutUnit = 0;
  const add = ({ id, source }: Hit): void => {
    const document = expandedKeys(source);
    const owners = unitsOf === null ? [id] : unitsOf(document).map(String);
    if (owners.length === 0) withoutUnit += 1;
    const values = readers.map((valuesOf) => valuesOf(document));
    for (const owner of owners.length === 1 ? owners : new Set(owners)) {
      const number = numbers.get(owner) ?? numbers.size;
      numbers.set(owner, number);
      columns.forEach((column, index) => addValues(column, number, values[index]!));
    }
  };
  const units = (): Units => ({
    ids: [...numbers.keys()],
    columns: columns.map(({ numberOf, first, several }) => ({
      values: [...numberOf.keys()],
      first,
      several,
    })),
    withoutUnit,
  });
  return { add, units };
};

interface OpenColumn {
  readonly numberOf: Map<CellValue, number>;
  readonly first: number[];
  readonly several: Map<number, Set<number>>;
}

const addValues = (
  { numberOf, first, several }: OpenColumn,
  unit: number,
  values: readonly CellValue[],
): void => {
  first[unit] ??= -1;
  for (const value of values) {
    const number = numberOf.get(value) ?? numberOf.size;
    numberOf.set(value, number);
    const before = first[unit];
    if (before < 0) first[unit] = number;
    else if (before !== number) {
      const all = several.get(unit) ?? new Set([before]);
      several.set(unit, all.add(number));
    }
  }
};

/** The path of a field's values in documents; null for a constant of the documents themselves. */
const sourcePath = ({ path, storedAt, constant, nestedIn }: IndexField): string | null =>
  constant === undefined ? (storedAt ?? path) : (nestedIn.at(-1) ?? null);

/** Reads a field's values in a document, through lists and nested objects. */
const valuesReader = (field: Field): ((document: JsonObject) => readonly CellValue[]) => {
  const { constant } = field.indexField;
  const path = sourcePath(field.indexField)?.split('.') ?? [];
  const visit = (value: JsonValue | undefined, depth: number, found: CellValue[]): void => {
    if (Array.isArray(value)) for (const one of value as readonly JsonValue[]) visit(one, depth, found);
    else if (depth < path.length) {
      const name = path[depth]!;
      if (isJsonObject(value) && Object.hasOwn(value, name)) visit(value[name], depth + 1, found);
    } else {
      const read = constant === undefined ? readValue(value, field) : isJsonObject(value) ? constant : null;
      if (read !== null) found.push(read);
    }
  };
  return (document) => {
    const found: CellValue[] = [];
    visit(document, 0, found);
    return found;
  };
};

/** null for input that is not a value of the field. */
const readValue = (value: JsonValue | undefined, field: Field): CellValue | null => {
  const { kind, format } = field;
  if (value === null || value === undefined || typeof value === 'object') return null;
  switch (kind) {
    case 'boolean':
      return value === '' ? false : String(value) === 'true';
    case 'date':
      return typeof value === 'boolean' ? null : parseDate(value, format, 'down');
    case 'number':
    case 'keyword':
    case 'text':
    case 'object':
    case 'nested':
    case 'range':
    case 'flattened':
    case 'json':
      return storedValue(value, field);
  }
};
