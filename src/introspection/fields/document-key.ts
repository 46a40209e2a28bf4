import type { Field, Fields } from './field.ts';

/** The document's key as a field: not in any mapping, a keyword for filters and sorts, never missing. */
export const documentKey: Field = {
  path: '_id',
  type: '_id',
  kind: 'keyword',
  nestedIn: [],
  isArray: false,
  indexField: { path: '_id', type: '_id', nestedIn: [] },
};

/** The field with that dotted path, including `_id`; undefined when the catalogue has none. */
export const fieldNamed = (fields: Fields, path: string): Field | undefined =>
  path === documentKey.path ? documentKey : fields.get(path);
