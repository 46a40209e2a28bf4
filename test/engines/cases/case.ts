import type {
  CursorValue,
  HitsQuery,
  SortKey,
  WriteOperation,
  WriteOutcome,
} from '../../../src/engines/engine.ts';
import type { FacetResult, Measure } from '../../../src/engines/measure.ts';
import type { ErrorCode } from '../../../src/lib/errors/errors.ts';
import type { Hierarchy } from '../../../src/introspection/hierarchies/hierarchy.ts';
import type { IndexField } from '../../../src/introspection/fields/field.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json/json.ts';
import type { Filter } from '../../../src/sqon/filter.ts';

/** Documents under one mapping and what every engine must answer about them. */
export interface Collection {
  readonly name: string;
  readonly mapping: JsonObject;
  /** The hierarchies of its fields. */
  readonly hierarchies?: Readonly<Record<string, Hierarchy>>;
  /** The settings that the mapping needs. */
  readonly settings?: JsonObject;
  /** Types of its fields that some engines lack. */
  readonly rareTypes?: readonly string[];
  /** By key, in the order of writing. */
  readonly documents: Readonly<Record<string, JsonObject>>;
  readonly checks: readonly Check[];
}

/** What a check finds is a set in `ids` of filters, and in that order in `ids` of pages. */
export type Check = { readonly name: string } & (
  | { readonly filter: Filter; readonly ids: readonly string[] }
  /** A filter as a client writes it, over the fields of the mapping. */
  | { readonly sqon: JsonValue; readonly ids: readonly string[] }
  /** A filter that is refused. */
  | { readonly sqon: JsonValue; readonly code: ErrorCode; readonly naming: readonly string[] }
  /** A facet on a field as a client asks for it: its own selections do not narrow it, unless `filterThemselves`. */
  | {
      readonly counted: string;
      readonly sqon: JsonValue;
      readonly filterThemselves?: boolean;
      readonly measure: Measure;
      readonly result: FacetResult;
    }
  /** All pages of a size, each after the cursor of the one before. */
  | {
      readonly walk: { readonly sort: readonly SortKey[]; readonly filter?: Filter };
      readonly size: number;
      readonly ids: readonly string[];
    }
  /** Writes in one request, what becomes of each, and what is found then; the documents are put back afterwards. */
  | {
      readonly operations: readonly (readonly [WriteOperation, WriteOutcome['status']])[];
      readonly found: Filter;
      readonly ids: readonly string[];
      readonly sources?: readonly JsonObject[];
    }
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

/** A condition of a filter as clients write it. */
export const leaf = (op: string, fieldName: string, value: JsonValue, pivot?: string): JsonObject => ({
  op,
  content: { fieldName, value },
  ...(pivot !== undefined && { pivot }),
});

/** A group of a filter as clients write it. */
export const group = (
  op: 'and' | 'or' | 'not',
  content: readonly JsonValue[],
  pivot?: string | null,
): JsonObject => ({ op, content, ...(pivot !== undefined && { pivot }) });

/** A search as clients write it. */
export const search = (fieldNames: readonly string[], value: string): JsonObject => ({
  op: 'wildcard',
  content: { fieldNames, value },
});

export const upsert = (id: string, document: JsonObject): WriteOperation => ({
  kind: 'upsert',
  id,
  document,
});

export const remove = (id: string): WriteOperation => ({ kind: 'delete', id });

/** All buckets of a terms facet by key and count, and how many documents lack a value. */
export const buckets = (missing: number, ...counts: readonly (readonly [string, number])[]): FacetResult => ({
  kind: 'terms',
  buckets: counts.map(([key, count]) => ({ key, count })),
  distinct: counts.length,
  missing,
});

/** Buckets of a histogram or of ranges by key and count, in the order given. */
export const steps = (
  kind: 'histogram' | 'range' | 'groups',
  ...counts: readonly (readonly [string, number])[]
): FacetResult => ({ kind, buckets: counts.map(([key, count]) => ({ key, count })) });

/** All buckets, exactly. */
export const allTerms: Measure = { kind: 'terms', size: null };
