import type { Sqon, SqonLeaf } from './ast.ts';
import { SET_PREFIX } from './ast.ts';

/**
 * The filter without the selections on one field, for a facet that its own selection must not narrow. Every leaf on
 * the field is dropped wherever it stands, and the groups left empty with it. Searches stay: wildcards, values with
 * `*` and saved sets restrict what is looked at, they do not select buckets. Untouched parts keep their identity.
 * @returns null when nothing is left
 */
export const withoutField = (sqon: Sqon | null, fieldPath: string): Sqon | null => {
  if (sqon === null || sqon.kind === 'wildcard') return sqon;
  if (sqon.kind === 'leaf') return sqon.fieldName === fieldPath && isSelection(sqon) ? null : sqon;
  const content = sqon.content
    .map((node) => withoutField(node, fieldPath))
    .filter((node): node is Sqon => node !== null);
  if (content.length === sqon.content.length && content.every((node, at) => node === sqon.content[at]))
    return sqon;
  return content.length === 0 ? null : { ...sqon, content };
};

const isSelection = (leaf: SqonLeaf): boolean =>
  leaf.exactFrom === undefined &&
  !leaf.values.some(
    (value) => typeof value === 'string' && (value.includes('*') || value.startsWith(SET_PREFIX)),
  );
