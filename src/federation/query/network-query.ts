import type { CursorValue } from '../../engines/engine.ts';
import type { FacetMeasure, SortRequest, UnshownPart } from '../../search/query.ts';
import type { Sqon } from '../../sqon/ast.ts';

/** One query to the network, using the network's names. */
export interface NetworkQuery {
  readonly filters: Sqon | null;
  readonly filterThemselves: boolean;
  readonly includeMissing: boolean;
  /** Node ids; null for all nodes. */
  readonly only: ReadonlySet<string> | null;
  /** Each measure of each field once. */
  readonly facets: readonly NetworkFacet[];
  /** Fields whose coverage is shown; unset: none. */
  readonly coverageOf?: readonly string[];
  /** See CatalogueQuery. */
  readonly statusesShown?: readonly string[];
  /** null when neither hits nor their total are wanted. */
  readonly hits: NetworkPage | null;
}

export interface NetworkFacet {
  readonly path: string;
  readonly measure: FacetMeasure;
  /** Whether the client is shown how far the counts can be trusted. */
  readonly bounded?: true;
  /** See FacetRequest. */
  readonly unshown?: readonly UnshownPart[];
  /** Whether each node's part in a bucket is wanted: nodes that are networks are asked for it. */
  readonly parted?: true;
}

export interface NetworkPage {
  readonly first: number;
  readonly offset: number;
  readonly sort: readonly SortRequest[];
  /** Where each node resumes; null for the first page. */
  readonly after: NetworkCursor | null;
  readonly trackTotal: boolean;
  /** Whether the client is shown how far the total can be trusted, wherever it is shown the total. */
  readonly bounded?: true;
  /** Network paths of the requested values. */
  readonly fields: readonly string[];
  /** Nested paths that are shown whole, down to objects without any of these values; unset: none. */
  readonly objects?: readonly string[];
}

/** The position after an edge: for each node that contributed a row up to it, the cursor of its last one. */
export type NetworkCursor = ReadonlyMap<string, readonly CursorValue[]>;
