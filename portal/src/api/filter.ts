import { MISSING, type GroupOp, type LeafOp, type MultiOp, type SqonScalar } from '../../../src/sqon/ast.ts';
import type { Field } from './fields.ts';

/** A filter in the server's language, as the portal writes it. */
export type Filter = Group | Condition | Search;

export interface Group {
  readonly op: GroupOp;
  readonly content: readonly Filter[];
  readonly pivot?: string;
}

export interface Condition {
  readonly op: LeafOp;
  readonly content: {
    readonly fieldName: string;
    readonly value: FilterValue;
    /** The branches that `under` excludes. */
    readonly except?: readonly SqonScalar[];
  };
}

/** Words of the search box, or a pattern written by owners or other programs. */
export interface Search {
  readonly op: MultiOp;
  readonly content: { readonly fieldNames: readonly string[]; readonly value: string };
}

export type FilterValue = SqonScalar | readonly SqonScalar[];

/** Whether a filter combines others. */
export const isGroup = (filter: Filter): filter is Group =>
  filter.op === 'and' || filter.op === 'or' || filter.op === 'not';

/** Whether it searches for a text in several fields. */
export const isSearch = (filter: Filter): filter is Search =>
  filter.op === 'search' || filter.op === 'wildcard';

/** Whether it comes from the search box. */
export const isOfWords = (filter: Filter): filter is Search => filter.op === 'search';

/** Conditions of a group that a single object must meet: the positions of some, and of others together. */
export interface Linked {
  readonly pivot: string;
  readonly parts: readonly Part[];
}

/** The position of a condition in its group, or several that belong together. */
export type Part = number | Linked;

type Fields = ReadonlyMap<string, Pick<Field, 'kind'>>;

/**
 * Groups the conditions of an `and` that concern a single object, as facets count them: those below a nested list that
 * they share, however deep each is. Exclusions and missing values concern the whole list and stand alone.
 */
export const linkedParts = (content: readonly Filter[], fields: Fields): readonly Part[] => {
  const above = content.map((part) => listsAbove(part, fields));
  const together = (among: readonly number[], depth: number): readonly Part[] =>
    among.flatMap((at): readonly Part[] => {
      const pivot = above[at]![depth];
      const group = pivot === undefined ? [at] : among.filter((other) => above[other]![depth] === pivot);
      if (pivot === undefined || group.length === 1) return [at];
      if (at !== group[0]) return [];
      const parts = together(group, depth + 1);
      return parts.length === 1 ? parts : [{ pivot, parts }];
    });
  return together([...content.keys()], 0);
};

/**
 * A filter with the conditions that concern one object in a group with its `pivot`. Records without a value are those none
 * of whose objects has one: to the server, an object without it suffices. A field of a network may be in a list of some
 * institution.
 */
export const linkNested = (filter: Filter, fields: Fields): Filter => {
  if (!isGroup(filter)) return withoutAny(filter);
  const content = filter.content.map((part) => linkNested(part, fields));
  if (filter.op !== 'and' || filter.pivot !== undefined) return { ...filter, content };
  const written = (part: Part): Filter =>
    typeof part === 'number'
      ? content[part]!
      : { op: 'and', content: part.parts.map(written), pivot: part.pivot };
  return { ...filter, content: linkedParts(content, fields).map(written) };
};

const withoutAny = (filter: Condition | Search): Filter => {
  if (isSearch(filter) || filter.op !== 'in') return filter;
  const { fieldName } = filter.content;
  const values = [filter.content.value].flat();
  if (!values.includes(MISSING)) return filter;
  const some = (op: 'all' | 'not-in'): Condition => ({ op, content: { fieldName, value: [MISSING] } });
  const none: Group = { op: 'and', content: [some('all'), { op: 'not', content: [some('not-in')] }] };
  const others = values.filter((value) => value !== MISSING);
  return others.length === 0
    ? none
    : { op: 'or', content: [{ op: 'in', content: { fieldName, value: others } }, none] };
};

/** A condition without its pivot: a group of one with a pivot means that a different object than for the others may meet it. */
export const bareOf = (filter: Filter): Filter => {
  const [only, ...others] = isGroup(filter) && filter.pivot !== undefined ? filter.content : [];
  return only === undefined || others.length > 0 ? filter : bareOf(only);
};

/** The operators that select records by values that they have. */
export const positiveOps: readonly string[] = ['in', 'is', 'under', 'gt', 'gte', 'lt', 'lte', 'between'];

/** The nested lists, outermost first, whose objects a part describes; empty for parts about whole records. */
const listsAbove = (part: Filter, fields: Fields): readonly string[] => {
  if (isSearch(part)) return [];
  if (isGroup(part)) {
    const [first = [], ...others] = part.content.map((one) => listsAbove(one, fields));
    const isChoice = part.op === 'or' && part.pivot === undefined;
    return isChoice ? first.filter((path) => others.every((lists) => lists.includes(path))) : [];
  }
  const { fieldName, value } = part.content;
  if (!positiveOps.includes(part.op) || [value].flat().includes(MISSING)) return [];
  return nestedAbove(fieldName, fields);
};

/** The nested lists that contain a field, outermost first. */
export const nestedAbove = (path: string, fields: Fields): readonly string[] =>
  path
    .split('.')
    .map((_, at, names) => names.slice(0, at).join('.'))
    .filter((above) => fields.get(above)?.kind === 'nested');
