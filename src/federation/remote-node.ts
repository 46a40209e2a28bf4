import type { GraphQLSchema } from 'graphql';
import { validateSchema } from 'graphql';
import { asTributaryError } from '../errors.ts';
import { aggregationName } from '../introspection/names.ts';
import type { SearchFn } from '../local/query.ts';
import type { Circuit } from './circuit.ts';
import { withCircuit } from './circuit.ts';
import { forwarded, remoteSearch } from './client.ts';
import { discover } from './discover.ts';
import type { RemoteCatalogue } from './discovered-fields.ts';
import { sharedInFlight } from './in-flight.ts';
import type { NodeReport, NodeSource } from './node-source.ts';
import type { NodeDown, NodeSchema, NodeUp } from './node-view.ts';
import type { NodeConfig, RemoteSource } from './nodes.ts';
import { renamingOf } from './renaming.ts';
import type { Transport } from './transport.ts';
import { graphqlExecutor } from './transport.ts';

/**
 * A node behind GraphQL over HTTP. Its discovery starts here; when it fails, the node stays errored for the life of
 * the process and is never asked.
 */
export const remoteNode = (
  config: NodeConfig,
  source: RemoteSource,
  transport: Transport,
  credential: Readonly<Record<string, string>>,
): NodeSource => {
  const renaming = renamingOf(config);
  const execute = sharedInFlight(graphqlExecutor(transport, source.graphqlUrl));
  const closed = new AbortController();
  let status: NodeUp | NodeDown = discovering;
  let circuit: Circuit | null = null;
  let report: Pick<NodeReport, 'state' | 'since' | 'lastError' | 'warnings'> = {
    state: 'discovering',
    since: new Date().toISOString(),
    lastError: null,
    warnings: [],
  };
  const ready = discover(source, execute, credential, closed.signal).then(
    (remote) => {
      circuit = withCircuit(remoteSearch(source, remote, execute, credential));
      const send: NodeSchema['execute'] = (document, variables, caller) => {
        const headers = { ...credential, ...forwarded(source.headers, caller) };
        const signal = caller.signal ?? closed.signal;
        return execute({ document, ...(variables && { variables }), headers, signal });
      };
      status = nodeUp(remote, circuit.search, send);
      report = {
        state: 'ok',
        since: new Date().toISOString(),
        lastError: null,
        warnings: remoteWarnings(remote),
      };
    },
    (error: unknown) => {
      const { code, message: reason } = asTributaryError(error);
      status = { kind: 'down', code, reason };
      report = { state: 'discoveryFailed', since: new Date().toISOString(), lastError: reason, warnings: [] };
    },
  );
  const { nodeId, displayName } = config;
  return {
    ready,
    view: () => ({ config, renaming, status }),
    report: () => ({
      nodeId,
      displayName,
      kind: 'remote',
      ...report,
      ...(circuit && circuitReport(circuit)),
    }),
    close: () => closed.abort(),
  };
};

const discovering: NodeDown = { kind: 'down', code: 'NOT_READY', reason: 'is still being discovered' };

/** A node that discovery found: what its queries came to since. */
const circuitReport = (circuit: Circuit): Partial<NodeReport> => {
  const open = circuit.open();
  const lastError = circuit.lastError();
  return open
    ? { state: 'circuitOpen', since: new Date(open.sinceMs).toISOString(), lastError }
    : { lastError };
};

const nodeUp = (remote: RemoteCatalogue, search: SearchFn, execute: NodeSchema['execute']): NodeUp => ({
  kind: 'up',
  fields: remote.fields,
  aggregates: (path) => {
    const kind = remote.fields.get(path)?.kind;
    const offered = remote.aggregations.get(aggregationName(path));
    // text is listed there like keyword, and refused when asked
    return kind !== 'text' && offered === (kind === 'number' || kind === 'date' ? 'numeric' : 'terms');
  },
  search,
  // one schema that is not valid would take the whole supergraph with it
  ...(isValid(remote.schema) && { schema: { schema: () => remote.schema, execute } }),
});

const isValid = (schema: GraphQLSchema): boolean => validateSchema(schema).length === 0;

const remoteWarnings = ({ inferred, schema }: RemoteCatalogue): readonly string[] => [
  ...(inferred
    ? [
        'its fields are derived from GraphQL names, for it does not answer configs { extended }; filters may miss',
      ]
    : []),
  ...(isValid(schema) ? [] : ['its schema is not valid GraphQL: it has no root field of its own here']),
];
