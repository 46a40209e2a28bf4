import { isDeepStrictEqual } from 'node:util';
import { asTributaryError } from '../../errors/errors.ts';
import { retryBudgetOf } from '../../net/retry.ts';
import { measureRow } from '../../facets/measures.ts';
import { isJsonObject } from '../../json/json.ts';
import { aggregationName } from '../../introspection/fields/names.ts';
import type { NodesAnswer } from '../../search/nodes-answer.ts';
import type { SearchFn } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { retryAfterWait, waitingOnce } from '../remote/requested-wait.ts';
import { openCircuit } from './circuit.ts';
import { forwardedHeaders, remoteSearch } from '../remote/client.ts';
import { discover } from '../remote/discovery/discover.ts';
import { maxTypes } from '../remote/discovery/bounded-introspection.ts';
import type { RemoteCatalogue } from '../remote/discovery/discovered-fields.ts';
import { sharedDocuments, coalesceRequests } from '../remote/coalesce-requests.ts';
import type { NodeMonitor } from './node-monitor.ts';
import { openNodeMonitor } from './node-monitor.ts';
import type { NodeObserver, NodeHandle, NodeReport } from './node-handle.ts';
import type { NodeDown, NodeSchema, NodeUp } from './node-view.ts';
import type { NodeConfig, RemoteSource } from '../config/nodes.ts';
import { assertNoErrors } from '../remote/read-answer.ts';
import { fieldMappingOf } from './field-mapping.ts';
import { noticingChanges } from './schema-changes.ts';
import type { DocumentExecutor } from '../remote/document-executor.ts';
import { documentExecutor } from '../remote/document-executor.ts';
import type { GraphqlAnswer, Transport } from '../remote/transport.ts';
import { graphqlExecutor } from '../remote/transport.ts';

/**
 * A node behind GraphQL over HTTP. Discovery starts here; if it fails, the node stays failed for the life of the
 * process and is never queried. A healthy node is discovered again from time to time, and when its answers say that it
 * offers something else, so that new fields appear.
 */
export const remoteNode = (
  config: NodeConfig,
  source: RemoteSource,
  transport: Transport,
  credential: Readonly<Record<string, string>>,
  observer: NodeObserver,
  recheckMs: number,
): NodeHandle => {
  const { nodeId, displayName } = config;
  const fieldMapping = fieldMappingOf(config);
  const watching = { nodeId, observer, isOpen: () => circuit.open() !== null };
  const monitor = openNodeMonitor({ ...watching, kind: 'remote', first: 'discovering' });
  const circuit = openCircuit(Date.now, (failure) => monitor.transitionTo('circuitOpen', failure));
  const send = graphqlExecutor(transport, source.graphqlUrl, retryBudgetOf(config));
  // a request shared by several callers fails only once
  const execute = coalesceRequests((request, take) => circuit.run(() => send(request, take), request.signal));
  const closed = new AbortController();
  let status: NodeUp | NodeDown = discovering;
  let found: RemoteCatalogue | null = null;
  const sendDocument = documentExecutor(transport, source.graphqlUrl, retryBudgetOf(config));
  const executeDocument = sharedDocuments((sent) => circuit.run(() => sendDocument(sent), sent.signal));
  const within = nodesWithin();
  const askAgain = askingAgain(config);
  const join = (remote: RemoteCatalogue): void => {
    found = remote;
    if (remote.leaves) within.know(remote.leaves);
    const search = remoteSearch(source, remote, noticing, credential);
    status = nodeUp(
      remote,
      watched(monitor, askAgain, remote.isNetwork ? within.noting(search) : search),
      supergraphCalls(source, monitor, askAgain, executeDocument, credential),
      within.keys,
      { timeoutMs: adaptedTime(config, monitor), usualMs: monitor.usualMs },
    );
  };
  let timer: NodeJS.Timeout | undefined;
  let isRechecked = false;
  const recheck = async (): Promise<boolean> => {
    if (isRechecked) return false;
    isRechecked = true;
    // one that cannot be discovered now keeps what is known of it
    const now = await discover(source, sendDocument, credential, closed.signal, found).catch(() => null);
    if (now !== null && found !== null && !offersTheSame(now, found)) join(now);
    isRechecked = false;
    return now !== null;
  };
  const isNetwork = (): boolean => found?.isNetwork === true;
  const noticing = noticingChanges(execute, recheck, Math.min(recheckMs, leastRecheckMs), isNetwork);
  const ready = discover(source, sendDocument, credential, closed.signal).then(
    (remote) => {
      join(remote);
      monitor.transitionTo('ok', null);
      if (!closed.signal.aborted) timer = setInterval(() => void recheck(), spreadOut(recheckMs)).unref();
    },
    (error: unknown) => {
      const { code, message: reason } = asTributaryError(error);
      status = { kind: 'down', code, reason };
      // a server that is shutting down says nothing about its nodes
      if (!closed.signal.aborted) monitor.transitionTo('discoveryFailed', status);
    },
  );
  return {
    ready,
    view: () => ({ config, fieldMapping, status }),
    report: () => ({ ...monitor.report(), displayName, ...foundReport(found, within.statuses) }),
    close: () => {
      closed.abort();
      clearInterval(timer);
      monitor.close();
    },
  };
};

