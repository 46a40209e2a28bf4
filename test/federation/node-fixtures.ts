import { timeLeftMs } from '../../src/federation/remote/node-statements.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import type { Fields } from '../../src/introspection/fields/field.ts';
import type { SearchFn } from '../../src/search/query.ts';
import type { RequestContext } from '../../src/search/request-context.ts';
import { Trace } from '../../src/search/request-context.ts';
import type { NodeView } from '../../src/federation/nodes/node-view.ts';
import { fieldMappingOf } from '../../src/federation/nodes/node-view.ts';
import type { NodesQuery } from '../../src/federation/query/network-query.ts';
import type { NodeConfig } from '../../src/federation/config/nodes.ts';
import { contextFor } from '../search/request-context.ts';

export const nodeConfig = (nodeId: string, overrides: Partial<NodeConfig> = {}): NodeConfig => ({
  nodeId,
  displayName: `Node ${nodeId}`,
  source: { kind: 'local', catalogueId: nodeId },
  timeoutMs: 60_000,
  required: false,
  fields: new Map(),
  values: new Map(),
  unavailableBucket: false,
  ...overrides,
});

export const nodeView = (
  nodeId: string,
  fields: Fields,
  search: SearchFn = () => Promise.reject(new TributaryError('NODE_REFUSED', 'not queried in this test')),
  overrides: Partial<NodeConfig> = {},
): NodeView => {
  const config = nodeConfig(nodeId, overrides);
  const aggregates = (path: string): boolean => fields.get(path)?.kind !== 'text';
  return { config, fieldMapping: fieldMappingOf(config), status: { kind: 'up', fields, aggregates, search } };
};

/** @param warnings collects each warning; @param headers of the caller, whose request has just arrived */
export const contextOf = (warnings: string[] = [], headers: Record<string, string> = {}): RequestContext => {
  const context = contextFor({ headers }, new ListingTrace(warnings));
  const leftMs = timeLeftMs(headers);
  return leftMs === undefined ? context : context.withDueTime(performance.now() + leftMs);
};

class ListingTrace extends Trace {
  override readonly warn: (message: string) => void;

  constructor(warnings: string[]) {
    super();
    this.warn = (message) => void warnings.push(message);
  }
}

/** A question without a filter to all nodes. */
export const questionOf = (hits: NodesQuery['hits'], more: Partial<NodesQuery> = {}): NodesQuery => ({
  filters: null,
  filterThemselves: false,
  includeMissing: true,
  only: null,
  facets: [],
  hits,
  ...more,
});

/** How many records there are, and none of them. */
export const countsOnly = questionOf({
  first: 0,
  offset: 0,
  sort: [],
  after: null,
  trackTotal: true,
  fields: [],
});
