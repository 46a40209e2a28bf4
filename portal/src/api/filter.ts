import type { GroupOp, LeafOp, SqonScalar } from '../../../src/sqon/ast.ts';

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
