import type {
  CursorValue,
  FacetResult,
  HitsQuery,
  Measure,
  SortKey,
  WriteOutcome,
} from '../../../src/engines/engine.ts';
import type { ErrorCode } from '../../../src/errors.ts';
import type { IndexField } from '../../../src/introspection/field.ts';
import type { JsonObject } from '../../../src/json.ts';
import type { Filter } from '../../../src/sqon/filter.ts';

/** Documents under one mapping and what every engine must answer about them. */
export interface Collection {
  readonly name: string;
  readonly mapping: JsonObject;
  /** By key, in the order of writing. */
  readonly documents: Readonly<Record<string, JsonObject>>;
  readonly checks: readonly Check[];
}

export type Check = { readonly name: string } & (
  | { readonly filter: Filter; readonly ids: readonly string[] }
  | {
      readonly hits: Partial<HitsQuery>;
      readonly ids?: readonly string[];
      readonly total?: number | null;
      /** Sort values without the tie-break. */
      readonly cursors?: readonly (readonly CursorValue[])[];
      readonly sources?: readonly JsonObject[];
    }
  | {
      readonly facet: IndexField;
      readonly measure: Measure;
      readonly filter?: Filter;
      readonly objects?: Readonly<Record<string, Filter>>;
      readonly result: FacetResult;
    }
  | {
      readonly write: JsonObject;
      readonly status: WriteOutcome['status'];
      /** What the reason must name. */
      readonly naming?: readonly string[];
    }
  | {
      readonly failing: Partial<HitsQuery> | { readonly facet: IndexField; readonly measure: Measure };
      readonly code: ErrorCode;
    }
);

/** A field of a document, or of nested objects at the paths given. */
export const field = (path: string, type: string, ...nestedIn: readonly string[]): IndexField => ({
  path,
  type,
  nestedIn,
});

export const terms = (on: IndexField, ...values: readonly (string | number | boolean)[]): Filter => ({
  kind: 'terms',
  field: on,
  values,
});

export const range = (
  on: IndexField,
  bounds: { gt?: string | number; gte?: string | number; lt?: string | number; lte?: string | number },
): Filter => ({ kind: 'range', field: on, ...bounds });

/** `*` is any run, `?` any one character. */
export const pattern = (on: IndexField, text: string, caseInsensitive = false): Filter => ({
  kind: 'pattern',
  field: on,
  caseInsensitive,
  pattern: text
    .split(/([*?])/)
    .filter((part) => part !== '')
    .map((part) =>
      part === '*' ? { wildcard: 'any' } : part === '?' ? { wildcard: 'one' } : { literal: part },
    ),
});

export const exists = (on: IndexField): Filter => ({ kind: 'exists', field: on });

export const sort = (
  on: IndexField,
  order: 'asc' | 'desc' = 'asc',
  missing: 'first' | 'last' = order === 'asc' ? 'first' : 'last',
  mode: SortKey['mode'] = order === 'asc' ? 'min' : 'max',
): SortKey => ({ field: on, order, missing, mode });