/** So that nodes that started together are not queried together. */
const spreadOut = (ms: number): number => ms * (0.9 + 0.2 * Math.random());

/** Between two rechecks because of what answers say. */
const leastRecheckMs = 60_000;

const foundReport = (
  found: RemoteCatalogue | null,
  within: () => NodesAnswer['statuses'],
): Pick<NodeReport, 'discovery' | 'disclosure' | 'released' | 'warnings' | 'within'> => ({
  disclosure: found?.withheld ?? null,
  released: found?.released ?? null,
  discovery: found && { inferred: found.inferred, version: found.version },
  warnings: found ? remoteWarnings(found) : [],
  ...(found?.isNetwork && { within: within() }),
});

/** Whether a node offers what it did: the same schema, under the same names. */
const offersTheSame = (one: RemoteCatalogue, other: RemoteCatalogue): boolean =>
  one.version === other.version &&
  one.idPath === other.idPath &&
  isDeepStrictEqual([one.withheld, one.released], [other.withheld, other.released]) &&
  isDeepStrictEqual(one.extended, other.extended) &&
  one.schema.fingerprint === other.schema.fingerprint;

const discovering: NodeDown = { kind: 'down', code: 'NODE_DISCOVERING', reason: 'is still being discovered' };

const watched =
  (monitor: NodeMonitor, askAgain: AskAgain, search: SearchFn): SearchFn =>
  (query, context) => {
    const ask = () => search(query, context);
    return monitor.run(context.isRetried ? ask : () => askAgain(ask, context), context.signal);
  };

/** Asks once more after a wait that the node asks for, within its deadline. */
type AskAgain = <T>(ask: () => Promise<T>, context: RequestContext) => Promise<T>;

const askingAgain = (config: NodeConfig): AskAgain => {
  const waiting = waitingOnce(retryBudgetOf(config));
  return (ask, { signal }) => retryAfterWait(ask, performance.now() + config.timeoutMs, signal, waiting);
};

/** Uses the same headers, circuit and limits as the network's own queries. */
const supergraphCalls =
  (
    source: RemoteSource,
    monitor: NodeMonitor,
    askAgain: AskAgain,
    execute: DocumentExecutor,
    credential: Readonly<Record<string, string>>,
  ): NodeSchema['execute'] =>
  async (document, variables, context) => {
    let last: GraphqlAnswer = {};
    const call = async (): Promise<GraphqlAnswer> => {
      const headers = { ...credential, ...forwardedHeaders(source.headers, context) };
      const signal = context.signal ?? AbortSignal.timeout(60_000);
      last = {};
      last = await execute({ document, variables, headers, signal });
      assertNoErrors(last);
      return last;
    };
    try {
      return await monitor.run(() => askAgain(call, context), context.signal);
    } catch (error) {
      // a failure of the node, although part of the data is there
      if (isJsonObject(last.data) && Object.values(last.data).some((value) => value !== null)) return last;
      throw error;
    }
  };

