import type { GraphQLFieldConfigArgumentMap, GraphQLOutputType, GraphQLResolveInfo } from 'graphql';
import type { CalendarInterval, Measure, MeasureKind } from '../../../engines/measure.ts';
import type { TributaryError } from '../../../lib/errors/errors.ts';
import type { SelectedField } from '../../../lib/graphql/execution.ts';
import type { Dialect } from '../../../lib/graphql/protocol.ts';
import type { Hierarchy } from '../../../introspection/hierarchies/hierarchy.ts';
import type { Field, Fields } from '../../../introspection/fields/field.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { Count } from '../../count.ts';
import type { FacetAnswer, FacetCoverage, FailedFacet } from '../../nodes-answer.ts';
import type { FacetMeasure } from '../../query.ts';
import type { Sqon } from '../../../sqon/ast.ts';

/** Everything about a measure that is independent of the engines. */
export interface MeasureRow<Kind extends MeasureKind> {
  /**
   * The GraphQL fields that request it, and those that state how reliable it is. No two measures share a name. A
   * network has the same ones as a catalogue.
   */
  readonly fields: FacetFields;

  /**
   * Plans what the fields of this measure that are selected below one facet request.
   * @param selected all of them, so that aliases can share a request
   * @returns how to show each of them
   * @throws TributaryError BAD_USER_INPUT for invalid arguments
   */
  readonly select: (
    selected: readonly SelectedField[],
    context: SelectionContext,
  ) => (field: SelectedField) => Show;
  /** The query to the engine. @throws TributaryError BAD_USER_INPUT for invalid input from any sender */
  readonly toEngine: (measure: FacetMeasure<Kind>, context: EngineContext) => Measure<Kind>;
  /** Whether the types of `fields` can represent a result unchanged: 32-bit counts, finite numbers. */
  readonly fitsTypes: (answer: FacetAnswer<Kind>) => boolean;

  /** The request to a node of a network for this measure. */
  readonly toNode: (measure: FacetMeasure<Kind>, node: QueriedNode) => NodeRequest<Kind>;
  /** Whether a release can answer it: its cells count values, ranges and intervals. */
  readonly isOfCells: (measure: FacetMeasure<Kind>) => boolean;
  /** Which of `fields` is requested from remote nodes; a node without it does not cover this measure. */
  readonly remoteField: string;
  /** That field as GraphQL: its name, arguments and selection; `buckets`: the fields requested of each bucket besides its key. */
  readonly print: (measure: FacetMeasure<Kind>, buckets: string, pass: PassValue) => string;
  /** Reads a remote node's answer. Nothing in it is trusted. @throws TributaryError NODE_BAD_RESPONSE */
  readonly read: (value: unknown, reading: Reading<Kind>) => FacetAnswer<Kind>;
  /** Merges the answers of several nodes. @throws TributaryError BAD_USER_INPUT for more than can be shown */
  readonly merge: (
    parts: readonly MergePart<Kind>[],
    merging: Merging<Kind>,
  ) => FacetAnswer<Kind> | Promise<FacetAnswer<Kind>>;
}

/** What a node is sent of a measure, and why it is not all that was requested. */
export type NodeRequest<Kind extends MeasureKind> =
  | {
      readonly kind: 'sent';
      readonly measure: FacetMeasure<Kind>;
      /** The part of the request that the node cannot do itself, as a message; unset: none. */
      readonly shortcoming?: string;
    }
  /** The node does not give everything that was requested. */
  | { readonly kind: 'notCovered' }
  /** The request cannot be sent. */
  | { readonly kind: 'refused'; readonly error: TributaryError };

/** Sends a measure to a node unchanged. */
export const sent = <Kind extends MeasureKind>(measure: FacetMeasure<Kind>): NodeRequest<Kind> => ({
  kind: 'sent',
  measure,
});

/** `values`: only facets of comparable values; `numbers`: facets of numbers and dates. */
export type FacetType = 'values' | 'numbers';

export type FacetFields = Readonly<Partial<Record<FacetType, Readonly<Record<string, FacetField>>>>>;

export interface FacetField {
  /** `buckets`: the type of a facet of values. */
  readonly type: GraphQLOutputType | 'buckets';
  readonly description: string;
  readonly args?: GraphQLFieldConfigArgumentMap;
}

