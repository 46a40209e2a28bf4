import { TributaryError } from '../../errors/errors.ts';
import type { Field } from '../../introspection/fields/field.ts';
import { documentKey } from '../../introspection/fields/field.ts';
import type { Sqon, SqonGroup, SqonLeaf, SqonMulti } from '../../sqon/ast.ts';
import { constant, group, leaf } from '../../sqon/ast.ts';
import { constantLeaf } from '../../sqon/compile-leaf.ts';
import { operators } from '../../sqon/operators/table.ts';
import { truthOf } from '../../sqon/truth.ts';
import type { ValueMap } from '../../facets/row/value-map.ts';
import type { FieldMapping } from '../nodes/node-view.ts';
import { keyField, keyLeaf } from './hit-key.ts';
import { translateLeaf, translatedPart } from './translate-leaf.ts';

/** The context for building one node's filter. */
export interface FilterNode {
  readonly nodeId: string;
  /** Whether it is another network, whose documents have keys over its own nodes. */
  readonly isNetwork?: boolean;
  readonly fieldMapping: FieldMapping;
  /** The node's own field for a network path; undefined when the node lacks it. */
  readonly fieldOf: (networkPath: string) => Field | undefined;
  /** Called with every network field of the filter that the node lacks. */
  readonly uncovered: (networkPath: string) => void;
}

/**
 * Translates a network filter into one node's names and values. A leaf on a field that the node lacks becomes a
 * constant: in, all, ranges, patterns and `__missing__` are false, not-in and some-not-in true. Constants take the
 * place of the leaf.
 * @throws TributaryError BAD_USER_INPUT for a range on a field whose values the node translates
 */
export const nodeFilter = (sqon: Sqon, node: FilterNode): Sqon => {
  switch (sqon.kind) {
    case 'group':
      return groupFilter(sqon, node);
    case 'leaf':
      return leafFilter(sqon, node);
    case 'multi':
      return multiFilter(sqon, node);
    case 'constant':
      return sqon;
  }
};

const groupFilter = (sqon: SqonGroup, node: FilterNode): Sqon => {
  // an empty group has no condition, not even on its pivot, which need not exist here
  if (sqon.content.length === 0) return group('and', [], null, sqon.at);
  const content = sqon.content.map((one) => nodeFilter(one, node));
  return sqon.pivot === null
    ? group(sqon.op, content, null, sqon.at)
    : pivotGroup(sqon, sqon.pivot, content, node);
};

/** One object at the pivot must satisfy the content; if no conditions are left, the object must still exist. */
const pivotGroup = (sqon: SqonGroup, pivot: string, content: readonly Sqon[], node: FilterNode): Sqon => {
  const truth = truthOf(group(sqon.op, content, pivot));
  if (truth !== null) return constant(truth, sqon.at);
  const isOpen = content.some((one) => truthOf(one) === null);
  return isPivotHere(sqon, pivot, isOpen, node)
    ? group(sqon.op, content, node.fieldMapping.toNode(pivot), sqon.at)
    : constant(false, sqon.at);
};

/** False when the pivot is not a nested path here, or the remaining content does not share it. */
const isPivotHere = (sqon: SqonGroup, pivot: string, isOpen: boolean, node: FilterNode): boolean => {
  const isNested = node.fieldOf(pivot)?.kind === 'nested';
  const own = node.fieldMapping.toNode(pivot);
  const isStray = (path: string): boolean => {
    const field = node.fieldOf(path);
    return field !== undefined && !(isNested && field.nestedIn.includes(own));
  };
  const strays = isOpen ? pathsOf(sqon).filter(isStray) : [];
  for (const path of strays) node.uncovered(path);
  if (!isNested) node.uncovered(pivot);
  return strays.length === 0 && isNested;
};

/** The paths that a filter names. */
export const pathsOf = (sqon: Sqon): readonly string[] => {
  switch (sqon.kind) {
    case 'group':
      return sqon.content.flatMap(pathsOf);
    case 'leaf':
      return [sqon.fieldName];
    case 'multi':
      return sqon.fieldNames;
    case 'constant':
      return [];
  }
};

const leafFilter = (sqon: SqonLeaf, node: FilterNode): Sqon => {
  if (sqon.fieldName === keyField.path && node.fieldOf(keyField.path) === undefined)
    return keyLeaf(sqon, node.nodeId, node.isNetwork);
  const field = fieldHere(sqon.fieldName, node);
  if (field === null) return constant(constantLeaf(sqon).kind === 'all', sqon.at);
  const { quantifier, bounds } = operators[sqon.op];
  const pivot = leafPivot(sqon, node);
  if (pivot === null && sqon.pivot !== null && quantifier === 'every') return constant(false, sqon.at);
  const values = node.fieldMapping.valuesOf(sqon.fieldName);
  if (values === null) return leaf(sqon.op, field.path, sqon.values, pivot, sqon.at);
  if (bounds !== null)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `filter at ${sqon.at}: ${sqon.op} does not fit "${sqon.fieldName}", whose values some node translates; use in or not-in`,
    );
  return translateLeaf({ ...sqon, fieldName: field.path, pivot }, field, values);
};

/** The node's own field; null, reported as uncovered, when it has none. Every node has the document's key. */
const fieldHere = (name: string, node: FilterNode): Field | null => {
  const field = name === documentKey.path ? documentKey : node.fieldOf(name);
  if (field === undefined) node.uncovered(name);
  return field ?? null;
};

/** A single leaf's pivot matters only to `all`; it is dropped if it is not a nested path here. */
const leafPivot = ({ pivot }: SqonLeaf | SqonMulti, node: FilterNode): string | null => {
  if (pivot === null) return null;
  if (node.fieldOf(pivot)?.kind === 'nested') return node.fieldMapping.toNode(pivot);
  node.uncovered(pivot);
  return null;
};

/** One search over all untranslated fields; if some are translated, each part searches both kinds separately. */
const multiFilter = (sqon: SqonMulti, node: FilterNode): Sqon => {
  const pivot = leafPivot(sqon, node);
  const fields = sqon.fieldNames.map((name) => {
    const field = fieldHere(name, node);
    return field && { field, values: node.fieldMapping.valuesOf(name) };
  });
  const isTranslated = fields.some((one) => one !== null && one.values !== null);
  const parts = isTranslated ? operators[sqon.op].parts(sqon) : [sqon];
  const each = parts.map((part) => partFilter({ ...part, pivot }, fields));
  if (each.length === 0) return constant(false, sqon.at);
  return each.length === 1 ? each[0]! : group('and', each, null, sqon.at);
};

interface SearchedField {
  readonly field: Field;
  /** null if its values are not translated. */
  readonly values: ValueMap | null;
}

/** @param fields the node's; null for those that it lacks */
const partFilter = (part: SqonMulti, fields: readonly (SearchedField | null)[]): Sqon => {
  const plain = fields.flatMap((one) => (one !== null && one.values === null ? [one.field.path] : []));
  const others = fields.flatMap((one): readonly Sqon[] => {
    if (one === null) return [constant(false, part.at)];
    return one.values === null ? [] : [translatedPart(part, one.field, one.values)];
  });
  const searched = plain.length > 0 || others.length === 0 ? [{ ...part, fieldNames: plain }] : [];
  const found = [...searched, ...others];
  return found.length === 1 ? found[0]! : group('or', found, null, part.at);
};
