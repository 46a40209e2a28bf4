import { MISSING, type GroupOp, type LeafOp, type SqonScalar } from '../../../src/sqon/ast.ts';
import type { Field } from './fields.ts';

/** A filter of the server's language, as the portal writes it. */
export type Filter = Group | Condition | Search;

export interface Group {
  readonly op: GroupOp;
  readonly content: readonly Filter[];
  readonly pivot?: string;
}

export interface Condition {
  readonly op: LeafOp | 'wildcard';
  readonly content: { readonly fieldName: string; readonly value: FilterValue };
}

export interface Search {
  readonly op: 'search';
  readonly content: { readonly fieldNames: readonly string[]; readonly value: string };
}

export type FilterValue = SqonScalar | readonly SqonScalar[];

/** Whether a filter combines others. */
export const isGroup = (filter: Filter): filter is Group =>
  filter.op === 'and' || filter.op === 'or' || filter.op === 'not';

/** Whether it comes from the search box. */
export const isSearch = (filter: Filter): filter is Search => filter.op === 'search';

/**
 * Conditions on one nested list that must all hold are meant of one and the same of its objects, as facets count them:
 * they are put in a group with that pivot. Exclusions and missing values concern the whole list and stay as they are.
 */
export const linkNested = (filter: Filter, fields: ReadonlyMap<string, Field>): Filter => {
  if (!isGroup(filter)) return filter;
  const content = filter.content.map((part) => linkNested(part, fields));
  if (filter.op !== 'and' || filter.pivot !== undefined) return { ...filter, content };
  const pivots = content.map((part) => pivotOf(part, fields));
  const linked = content.flatMap((part, at): readonly Filter[] => {
    const pivot = pivots[at]!;
    const together = content.filter((_, other) => pivots[other] === pivot);
    if (pivot === null || together.length === 1) return [part];
    return at === pivots.indexOf(pivot) ? [{ op: 'and', content: together, pivot }] : [];
  });
  return { ...filter, content: linked };
};

const positiveOps: readonly string[] = ['in', 'is', 'gt', 'gte', 'lt', 'lte', 'between'];

/** The innermost nested path that a part is about, if it says of an object what it is; else null. */
const pivotOf = (part: Filter, fields: ReadonlyMap<string, Field>): string | null => {
  if (isSearch(part)) return null;
  if (isGroup(part)) {
    const pivots = new Set(part.content.map((one) => pivotOf(one, fields)));
    return part.op === 'or' && part.pivot === undefined && pivots.size === 1 ? [...pivots][0]! : null;
  }
  const { fieldName, value } = part.content;
  if (!positiveOps.includes(part.op) || [value].flat().includes(MISSING)) return null;
  const parents = fieldName.split('.').map((_, at, names) => names.slice(0, at).join('.'));
  return parents.findLast((path) => fields.get(path)?.kind === 'nested') ?? null;
};

/** The nested paths whose objects must meet several conditions at once. */
export const pivotsIn = (filter: Filter | null): readonly string[] => {
  if (filter === null || !isGroup(filter)) return [];
  const inside = filter.content.flatMap(pivotsIn);
  return [...new Set(filter.pivot === undefined ? inside : [filter.pivot, ...inside])];
};
