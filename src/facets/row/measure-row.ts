import type { GraphQLFieldConfigArgumentMap, GraphQLOutputType, GraphQLResolveInfo } from 'graphql';
import type { CalendarInterval, FacetResult, Measure, MeasureKind } from '../../engines/measure.ts';
import type { TributaryError } from '../../errors.ts';
import type { SelectedField } from '../../graphql/selected-fields.ts';
import type { Field, Fields } from '../../introspection/fields/field.ts';
import type { FacetMeasure } from '../../search/query.ts';
import type { NetworkMeasure } from './network-measure.ts';
import type { ValueMap } from './value-map.ts';

/**
 * All that is known of a measure above the engines. `Merged` is what the answers of several nodes become.
 */
export interface MeasureRow<Kind extends MeasureKind, Merged = unknown> {
  /** The GraphQL fields of a catalogue's facets that ask it. No two measures have a name in common. */
  readonly fields: FacetFields;
  /** Those of a network's facets: the same ones, and what is said of how far they can be trusted. */
  readonly networkFields: FacetFields;

  /**
   * What the fields of this measure ask that are selected below one facet of a catalogue.
   * @param selected all of them, so that aliases can share a request
   * @returns for each of them how it is shown
   * @throws TributaryError BAD_USER_INPUT for arguments that mean nothing
   */
  readonly select: (selected: readonly SelectedField[], asking: Asking) => (field: SelectedField) => Show;
  /**
   * The engine's question.
   * @throws TributaryError BAD_USER_INPUT for what means nothing, whoever asks it
   */
  readonly toEngine: (measure: FacetMeasure<Kind>, asking: EngineAsking) => Measure<Kind>;
  /** Whether the types of `fields` can say an answer as it is: counts of 32 bits, finite numbers. */
  readonly fitsTypes: (result: FacetResult<Kind>) => boolean;

  /** As `select`, of a facet of a network. */
  readonly selectNetwork: (
    selected: readonly SelectedField[],
    asking: NetworkAsking,
  ) => (field: SelectedField) => ShowMerged;
  /** What each node is asked. */
  readonly toNode: (measure: NetworkMeasure<Kind>, node: AskedNode) => FacetMeasure<Kind>;
  /** What a node that is asked so cannot do itself, in words; null when it can. */
  readonly shortcoming?: (measure: NetworkMeasure<Kind>, node: AskedNode) => string | null;
  /** The one of `fields` that a remote node is asked; one without it does not cover this measure. */
  readonly remoteField: string;
  /** That field as it is asked: its name, arguments and what is selected below it. */
  readonly print: (measure: FacetMeasure<Kind>) => string;
  /**
   * What a remote node answered. Nothing in it is trusted.
   * @throws TributaryError NODE_BAD_RESPONSE
   */
  readonly read: (value: unknown, reading: Reading<Kind>) => FacetResult<Kind>;
  /** The answers of several nodes as one. @throws TributaryError BAD_USER_INPUT for more than can be shown */
  readonly merge: (parts: readonly MergePart<Kind>[], merging: Merging<Kind>) => Merged;
  /**
   * Of a measure with an interval: the error for intervals that nodes named, because they find it too fine; null when
   * none of them is meant for it.
   */
  readonly tooFine?: (
    path: string,
    measure: NetworkMeasure<Kind>,
    named: readonly Interval[],
  ) => TributaryError | null;
}

/** `values`: facets of what is compared only; `numbers`: facets of numbers and dates. */
export type FacetType = 'values' | 'numbers';

export type FacetFields = Readonly<Partial<Record<FacetType, Readonly<Record<string, FacetField>>>>>;

export interface FacetField {
  /** `buckets`: a type with `buckets` of key and count, as catalogues and networks each have one. */
  readonly type: GraphQLOutputType | 'buckets';
  readonly description: string;
  readonly args?: GraphQLFieldConfigArgumentMap;
}

export interface Asking {
  readonly info: GraphQLResolveInfo;
  /** Adds a request of the facet's field, each distinct one once; the place of its answer. */
  readonly ask: (measure: FacetMeasure) => number;
}

/** The value of a selected field, from the answers to all requests. */
export type Show = (results: readonly FacetResult[]) => unknown;

export interface EngineAsking {
  readonly field: Field;
  readonly fields: Fields;
  readonly nestingPrefix: string | null;
  readonly includeMissing: boolean;
}

export interface NetworkAsking {
  readonly info: GraphQLResolveInfo;
  readonly type: FacetType;
  /** What is selected wherever the selection names the facet's field, of all measures. */
  readonly everywhere: readonly SelectedField[];
  /** As of Asking. */
  readonly ask: (measure: NetworkMeasure) => number;
}

/** What matters of a node for what it is asked of one field. */
export interface AskedNode {
  /** Its values of the field against the network's; null when they are the same. */
  readonly values: ValueMap | null;
  /** Whether its `remoteField` has an argument. */
  readonly takes: (argument: string) => boolean;
}

export interface MergedFacet<Merged = unknown> {
  readonly kind: MeasureKind;
  readonly merged: Merged;
}

export type ShowMerged = (facets: readonly MergedFacet[]) => unknown;

export interface Reading<Kind extends MeasureKind> {
  readonly measure: FacetMeasure<Kind>;
  /** The name of the facet: where a malformed answer is. */
  readonly field: string;
  readonly includeMissing: boolean;
  /** The list of the field's values in the same answer; null when it was not asked. */
  readonly list: () => { readonly measure: FacetMeasure<'terms'>; readonly value: unknown } | null;
}

export interface MergePart<Kind extends MeasureKind> {
  readonly nodeId: string;
  /** The node's values against the network's; null when they are the same. */
  readonly values: ValueMap | null;
  /** What the node was asked; null when it was not. */
  readonly asked: FacetMeasure<Kind> | null;
  /** null of a node that lacks the field and whose matches are to be shown as one bucket. */
  readonly result: FacetResult<Kind> | null;
  /** How many documents match there, where `result` is null. */
  readonly matches: number;
}

export interface Merging<Kind extends MeasureKind> {
  readonly measure: NetworkMeasure<Kind>;
  /** The network's. */
  readonly field: Pick<Field, 'path' | 'type'>;
  /** Whether every node that has the field could be asked. */
  readonly isWhole: () => boolean;
  /** The same field's list of values; null when it was not asked. */
  readonly list: () => MergedFacet | null;
}

/** The width of buckets: a number, or one of the calendar. */
export type Interval = number | CalendarInterval;

/** The measures' rows, whatever each merges to. */
export type MeasureRows = { readonly [Kind in MeasureKind]: MeasureRow<Kind> };
