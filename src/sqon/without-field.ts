import type { Sqon, SqonLeaf, SqonScalar } from './ast.ts';
import { SET_PREFIX } from './ast.ts';
import { operators } from './operators/table.ts';

/**
 * The filter without the selections on one field, for a facet that its own selection must not narrow. Every leaf on the
 * field is dropped wherever it occurs, with any groups that become empty. Searches stay: wildcards, values with `*` and
 * saved sets restrict the documents counted; they do not select buckets. Unchanged parts keep their identity.
 * @returns null when nothing is left
 */
export const withoutField = (sqon: Sqon | null, fieldPath: string): Sqon | null => {
  if (sqon === null || sqon.kind === 'multi' || sqon.kind === 'constant') return sqon;
  if (sqon.kind === 'leaf') return sqon.fieldName === fieldPath && isSelection(sqon) ? null : sqon;
  const content = sqon.content
    .map((node) => withoutField(node, fieldPath))
    .filter((node): node is Sqon => node !== null);
  if (content.length === sqon.content.length && content.every((node, at) => node === sqon.content[at]))
    return sqon;
  return content.length === 0 ? null : { ...sqon, content };
};

const isSelection = ({ op, isSearch, exactFrom, values }: SqonLeaf): boolean => {
  if (operators[op].isSearch) return false;
  return isSearch === undefined ? exactFrom === undefined && !values.some(isSearchValue) : !isSearch;
};

/** A value that makes a leaf a search: a pattern or a saved set. */
export const isSearchValue = (value: SqonScalar): boolean =>
  typeof value === 'string' && (value.includes('*') || value.startsWith(SET_PREFIX));
