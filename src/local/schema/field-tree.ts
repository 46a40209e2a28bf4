import type { Field, Fields } from '../../introspection/fields/field.ts';
import { graphqlSegment } from '../../introspection/fields/names.ts';

/** A field with those stored below it: the shape of a document, where Fields is a flat list. */
export interface FieldBranch {
  readonly field: Field;
  /** The key in the stored object above. */
  readonly segment: string;
  /** The name in GraphQL. */
  readonly name: string;
  readonly children: readonly FieldBranch[];
}

/**
 * The fields as they are stored, in the mapping's order. Only objects and nested fields have children: a multi-field
 * (`title.raw`) can be filtered and counted but is in no document.
 */
export const fieldTree = (fields: Fields): readonly FieldBranch[] => {
  const roots: FieldBranch[] = [];
  const childrenOf = new Map<string, FieldBranch[]>();
  for (const field of fields.values()) {
    const parent = parentPath(field.path, fields);
    const siblings = parent === '' ? roots : childrenOf.get(parent);
    if (siblings === undefined) continue;
    const segment = parent === '' ? field.path : field.path.slice(parent.length + 1);
    const children: FieldBranch[] = [];
    if (field.kind === 'object' || field.kind === 'nested') childrenOf.set(field.path, children);
    siblings.push({ field, segment, name: graphqlSegment(segment), children });
  }
  return roots;
};

const parentPath = (path: string, fields: Fields): string => {
  let end = path.lastIndexOf('.');
  while (end > 0 && !fields.has(path.slice(0, end))) end = path.lastIndexOf('.', end - 1);
  return end > 0 ? path.slice(0, end) : '';
};
