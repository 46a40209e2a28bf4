import { TributaryError } from '../../errors.ts';
import type { Field } from '../../introspection/fields/field.ts';
import { documentKey } from '../../introspection/fields/document-key.ts';
import type { Sqon, SqonGroup, SqonLeaf, SqonWildcard } from '../../sqon/ast.ts';
import { MISSING, constant, group, leaf, wildcard } from '../../sqon/ast.ts';
import { isRangeOp } from '../../sqon/range-filter.ts';
import { truthOf } from '../../sqon/truth.ts';
import type { Renaming } from '../nodes/renaming.ts';
import { translatedLeaf, translatedWildcard } from './translated-leaf.ts';

/** What the filter of one node is made with. */
export interface FilterNode {
  readonly renaming: Renaming;
  /** The node's own field of a network path; undefined when the node lacks it. */
  readonly fieldOf: (networkPath: string) => Field | undefined;
  /** Told every network field of the filter that the node lacks. */
  readonly uncovered: (networkPath: string) => void;
}

/**
 * A network filter in one node's names and values. A leaf on a field that the node lacks is constant: in, all, ranges,
 * patterns and `__missing__` are false, not-in and some-not-in true. Constants stand where the leaf stood.
 * @throws TributaryError BAD_USER_INPUT for a range on a field whose values the node translates
 */
export const nodeFilter = (sqon: Sqon, node: FilterNode): Sqon => {
  switch (sqon.kind) {
    case 'group':
      return groupFilter(sqon, node);
    case 'leaf':
      return leafFilter(sqon, node);
    case 'wildcard':
      return wildcardFilter(sqon, node);
    case 'constant':
      return sqon;
  }
};

const groupFilter = (sqon: SqonGroup, node: FilterNode): Sqon => {
  // it asks nothing, of a pivot neither, which need not be here
  if (sqon.content.length === 0) return group('and', [], null, sqon.at);
  const content = sqon.content.map((one) => nodeFilter(one, node));
  return sqon.pivot === null
    ? group(sqon.op, content, null, sqon.at)
    : pivotGroup(sqon, sqon.pivot, content, node);
};

/** One object at the pivot must satisfy the content; where nothing is left to ask of it, it must still be there. */
const pivotGroup = (sqon: SqonGroup, pivot: string, content: readonly Sqon[], node: FilterNode): Sqon => {
  const truth = truthOf(group(sqon.op, content, pivot));
  if (truth !== null) return constant(truth, sqon.at);
  const isOpen = content.some((one) => truthOf(one) === null);
  return isPivotHere(sqon, pivot, isOpen, node)
    ? group(sqon.op, content, node.renaming.toNode(pivot), sqon.at)
    : constant(false, sqon.at);
};

/** False when the pivot is no nested path here, or what is left of the content does not share it. */
const isPivotHere = (sqon: SqonGroup, pivot: string, isOpen: boolean, node: FilterNode): boolean => {
  const isNested = node.fieldOf(pivot)?.kind === 'nested';
  const own = node.renaming.toNode(pivot);
  const isStray = (path: string): boolean => {
    const field = node.fieldOf(path);
    return field !== undefined && !(isNested && field.nestedIn.includes(own));
  };
  const strays = isOpen ? pathsOf(sqon).filter(isStray) : [];
  for (const path of strays) node.uncovered(path);
  if (!isNested) node.uncovered(pivot);
  return strays.length === 0 && isNested;
};

const pathsOf = (sqon: Sqon): readonly string[] => {
  switch (sqon.kind) {
    case 'group':
      return sqon.content.flatMap(pathsOf);
    case 'leaf':
      return [sqon.fieldName];
    case 'wildcard':
      return sqon.fieldNames;
    case 'constant':
      return [];
  }
};

const leafFilter = (sqon: SqonLeaf, node: FilterNode): Sqon => {
  const field = fieldHere(sqon.fieldName, node);
  if (field === null) return constant(isNegative(sqon) && !sqon.values.includes(MISSING), sqon.at);
  const pivot = leafPivot(sqon, node);
  if (pivot === null && sqon.pivot !== null && sqon.op === 'all') return constant(false, sqon.at);
  const values = node.renaming.valuesOf(sqon.fieldName);
  if (values === null) return leaf(sqon.op, field.path, sqon.values, pivot, sqon.at);
  if (isRangeOp(sqon.op))
    throw new TributaryError(
      'BAD_USER_INPUT',
      `filter at ${sqon.at}: ${sqon.op} does not fit "${sqon.fieldName}", whose values some node translates; use in or not-in`,
    );
  return translatedLeaf({ ...sqon, fieldName: field.path, pivot }, field, values);
};

const isNegative = ({ op }: SqonLeaf): boolean => op === 'not-in' || op === 'some-not-in';

/** The node's own field; null, and told, when it has none. The document's key is everywhere. */
const fieldHere = (name: string, node: FilterNode): Field | null => {
  const field = name === documentKey.path ? documentKey : node.fieldOf(name);
  if (field === undefined) node.uncovered(name);
  return field ?? null;
};

/** A single leaf's pivot means something to `all` only; where it is no nested path it is left out. */
const leafPivot = ({ pivot }: SqonLeaf | SqonWildcard, node: FilterNode): string | null => {
  if (pivot === null) return null;
  if (node.fieldOf(pivot)?.kind === 'nested') return node.renaming.toNode(pivot);
  node.uncovered(pivot);
  return null;
};

/** One search in all fields that keep their values, and one in each that does not. */
const wildcardFilter = (sqon: SqonWildcard, node: FilterNode): Sqon => {
  const pivot = leafPivot(sqon, node);
  const plain: string[] = [];
  const others = sqon.fieldNames.flatMap((name): readonly Sqon[] => {
    const field = fieldHere(name, node);
    if (field === null) return [constant(false, sqon.at)];
    const values = node.renaming.valuesOf(name);
    if (values !== null) return [translatedWildcard({ ...sqon, pivot }, field, values)];
    plain.push(field.path);
    return [];
  });
  const searched =
    plain.length > 0 || others.length === 0 ? [wildcard(plain, sqon.value, pivot, sqon.at)] : [];
  const parts = [...searched, ...others];
  return parts.length === 1 ? parts[0]! : group('or', parts, null, sqon.at);
};