export interface SelectionContext {
  readonly info: GraphQLResolveInfo;
  /** The facet's field. */
  readonly field: Pick<Field, 'path' | 'kind' | 'hierarchy'>;
  /** Adds a request for the facet's field, deduplicated; returns the index of its answer. */
  readonly addRequest: (measure: FacetMeasure) => number;
}

/** Gives the value of a selected field, from the answers to all requests. */
export type Show = (answers: FacetAnswers) => unknown;

export interface FacetAnswers {
  /** In the order of the requests. */
  readonly facets: readonly (FacetAnswer | FailedFacet)[];
  /** The catalogue as a node: the only one, unless an answer names others. */
  readonly nodeId: string;
  /** How each node covers the facets of a path. */
  readonly coverage: (path: string) => readonly FacetCoverage[];
}

export interface EngineContext {
  readonly field: Field;
  readonly fields: Fields;
  readonly nestingPrefix: string | null;
  readonly includeMissing: boolean;
}

/** The properties of a node that affect the request for one field. */
export interface QueriedNode {
  /** Maps its values of the field to the network's; null when they are the same. */
  readonly values: ValueMap | null;
  /** What it understands of the field's measures. */
  readonly dialect: Dialect;
  /** Its own path for one of the network; null when it lacks the field. */
  readonly pathOf: (path: string) => string | null;
  /** Translates a filter of the network to its names and values. */
  readonly filterOf: (filter: Sqon) => Sqon;
  /** The network's hierarchy of the field; undefined without one. */
  readonly hierarchy?: Hierarchy | undefined;
  /** Whether it knows that hierarchy, and has the network's values. */
  readonly sharesHierarchy: boolean;
  /** The longest request that it accepts. */
  readonly maxBytes: number;
}

export interface Reading<Kind extends MeasureKind> {
  readonly measure: FacetMeasure<Kind>;
  /** The name of the facet, to locate a malformed answer. */
  readonly field: string;
  readonly includeMissing: boolean;
  /** The list of the field's values in the same answer; null when it was not requested. */
  readonly list: () => { readonly measure: FacetMeasure<'terms'>; readonly value: unknown } | null;
  /** All that was answered of the facet. */
  readonly facet: Readonly<Record<string, unknown>>;
}

export interface MergePart<Kind extends MeasureKind> {
  readonly nodeId: string;
  /** Maps the node's values to the network's; null when they are the same. */
  readonly values: ValueMap | null;
  /** Maps a document of the node, or a nested object of the facet's field, to the network's names and values. */
  readonly documentOf: (document: JsonObject) => JsonObject;
  /** The request to the node; null when there was none. */
  readonly requested: FacetMeasure<Kind> | null;
  /** The measure of a catalogue, or of a network that is a node; null for a node that did not give it. */
  readonly result: FacetAnswer<Kind> | null;
  /**
   * If `result` is null: the number of matching documents of a node that lacks the field, which are shown as one bucket;
   * null: the node has the field, and how many it has of each value is not known.
   */
  readonly matches: Count | null;
}

export interface Merging<Kind extends MeasureKind> {
  readonly measure: FacetMeasure<Kind>;
  /** The network's field. */
  readonly field: Pick<Field, 'path' | 'type'>;
  /** Whether every node that has the field was queried. */
  readonly isWhole: () => boolean;
  /** Whether each node's part in a bucket is shown; unset: it is. */
  readonly isParted?: boolean;
  /** Aborted when no client waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
  /** The field's value list, which is merged before all other measures; null unless every counted node gave its own. */
  readonly list: () => FacetAnswer<'terms'> | null;
}

/** The width of buckets: a number, or a calendar interval. */
export type Interval = number | CalendarInterval;

/** The measures' rows. */
export type MeasureRows = { readonly [Kind in MeasureKind]: MeasureRow<Kind> };

/** Maps between a node's values of a field and the network's, both ways. */
export interface ValueMap {
  /** The network's value of a node's value. */
  readonly toNetwork: (value: string) => string;
  /** All node values shown as this network value; empty when there are none. */
  readonly toNode: (value: string) => readonly string[];
  /** The node values that the map lists. */
  readonly listed: ReadonlyMap<string, string>;
}

/** Sends a value of type JSON as a variable, as its length is not that of the document. @returns the variable, `$` included */
export type PassValue = (value: unknown) => string;
