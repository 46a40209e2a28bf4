import { TributaryError } from '../errors.ts';
import type { Field } from '../introspection/field.ts';
import type { Sqon, SqonGroup, SqonLeaf, SqonScalar, SqonWildcard } from '../sqon/ast.ts';
import { MISSING, SET_PREFIX, group, leaf, wildcard } from '../sqon/ast.ts';
import type { Renaming, ValueMap } from './renaming.ts';
import { patternTest } from './pattern-test.ts';

/** What the filter of one node is made with. */
export interface FilterNode {
  readonly renaming: Renaming;
  /** The node's own field of a network path; undefined when the node lacks it. */
  readonly fieldOf: (networkPath: string) => Field | undefined;
  /** Told every network field of the filter that the node lacks. */
  readonly uncovered: (networkPath: string) => void;
}

/** A filter in a node's terms; true and false when it does not depend on the node's records. */
export type NodeFilter = Sqon | boolean;

/**
 * A network filter in one node's names and values. A leaf on a field that the node lacks is constant: in, all, ranges,
 * patterns and `__missing__` are false, not-in and some-not-in true.
 * @throws TributaryError BAD_USER_INPUT for a range on a field whose values the node translates
 */
export const nodeFilter = (sqon: Sqon, node: FilterNode): NodeFilter => {
  switch (sqon.kind) {
    case 'group':
      return groupFilter(sqon, node);
    case 'leaf':
      return leafFilter(sqon, node);
    case 'wildcard':
      return wildcardFilter(sqon, node);
  }
};

/** The document's key is everywhere and in no mapping. */
const keyField = '_id';
/** Matches nothing at any node, for no document has an empty key, and is no facet's own selection. */
const nothing = leaf('in', keyField, ['']);

const groupFilter = (sqon: SqonGroup, node: FilterNode): NodeFilter => {
  if (sqon.content.length === 0) return true;
  const content = sqon.content.map((one) => nodeFilter(one, node));
  return sqon.pivot === null ? plainGroup(sqon, content) : pivotGroup(sqon, content, node);
};

const plainGroup = (sqon: SqonGroup, content: readonly NodeFilter[]): NodeFilter => {
  const open = openOf(content);
  switch (sqon.op) {
    case 'and':
      if (content.includes(false)) return false;
      return open.length === 0 ? true : group('and', open, null, sqon.at);
    case 'or':
      if (content.includes(true)) return true;
      return open.length === 0 ? false : group('or', alternatives(content), null, sqon.at);
    case 'not':
      if (content.includes(true)) return false;
      return open.length === 0 ? true : group('not', open, null, sqon.at);
  }
};

/** One object at the pivot must satisfy the content; where nothing is left to ask of it, it must still be there. */
const pivotGroup = (sqon: SqonGroup, content: readonly NodeFilter[], node: FilterNode): NodeFilter => {
  const open = openOf(content);
  const isFalse = sqon.op === 'or' ? content.every((one) => one === false) : content.includes(false);
  // with a pivot, "not" says that no object satisfies all of them together
  if (isFalse) return sqon.op === 'not';
  const pivot = pivotAt(sqon, open, node);
  if (pivot === null) return false;
  if (open.length === 0 || (sqon.op === 'or' && content.includes(true)))
    return leaf(sqon.op === 'not' ? 'in' : 'not-in', pivot, [MISSING], null, sqon.at);
  return group(sqon.op, sqon.op === 'or' ? alternatives(content) : open, pivot, sqon.at);
};

const openOf = (content: readonly NodeFilter[]): readonly Sqon[] =>
  content.filter((one) => typeof one !== 'boolean');

/** A facet's own leaf is dropped later, at the node: a false branch must outlive it. */
const alternatives = (content: readonly NodeFilter[]): readonly Sqon[] =>
  content.includes(false) ? [...openOf(content), nothing] : openOf(content);

/** The pivot in the node's names; null when what is left of the content does not share that nested path here. */
const pivotAt = (sqon: SqonGroup, open: readonly Sqon[], node: FilterNode): string | null => {
  const pivot = node.renaming.toNode(sqon.pivot!);
  const isNested = node.fieldOf(sqon.pivot!)?.kind === 'nested';
  const strays =
    open.length === 0
      ? []
      : pathsOf(sqon).filter((path) => {
          const field = node.fieldOf(path);
          return field !== undefined && !(isNested && field.nestedIn.includes(pivot));
        });
  for (const path of strays) node.uncovered(path);
  if (!isNested) node.uncovered(sqon.pivot!);
  return strays.length > 0 || !isNested ? null : pivot;
};

