import type { Sqon, SqonGroup, SqonScalar } from './ast.ts';
import { group } from './ast.ts';
import { printSqon } from './print.ts';

/**
 * Simplifies a filter: groups inside groups of the same operator are merged, groups of one are unwrapped, duplicate
 * conditions and values are dropped, a filter that constrains nothing becomes null. Unchanged parts keep their
 * identity. Idempotent.
 */
export const normaliseSqon = (sqon: Sqon | null): Sqon | null => {
  if (sqon === null) return null;
  const normal = normaliseNode(sqon);
  return isEmptyGroup(normal) ? null : normal;
};

/** An empty group constrains nothing, whatever its operator and pivot. */
const isEmptyGroup = (sqon: Sqon): boolean => sqon.kind === 'group' && sqon.content.length === 0;

const normaliseNode = (sqon: Sqon): Sqon => {
  switch (sqon.kind) {
    case 'group':
      return normaliseGroup(sqon);
    case 'leaf': {
      if (sqon.exactFrom !== undefined) return sqon;
      const values = distinct(sqon.values, keyOfScalar);
      return values.length === sqon.values.length ? sqon : { ...sqon, values };
    }
    case 'multi': {
      const fieldNames = distinct(sqon.fieldNames, (name) => name);
      return fieldNames.length === sqon.fieldNames.length ? sqon : { ...sqon, fieldNames };
    }
    case 'constant':
      return sqon;
  }
};

const normaliseGroup = (outer: SqonGroup): Sqon => {
  const flat = outer.content.map(normaliseNode).flatMap((node) => merged(node, outer));
  const content = constrained(distinct(flat, keyOfNode), outer);
  const [only] = content;
  if (content.length === 1 && outer.op !== 'not' && outer.pivot === null && only !== undefined) return only;
  return sameItems(content, outer.content) ? outer : { ...outer, content };
};

/**
 * The conditions, or none when together they always hold. With a pivot even those require an object to exist, so an
 * empty group replaces them.
 */
const constrained = (content: readonly Sqon[], outer: SqonGroup): readonly Sqon[] => {
  const hold = outer.op === 'and' ? content.length === 0 : outer.op === 'or' && content.some(isEmptyGroup);
  if (!hold || outer.content.length === 0) return content;
  return outer.pivot === null ? [] : [outer.content.find(isEmptyGroup) ?? group('and', [], null, outer.at)];
};

/** The node's own conditions if they mean the same directly in the outer group, else the node itself. */
const merged = (node: Sqon, outer: SqonGroup): readonly Sqon[] => {
  if (node.kind !== 'group') return [node];
  if (node.content.length === 0) return outer.op === 'and' ? [] : [node];
  const samePivot = node.pivot === null || node.pivot === outer.pivot;
  return samePivot && node.op === outer.op && node.op !== 'not' ? node.content : [node];
};

const sameItems = (left: readonly Sqon[], right: readonly Sqon[]): boolean =>
  left.length === right.length && left.every((item, position) => item === right[position]);

const keyOfScalar = (value: SqonScalar): string => `${typeof value}:${value}`;
/** Groups are compared by identity: printing them at every level would cost their depth times their size. */
const keyOfNode = (node: Sqon): unknown => (node.kind === 'group' ? node : JSON.stringify(printSqon(node)));

const distinct = <Item>(items: readonly Item[], keyOf: (item: Item) => unknown): readonly Item[] => {
  if (items.length < 2) return items;
  const seen = new Map<unknown, Item>();
  for (const item of items) {
    const key = keyOf(item);
    if (!seen.has(key)) seen.set(key, item);
  }
  return seen.size === items.length ? items : [...seen.values()];
};
