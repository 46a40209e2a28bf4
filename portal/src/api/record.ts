import { aggregationName } from '../../../src/introspection/fields/field.ts';
import type { Catalogue } from './catalogue.ts';
import type { RecordKey } from '../state/view.ts';
import { ApiError, dataOf, send, type GraphQLBody } from './server.ts';

/** A whole record; `document` is as stored by its institution, or its values by path if only these are known. */
export interface WholeRecord {
  readonly document: Readonly<Record<string, unknown>>;
  /** Whether the document keeps the objects of its lists separate. */
  readonly isNested: boolean;
}

export type FoundRecord =
  | {
      readonly kind: 'found';
      readonly record: WholeRecord;
      /** What its institution does not show of it, in the server's words. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'silent'; readonly state: string };

/** One record by its key and its institution. @throws ApiError */
export const askRecord = async (
  catalogue: Catalogue,
  { id, nodeId, key }: RecordKey,
  signal?: AbortSignal,
): Promise<FoundRecord> => {
  const filters =
    key === undefined
      ? { op: 'is', content: { fieldName: '_id', value: [id] } }
      : { op: 'is', content: { fieldName: '_key', value: [key] } };
  return catalogue.documentType === null
    ? askNetwork(catalogue, filters, nodeId, signal)
    : askDocument(catalogue, filters, nodeId, signal);
};

interface Edges {
  readonly edges: readonly { readonly node: Readonly<Record<string, unknown>> }[];
}

const askDocument = async (
  { source, documentType }: Catalogue,
  filters: unknown,
  nodeId: string | null,
  signal?: AbortSignal,
): Promise<FoundRecord> => {
  const ofNode = source.kind === 'network' && nodeId !== null;
  const document = `query Portal($filters: JSON${ofNode ? ', $nodes: [String]' : ''}) { ${documentType}${ofNode ? '(nodesFilter: $nodes)' : ''} {
    hits(first: 1, filters: $filters) { edges { node { _source } } } } }`;
  const variables = { filters, ...(ofNode ? { nodes: [nodeId] } : {}) };
  try {
    const answer = await send<Record<string, { hits: Edges } | null>>(
      source.path,
      document,
      variables,
      signal,
    );
    const found = dataOf(answer)[documentType!]?.hits.edges[0]?.node['_source'];
    return found == null
      ? { kind: 'missing' }
      : {
          kind: 'found',
          record: { document: found as WholeRecord['document'], isNested: true },
          warnings: warningsOf(answer),
        };
  } catch (error) {
    if (ofNode && error instanceof ApiError && error.kind === 'unavailable')
      return { kind: 'silent', state: 'unreachable' };
    throw error;
  }
};

const askNetwork = async (
  { source, fields }: Catalogue,
  filters: unknown,
  nodeId: string | null,
  signal?: AbortSignal,
): Promise<FoundRecord> => {
  const own = [...fields.values()].filter(
    ({ kind, nodes }) =>
      kind !== 'nested' && kind !== 'other' && (nodeId === null || nodes === null || nodes.includes(nodeId)),
  );
  const selection = own.map(({ path }) => aggregationName(path)).join(' ');
  const document = `query Portal($filters: JSON, $nodes: [String]) { network(filters: $filters, nodesFilter: $nodes) {
    nodes { nodeId state } hits(first: 1) { edges { node { id ${selection} } } } } }`;
  const variables = { filters, nodes: nodeId === null ? null : [nodeId] };
  const answer = await send<{ network: { nodes: { nodeId: string; state: string }[]; hits: Edges } }>(
    source.path,
    document,
    variables,
    signal,
  );
  const { network } = dataOf(answer);
  const found = network.hits.edges[0]?.node;
  if (found !== undefined)
    return {
      kind: 'found',
      record: {
        document: Object.fromEntries(own.map(({ path }) => [path, found[aggregationName(path)]])),
        isNested: false,
      },
      warnings: warningsOf(answer),
    };
  const state = network.nodes.find((node) => node.nodeId === nodeId)?.state ?? 'ok';
  return state === 'ok' ? { kind: 'missing' } : { kind: 'silent', state };
};

const warningsOf = ({ extensions }: GraphQLBody<object>): readonly string[] => extensions?.warnings ?? [];