const pathsOf = (sqon: Sqon): readonly string[] => {
  switch (sqon.kind) {
    case 'group':
      return sqon.content.flatMap(pathsOf);
    case 'leaf':
      return [sqon.fieldName];
    case 'wildcard':
      return sqon.fieldNames;
  }
};

const leafFilter = (sqon: SqonLeaf, node: FilterNode): NodeFilter => {
  const negative = sqon.op === 'not-in' || sqon.op === 'some-not-in';
  const field = node.fieldOf(sqon.fieldName);
  if (sqon.fieldName !== keyField && !field) {
    node.uncovered(sqon.fieldName);
    return negative && !sqon.values.includes(MISSING);
  }
  const path = field?.path ?? keyField;
  const map = node.renaming.valuesOf(sqon.fieldName);
  const pivot = leafPivot(sqon, node);
  if (pivot === null && sqon.pivot !== null && sqon.op === 'all') return false;
  if (!map) return leaf(sqon.op, path, sqon.values, pivot, sqon.at);
  if (ranges.has(sqon.op))
    throw new TributaryError(
      'BAD_USER_INPUT',
      `filter at ${sqon.at}: ${sqon.op} does not fit "${sqon.fieldName}", whose values some node translates; use in or not-in`,
    );
  return mappedLeaf({ ...sqon, fieldName: path, pivot }, map, negative);
};

const ranges: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte', 'between']);

/** A single leaf's pivot means something to `all` only; where it is no nested path it is left out. */
const leafPivot = ({ pivot }: SqonLeaf | SqonWildcard, node: FilterNode): string | null => {
  if (pivot === null) return null;
  if (node.fieldOf(pivot)?.kind === 'nested') return node.renaming.toNode(pivot);
  node.uncovered(pivot);
  return null;
};

/** Membership in the node's values: a network value may stand for several of them, or for none. */
const mappedLeaf = (sqon: SqonLeaf, map: ValueMap, negative: boolean): NodeFilter => {
  const choices = sqon.values.map((value) => nodeValues(value, map));
  const make = (op: SqonLeaf['op'], values: readonly SqonScalar[]): Sqon =>
    leaf(op, sqon.fieldName, values, sqon.pivot, sqon.at);
  if (sqon.op !== 'all' || choices.every((values) => values.length === 1)) {
    const values = choices.flat();
    return negative && values.length === 0 ? true : make(sqon.op, values);
  }
  // the parts of a search stay searches
  const more = sqon.values.some(isSearch) ? [noPattern] : [];
  return group('and', choices.map((values) => make('in', [...values, ...more])), sqon.pivot, sqon.at); // prettier-ignore
};

const isSearch = (value: SqonScalar): boolean =>
  typeof value === 'string' && (value.includes('*') || value.startsWith(SET_PREFIX));

/** A value with `*` makes a leaf a search, which no facet takes for its own selection; no value begins with U+0000. */
const noPattern = '\u0000*';

const nodeValues = (value: SqonScalar, map: ValueMap): readonly SqonScalar[] => {
  if (typeof value !== 'string' || value === MISSING || value.startsWith(SET_PREFIX)) return [value];
  if (!value.includes('*')) return map.toNode(value);
  const { found, open } = patternValues(value, map, false);
  return [...found, open ? value : noPattern];
};

const wildcardFilter = (sqon: SqonWildcard, node: FilterNode): NodeFilter => {
  const parts = sqon.fieldNames.flatMap((name): Sqon[] => {
    const field = node.fieldOf(name);
    if (!field && name !== keyField) {
      node.uncovered(name);
      return [];
    }
    const path = field?.path ?? keyField;
    const map = node.renaming.valuesOf(name);
    const pivot = leafPivot(sqon, node);
    const pattern = wildcard([path], sqon.value, pivot, sqon.at);
    if (!map) return [pattern];
    const { found, open } = patternValues(sqon.value, map, true);
    return [leaf('in', path, [...found, noPattern], pivot, sqon.at), ...(open ? [pattern] : [])];
  });
  return parts.length === 0 ? false : parts.length === 1 ? parts[0]! : group('or', parts, null, sqon.at);
};

/**
 * The node's listed values that show as a match; `open` when the pattern may be sent too, for the values not listed:
 * when it would find no listed one that shows as something else.
 */
const patternValues = (pattern: string, map: ValueMap, foldCase: boolean) => {
  const matches = patternTest(pattern, foldCase);
  const listed = [...map.listed];
  return {
    found: listed.filter(([, shown]) => matches(shown)).map(([own]) => own),
    open: !listed.some(([own, shown]) => matches(own) && !matches(shown)),
  };
};
