import type { Field, Fields } from '../../introspection/fields/field.ts';
import type { CatalogueQuery } from '../../search/query.ts';
import type { Sqon } from '../../sqon/ast.ts';

/**
 * Every hit shows an `id`: the document's own, else its key. So every node can be filtered and sorted by it, whether or
 * not its mapping has such a field and says so.
 */
const documentIdField: Field = {
  path: 'id',
  type: 'keyword',
  kind: 'keyword',
  nestedIn: [],
  isArray: false,
  indexField: { path: 'id', type: 'keyword', nestedIn: [] },
};

/** A node's fields including its `id`: the same object for the same fields. */
export const withDocumentId = (fields: Fields): Fields => {
  if (fields.has(documentIdField.path)) return fields;
  const made = known.get(fields) ?? new Map([...fields, [documentIdField.path, documentIdField]]);
  known.set(fields, made);
  return made;
};

const known = new WeakMap<Fields, Fields>();

/** A query in which `id` refers to the document's key, for a node whose documents have no `id` of their own. */
export const idAsKey = (query: CatalogueQuery): CatalogueQuery => ({
  ...query,
  filters: query.filters && withKey(query.filters),
  hits: query.hits && {
    ...query.hits,
    sort: query.hits.sort.map((key) => ({ ...key, fieldName: keyOf(key.fieldName) })),
  },
});

const keyOf = (path: string): string => (path === documentIdField.path ? '_id' : path);

const withKey = (sqon: Sqon): Sqon => {
  switch (sqon.kind) {
    case 'group':
      return { ...sqon, content: sqon.content.map(withKey) };
    case 'leaf':
      return { ...sqon, fieldName: keyOf(sqon.fieldName) };
    case 'multi':
      return { ...sqon, fieldNames: sqon.fieldNames.map(keyOf) };
    case 'constant':
      return sqon;
  }
};
