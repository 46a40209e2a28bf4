/** A filter of the server's language, as the portal writes it. */
export type Filter = Group | Condition | Search;

export interface Group {
  readonly op: 'and' | 'or' | 'not';
  readonly content: readonly Filter[];
  readonly pivot?: string;
}

export interface Condition {
  readonly op:
    | 'in'
    | 'not-in'
    | 'some-not-in'
    | 'all'
    | 'gt'
    | 'gte'
    | 'lt'
    | 'lte'
    | 'between'
    | 'wildcard'
    | 'starts-with';
  readonly content: { readonly fieldName: string; readonly value: FilterValue };
}

export interface Search {
  readonly op: 'search';
  readonly content: { readonly fieldNames: readonly string[]; readonly value: string };
}

export type FilterValue = string | number | boolean | readonly (string | number | boolean)[];

export const isGroup = (filter: Filter): filter is Group =>
  filter.op === 'and' || filter.op === 'or' || filter.op === 'not';

export const isSearch = (filter: Filter): filter is Search => filter.op === 'search';

/** How documents without a value are asked for. */
export const missing = '__missing__';
