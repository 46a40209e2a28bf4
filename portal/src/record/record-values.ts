import type { Catalogue } from '../api/catalogue.ts';
import type { Field } from '../api/fields.ts';
import { choiceOf } from '../state/edit.ts';
import type { Filter } from '../api/filter.ts';
import { valueAt } from '../api/read-answer.ts';
import type { WholeRecord } from '../api/record.ts';
import { pictureAt } from '../images/images.ts';

/** Fields of one object, under its name; null for fields of the record itself. */
export interface Group {
  readonly path: string;
  readonly fields: readonly Field[];
}

/** The layout of a record: its own fields by their objects, and its lists of objects. */
export interface Layout {
  /** The fields of the record itself. */
  readonly own: readonly Field[];
  readonly groups: readonly Group[];
  readonly lists: readonly Field[];
  readonly empty: readonly Field[];
  readonly unrecorded: readonly Field[];
}

/** Longer texts are for reading, not for searching. */
const maxLookedFor = 120;

/** Arranges the fields of a record. @param nodeId the record's node; null: the only catalogue */
export const layoutOf = (
  catalogue: Pick<Catalogue, 'fields' | 'source'>,
  record: WholeRecord,
  nodeId: string | null,
): Layout => {
  const all = [...catalogue.fields.values()];
  const nested = record.isNested ? all.filter(({ kind }) => kind === 'nested') : [];
  const isInside = ({ path }: Field): boolean => nested.some((outer) => path.startsWith(`${outer.path}.`));
  const isRecorded = ({ nodes }: Field): boolean =>
    nodeId === null || nodes === null || nodes.includes(nodeId);
  const outer = all.filter((field) => field.kind !== 'nested' && !isInside(field));
  const hasValues = ({ path }: Field): boolean => valuesOf(record, path).length > 0;
  const isPictured = (field: Field): boolean =>
    hasValues(field) && unpicturedOf(catalogue, record, field.path).length === 0;
  const known = outer.filter(isRecorded).filter((field) => !isPictured(field) && !isTakenApart(field, all));
  const filled = known.filter(hasValues);
  const groups = groupsOf(filled);
  const grouped = new Set(groups.flatMap((group) => group.fields));
  return {
    own: filled.filter((field) => !grouped.has(field)),
    groups,
    lists: nested.filter((field) => !isInside(field) && isRecorded(field)),
    // the id is shown above, whatever the document contains
    empty: known.filter((field) => !filled.includes(field) && field.path !== 'id'),
    unrecorded: outer.filter((field) => !isRecorded(field)),
  };
};

/** An object whose own fields are listed would be shown a second time, as JSON. */
const isTakenApart = ({ path, kind }: Field, all: readonly Field[]): boolean =>
  kind === 'other' && all.some((other) => other.path.startsWith(`${path}.`));

/** Two or more fields of one object are grouped; a single field is listed among those of the record. */
const groupsOf = (fields: readonly Field[]): readonly Group[] => {
  const byObject = new Map<string, Field[]>();
  for (const field of fields) {
    const object = field.path.split('.')[0]!;
    if (object !== field.path) byObject.set(object, [...(byObject.get(object) ?? []), field]);
  }
  return [...byObject].flatMap(([path, inside]) => (inside.length > 1 ? [{ path, fields: inside }] : []));
};

/** The values of a field of a record or of an object in it; an empty text counts as one, as in facets and tables. */
export const valuesOf = ({ document, isNested }: WholeRecord, path: string): readonly unknown[] =>
  filledOf(isNested ? valueAt(document, path.split('.')) : document[path]);

/** The values of a field that are not shown as pictures. */
export const unpicturedOf = (
  catalogue: Pick<Catalogue, 'fields' | 'source'>,
  record: WholeRecord,
  path: string,
): readonly unknown[] =>
  valuesOf(record, path).filter((value) => pictureAt(catalogue, catalogue.fields.get(path), value) === null);

/** A value as a list, or the values of a list. */
export const filledOf = (value: unknown): readonly unknown[] =>
  [value].flat(Infinity).filter((each) => each !== null && each !== undefined);

/** The filter for the records that also have a value; null if the value cannot be searched. */
export const likeFilter = ({ kind, path }: Field, value: unknown): Filter | null => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  if (kind !== 'values' && kind !== 'numbers' && kind !== 'dates') return null;
  if (path === 'id' || String(value).length > maxLookedFor || isAddress(value)) return null;
  return choiceOf(path, [value]);
};

/** Whether a value is a link. */
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);

/** All searchable values of a record, each once: as many as a page can query. */
export const likeFilters = (catalogue: Pick<Catalogue, 'fields'>, record: WholeRecord): readonly Filter[] => {
  const filters = [...catalogue.fields.values()].flatMap((field) =>
    [...new Set(valuesOf(record, field.path))].flatMap((value) => likeFilter(field, value) ?? []),
  );
  return filters.slice(0, maxLike);
};

const maxLike = 72;
