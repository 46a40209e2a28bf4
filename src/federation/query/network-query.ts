import type { CursorValue } from '../../engines/engine.ts';
import type { NetworkMeasure } from '../../facets/row/network-measure.ts';
import type { SortRequest } from '../../search/query.ts';
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
  /** null when neither hits nor their total are wanted. */
  readonly hits: NetworkPage | null;
}

export interface NetworkFacet {
  readonly path: string;
  readonly measure: NetworkMeasure;
}

export interface NetworkPage {
  readonly first: number;
  readonly offset: number;
  readonly sort: readonly SortRequest[];
  /** Where each node resumes; null for the first page. */
  readonly after: NetworkCursor | null;
  readonly trackTotal: boolean;
  /** Network paths of the requested fields. */
  readonly fields: readonly string[];
}

/** The position after an edge: for each node that contributed a row up to it, the cursor of its last one. */
export type NetworkCursor = ReadonlyMap<string, readonly CursorValue[]>;