/** A node that is required is given all of its time. */
const adaptedTime =
  ({ timeoutMs, adaptive, required }: NodeConfig, { adaptiveTimeoutMs }: NodeMonitor): (() => number) =>
  () =>
    adaptive && !required ? Math.min(timeoutMs, adaptiveTimeoutMs() ?? timeoutMs) : timeoutMs;

/** What a node that is a network last reported about its own nodes. */
const nodesWithin = () => {
  let keys: ReadonlyMap<string, string> = new Map();
  let statuses: NodesAnswer['statuses'] = [];
  return {
    keys: () => keys,
    statuses: () => statuses,
    know: (found: ReadonlyMap<string, string>): void => {
      keys = found;
    },
    noting:
      (search: SearchFn): SearchFn =>
      async (query, context) => {
        const answer = await search(query, context);
        if (answer.nodes) {
          keys = leavesIn(answer.nodes, keys);
          ({ statuses } = answer.nodes);
        }
        return answer;
      },
  };
};

/** The keys of the nodes of a network: the same object as long as they are the same. */
const leavesIn = (
  { statuses }: NodesAnswer,
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  // those that were not reached have said nothing new
  const isNew = statuses.some(({ nodeId, key }) => key != null && known.get(nodeId) !== key);
  const keyed = statuses.filter(({ nodeId, key }) => key != null || known.has(nodeId));
  if (!isNew && keyed.length === known.size) return known;
  return new Map(keyed.map(({ nodeId, key }) => [nodeId, key ?? known.get(nodeId)!]));
};

const nodeUp = (
  remote: RemoteCatalogue,
  search: SearchFn,
  execute: NodeSchema['execute'],
  leaves: () => ReadonlyMap<string, string>,
  times: Pick<NodeUp, 'timeoutMs' | 'usualMs'>,
): NodeUp => ({
  kind: 'up',
  ...times,
  key: remote.key ?? null,
  ...(remote.isNetwork && { leaves }),
  fields: remote.fields,
  extended: remote.extended,
  aggregates: (path, measure) => {
    const kind = remote.fields.get(path)?.kind;
    const offered = remote.aggregations.get(aggregationName(path));
    const wanted = kind === 'number' || kind === 'date' ? 'numbers' : 'values';
    // text is listed there like keyword, but refused when queried
    if (kind === 'text' || offered?.type !== wanted) return false;
    return offered.fields.has(measureRow(measure).remoteField);
  },
  takes: (path, measure, argument) =>
    remote.aggregations
      .get(aggregationName(path))
      ?.fields.get(measureRow(measure).remoteField)
      ?.has(argument) === true,
  shows: (path, measure, name) =>
    remote.aggregations
      .get(aggregationName(path))
      ?.fields.has(`${measureRow(measure).remoteField}.${name}`) === true,
  search,
  isWhole: remote.hasSource,
  hasBounds: remote.hasBounds,
  ...(remote.withheld && { withheld: remote.withheld }),
  // one invalid schema would break the whole supergraph, and a huge one would slow it down
  ...(remote.cutFrom === null &&
    remote.schema.isValid && { schema: { schema: remote.schema.read, execute } }),
});

const remoteWarnings = ({ inferred, schema, cutFrom }: RemoteCatalogue): readonly string[] => [
  ...(inferred
    ? [
        'its fields are inferred from GraphQL names because it does not answer configs { extended }; filters may miss some records',
      ]
    : []),
  ...(cutFrom === null
    ? []
    : [`its schema has ${cutFrom} types, more than ${maxTypes}: it has no root field of its own here`]),
  ...(schema.isValid ? [] : ['its schema is not valid GraphQL: it has no root field of its own here']),
];
