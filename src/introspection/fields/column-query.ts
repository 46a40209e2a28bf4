import type { Field, Fields } from './field.ts';
import { graphqlSegment } from './names.ts';

/** How to query a table column: a selection inside `node {}`, and the location of its values in the answer. */
export interface ColumnQuery {
  readonly query: string;
  readonly jsonPath: string;
}

/**
 * The selection of a field, valid for the catalogue's schema, with nested paths entered through their connections and
 * objects selected with all their contents; and the JSONPath of its values below `node`.
 */
export const columnQuery = (path: string, fields: Fields): ColumnQuery => {
  const segments = path.split('.');
  const field = fields.get(path);
  let query = graphqlSegment(segments.at(-1)!);
  let jsonPath = query;
  const inner = field === undefined ? '' : contentSelection(field, fields);
  if (inner !== '') query = `${query} ${inner}`;
  for (let depth = segments.length - 1; depth > 0; depth -= 1) {
    const name = graphqlSegment(segments[depth - 1]!);
    const isNested = entersObjects(segments, depth, fields);
    query = isNested ? `${name} { hits { edges { node { ${query} } } } }` : `${name} { ${query} }`;
    jsonPath = isNested ? `${name}.hits.edges[*].node.${jsonPath}` : `${name}.${jsonPath}`;
  }
  return { query, jsonPath: `$.${jsonPath}` };
};

/** Whether the path continues inside nested objects at this depth; `a.hits.total` stays on the connection itself. */
const entersObjects = (segments: readonly string[], depth: number, fields: Fields): boolean => {
  const path = segments.slice(0, depth).join('.');
  if (fields.get(path)?.kind !== 'nested') return false;
  return segments[depth] !== 'hits' || fields.has(`${path}.hits`);
};

/** The sub-selection of a field: "" for values, all parts in braces for objects. */
const contentSelection = (field: Field, fields: Fields): string => {
  if (field.kind !== 'object' && field.kind !== 'nested') return '';
  const depth = field.path.split('.').length + 1;
  const parts = [...fields.values()].filter(
    ({ path }) => path.startsWith(`${field.path}.`) && path.split('.').length === depth,
  );
  const selected = parts.map((part) => {
    const inner = contentSelection(part, fields);
    const name = graphqlSegment(part.path.split('.').at(-1)!);
    return inner === '' ? name : `${name} ${inner}`;
  });
  const content = selected.join(' ');
  return field.kind === 'nested' ? `{ hits { edges { node { ${content} } } } }` : `{ ${content} }`;
};
