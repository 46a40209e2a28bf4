import type { Field, Fields } from '../../introspection/fields/field.ts';
import { graphqlSegment } from '../../introspection/fields/names.ts';

/** A field with its stored children: the shape of a document, whereas Fields is a flat list. */
export interface FieldBranch {
  readonly field: Field;
  /** The key in the parent object. */
  readonly segment: string;
  /** The GraphQL name. */
  readonly name: string;
  readonly children: readonly FieldBranch[];
}

/**
 * The fields as stored, in mapping order. Only objects and nested fields have children: a multi-field (`title.raw`) can
 * be filtered and counted but is not part of any document.
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
