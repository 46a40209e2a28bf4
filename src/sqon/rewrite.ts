import { group, SET_PREFIX } from './ast.ts';
import type { Sqon, SqonGroup, SqonLeaf, SqonMulti, SqonScalar } from './ast.ts';
import { printSqon } from './parse.ts';
import { operators } from './operators/table.ts';

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
  return withContent(outer, content);
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

/** The group itself if it already has these conditions. */
export const withContent = (group: SqonGroup, content: readonly Sqon[]): SqonGroup =>
  content.length === group.content.length && content.every((node, at) => node === group.content[at])
    ? group
    : { ...group, content };

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

/** The conditions of a filter, as written. */
export const allConditions = (sqon: Sqon): readonly (SqonLeaf | SqonMulti)[] => {
  if (sqon.kind === 'group') return sqon.content.flatMap(allConditions);
  return sqon.kind === 'constant' ? [] : [sqon];
};

/** A filter with each of its conditions replaced, in the same groups. Unchanged parts keep their identity. */
export const mapConditions = (sqon: Sqon, change: (condition: SqonLeaf | SqonMulti) => Sqon): Sqon => {
  if (sqon.kind === 'constant') return sqon;
  if (sqon.kind !== 'group') return change(sqon);
  return withContent(
    sqon,
    sqon.content.map((child) => mapConditions(child, change)),
  );
};

/** The distinct ids of the saved sets that a filter's values refer to (`set_id:<id>`). */
export const setIdsIn = (sqon: Sqon): readonly string[] => [
  ...new Set(
    allConditions(sqon).flatMap((condition) =>
      condition.kind === 'leaf' && operators[condition.op].takesSpecialValues
        ? partsOf(condition).special.flatMap((value) => setIdOf(value) ?? [])
        : [],
    ),
  ),
];

/**
 * Replaces every `set_id:<id>` in a filter by the values of that set, after the leaf's own values. They are taken
 * literally: a `*` in one is not a pattern, a `set_id:` not another set. An empty set shortens the list, so `in` finds
 * nothing through it.
 * @param valuesOf the values of a set, called each time the filter refers to it; throws when there is no such set
 */
export const expandSets = (sqon: Sqon, valuesOf: (setId: string) => readonly SqonScalar[]): Sqon =>
  mapConditions(sqon, (condition) => {
    if (condition.kind === 'multi' || !operators[condition.op].takesSpecialValues) return condition;
    const { special, exact } = partsOf(condition);
    const markers = special.filter((value) => setIdOf(value) === null);
    if (markers.length === special.length) return condition;
    const ofSets = special.flatMap((value) => {
      const setId = setIdOf(value);
      return setId === null ? [] : valuesOf(setId);
    });
    return { ...condition, values: [...markers, ...exact, ...ofSets], exactFrom: markers.length };
  });

/** The values with possible special meanings, and those compared literally. */
const partsOf = ({ values, exactFrom = values.length }: SqonLeaf) => ({
  special: values.slice(0, exactFrom),
  exact: values.slice(exactFrom),
});

const setIdOf = (value: SqonScalar): string | null =>
  typeof value === 'string' && value.startsWith(SET_PREFIX) ? value.slice(SET_PREFIX.length) : null;

/**
 * The truth value of a filter for every document, from the constants in it; null when it depends on the document.
 * Dropping a facet's selections never changes that.
 */
export const truthOf = (sqon: Sqon): boolean | null => {
  switch (sqon.kind) {
    case 'constant':
      return sqon.value;
    case 'group':
      return groupTruth(sqon);
    case 'leaf':
    case 'multi':
      return null;
  }
};

const groupTruth = ({ op, content, pivot }: SqonGroup): boolean | null => {
  if (content.length === 0) return true;
  const truths = content.map(truthOf);
  const operator = operators[op];
  // with a pivot, "not" means that no object satisfies all of them together, the others that such an object exists
  if (pivot !== null) return operator.neverTogether(truths) ? operator.negative : null;
  return operator.truth(truths);
};

/**
 * The filter without the selections on one field, for a facet that its own selection must not narrow. Every leaf on the
 * field is dropped wherever it occurs, with any groups that become empty. Searches stay: wildcards, values that end in `*` and
 * saved sets restrict the documents counted; they do not select buckets. Unchanged parts keep their identity.
 * @returns null when nothing is left
 */
export const withoutField = (sqon: Sqon | null, fieldPath: string): Sqon | null => {
  if (sqon === null || sqon.kind === 'multi' || sqon.kind === 'constant') return sqon;
  if (sqon.kind === 'leaf') return sqon.fieldName === fieldPath && isSelection(sqon) ? null : sqon;
  const content = sqon.content
    .map((node) => withoutField(node, fieldPath))
    .filter((node): node is Sqon => node !== null);
  return content.length === 0 && sqon.content.length > 0 ? null : withContent(sqon, content);
};

/**
 * The names of fields in a filter, as written, each as often as it occurs.
 * @param ofConstant the names returned for each constant
 */
export const fieldNamesIn = (sqon: Sqon, ofConstant: readonly string[] = []): readonly string[] => {
  switch (sqon.kind) {
    case 'group':
      return sqon.content.flatMap((node) => fieldNamesIn(node, ofConstant));
    case 'leaf':
      return [sqon.fieldName];
    case 'multi':
      return sqon.fieldNames;
    case 'constant':
      return ofConstant;
  }
};

const isSelection = ({ op, isSearch, exactFrom, values }: SqonLeaf): boolean => {
  const { isSearch: always, takesSpecialValues } = operators[op];
  if (always) return false;
  if (isSearch !== undefined) return !isSearch;
  return !takesSpecialValues || (exactFrom === undefined && !values.some(isSearchValue));
};

/** A value that makes a leaf a search: a pattern or a saved set. */
export const isSearchValue = (value: SqonScalar): boolean =>
  typeof value === 'string' && (value.endsWith('*') || value.startsWith(SET_PREFIX));
