import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Engine } from '../../../engines/engine.ts';
import { asTributaryError } from '../../../lib/errors/errors.ts';
import type { ServedNetwork } from '../callers/served.ts';
import type { NodeObserver } from '../../../federation/nodes/node-view.ts';
import type { Gate } from '../callers/gate.ts';
import type { MemoryAccount } from '../../../lib/runtime/memory-account.ts';
import { serverCommit, serverVersion } from '../../../lib/runtime/server-version.ts';

/** Why a caller was turned away: `token` for an invalid token; `busy` when too much was waiting. */
export type Refusal = 'token' | 'busy';

/** A request that has ended. */
export interface EndedRequest {
  /** The pattern of its route; undefined for unknown paths, which must not become labels. */
  readonly route: string | undefined;
  readonly status: number;
  readonly tookMs: number;
  /** Why its caller was turned away; null: they were not. */
  readonly refusal: Refusal | null;
  /** The outcome of each GraphQL operation: `ok`, `partial`, or the code of its first error. */
  readonly operations: readonly string[];
}

/** The metrics of a node, in a separate registry. */
export interface Metrics {
  readonly requestStarted: () => void;
  /** Called once for each request that started. */
  readonly requestEnded: (request: EndedRequest) => void;
  /** Counts a failed fetch of the token keys. */
  readonly keysFailed: () => void;
  /**
   * Exports numbers that are read whenever metrics are.
   * @param label the label that distinguishes them; unset: there is only one
   */
  readonly gauge: (name: string, help: string, read: ReadGauge, label?: string) => void;
  /** The engine, instrumented to measure searches. */
  readonly measured: (engine: Engine) => Engine;
  /** Observes the nodes of a network. */
  readonly nodeObserver: (network: string) => NodeObserver;
  /** Sets the networks whose node states are exported. */
  readonly watch: (networks: () => readonly Pick<ServedNetwork, 'id' | 'network'>[]) => void;
  /** Sets the gate whose queue is exported. */
  readonly watchGate: (gate: Pick<Gate, 'state'>) => void;
  /** Sets the account of memory that is exported. */
  readonly watchMemory: (account: MemoryAccount) => void;
  /** The metrics in the Prometheus text format. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
}

/** The current values of a gauge, each with the value of its label. */
export type ReadGauge = () => Samples | Promise<Samples>;
type Samples = readonly (readonly [value: number, label?: string])[];

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** How many nodes of a network have series of their own: a thousand would make tens of thousands of series. */
const maxNodes = 100;
/** The label for the sum of all other nodes. */
const otherNodes = '(others)';

/** Opens the metrics of one server. All labels have low cardinality: routes, codes, ids of a bounded number of nodes. */
export const openMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = histogram(
    registry,
    'tributary_http_request_duration_seconds',
    'HTTP requests by route and status.',
    ['route', 'status'],
  );
  const searches = histogram(
    registry,
    'tributary_engine_search_duration_seconds',
    'Searches of the engine by index and outcome: ok or the code of the error.',
    ['index', 'outcome'],
  );
  const inFlight = new Gauge({
    name: 'tributary_http_requests_in_flight',
    help: 'HTTP requests whose connection still waits for the rest of the response.',
    registers: [registry],
  });
  new Gauge({
    name: 'tributary_build_info',
    help: 'Always 1, by the version of this server and the commit that it was built from.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  }).set({ version: serverVersion(), commit: serverCommit() ?? 'unknown' }, 1);
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const operations = counter(
    'tributary_graphql_operations_total',
    'GraphQL operations by outcome: ok, partial (some node of a network did not answer) or the code of the first error.',
    ['outcome'],
  );
  const refusals = counter(
    'tributary_http_refusals_total',
    'Requests refused for a token that is not valid, or as the server was busy.',
    ['reason'],
  );
  const keyFailures = counter(
    'tributary_token_keys_failures_total',
    'How often the keys of JWKS_URL could not be fetched.',
    [],
  );
  return {
    requestStarted: () => inFlight.inc(),
    keysFailed: () => keyFailures.inc(),
    gauge: (...gauge) => exportGauge(registry, ...gauge),
    requestEnded: ({ route = 'other', status, tookMs, refusal, operations: outcomes }) => {
      inFlight.dec();
      if (refusal !== null) refusals.inc({ reason: refusal });
      for (const outcome of outcomes) operations.inc({ outcome });
      requests.observe({ route, status }, tookMs / 1_000);
    },
    measured: (engine) => measuredEngine(engine, searches),
    ...nodeMetrics(registry),
    watchGate: (gate) => exportGate(registry, gate),
    watchMemory: (account) => exportMemory(registry, account),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
};

/** Bounds of durations, in seconds. */
const histogram = <Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
): Histogram<Label> => new Histogram({ name, help, labelNames, buckets, registers: [registry] });

const measuredEngine = (engine: Engine, searches: Histogram<'index' | 'outcome'>): Engine => {
  const search: Engine['search'] = async (index, query, options) => {
    const ended = searches.startTimer({ index });
    try {
      const result = await engine.search(index, query, options);
      ended({ outcome: 'ok' });
      return result;
    } catch (error) {
      ended({ outcome: asTributaryError(error).code });
      throw error;
    }
  };
  return {
    search,
    describe: (index) => engine.describe(index),
    write: (index, operations, options) => engine.write(index, operations, options),
    manage: (action) => engine.manage(action),
    close: () => engine.close(),
  };
};

const exportGauge = (
  registry: Registry,
  ...[name, help, read, label]: Parameters<Metrics['gauge']>
): void => {
  const labelNames = label === undefined ? [] : [label];
  new Gauge({
    ...{ name, help, labelNames, registers: [registry] },
    async collect() {
      this.reset();
      for (const [value, labelled] of await read())
        this.set(label === undefined ? {} : { [label]: labelled ?? '' }, value);
    },
  });
};

const exportMemory = (registry: Registry, account: MemoryAccount): void => {
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => number): void =>
    exportGauge(registry, name, help, () => [[value()]]);
  gauge(
    'tributary_requests_memory_bytes',
    'Memory that requests hold, as accounted.',
    () => account.usedBytes,
  );
  gauge('tributary_requests_memory_limit_bytes', 'What they may hold.', () => account.maxBytes);
  new Counter({
    name: 'tributary_requests_memory_full_total',
    help: 'How often there was no memory: for a request that was refused, or one dropped since its client stalled.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      this.inc({ outcome: 'refused' }, account.refusals);
      this.inc({ outcome: 'dropped' }, account.drops);
    },
  });
};

const exportGate = (registry: Registry, gate: Pick<Gate, 'state'>): void => {
  const registers = [registry];
  exportGauge(registry, 'tributary_waiting_searches', 'Searches that wait for their turn.', () => [
    [gate.state.waiting],
  ]);
  new Counter({
    name: 'tributary_waiting_searches_seconds_total',
    help: 'How long searches have waited for their turns, all together.',
    registers,
    collect() {
      this.reset();
      this.inc(gate.state.waitedMs / 1_000);
    },
  });
};

const nodeMetrics = (registry: Registry): Pick<Metrics, 'nodeObserver' | 'watch'> => {
  const calls = histogram(
    registry,
    'tributary_node_request_duration_seconds',
    'Requests to nodes of a network by outcome: ok or the code of the error.',
    ['network', 'node', 'outcome'],
  );
  const circuits = new Counter({
    name: 'tributary_node_circuit_opened_total',
    help: 'How often a node was paused after repeated failures.',
    labelNames: ['network', 'node'],
    registers: [registry],
  });
  let watched: Parameters<Metrics['watch']>[0] = () => [];
  const labelOf = nodeLabels();
  new Gauge({
    name: 'tributary_node_state',
    help: 'How many nodes of this label are in each state, as GET /network names it: 1 for a single node.',
    labelNames: ['network', 'node', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { id: network, network: opened } of watched())
        for (const { nodeId, state } of opened.state().nodes)
          this.inc({ network, node: labelOf(network, nodeId), state });
    },
  });
  new Gauge({
    name: 'tributary_node_connected',
    help: 'How many nodes of this label that dial in are connected: 1 or 0 for a single node.',
    labelNames: ['network', 'node'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { id: network, network: opened } of watched())
        for (const { nodeId, isConnected } of opened.state().nodes)
          if (isConnected !== undefined)
            this.inc({ network, node: labelOf(network, nodeId) }, Number(isConnected));
    },
  });
  return {
    nodeObserver: (network) => ({
      changed: ({ nodeId, state }) => {
        if (state === 'circuitOpen') circuits.inc({ network, node: labelOf(network, nodeId) });
      },
      called: ({ nodeId, code, tookMs }) =>
        calls.observe({ network, node: labelOf(network, nodeId), outcome: code ?? 'ok' }, tookMs / 1_000),
    }),
    watch: (networks) => void (watched = networks),
  };
};

/** The first nodes of each network by id; assigned labels stay, or a series would change its meaning. */
const nodeLabels = (): ((network: string, nodeId: string) => string) => {
  const named = new Map<string, Set<string>>();
  return (network, nodeId) => {
    const ids = named.get(network) ?? new Set();
    named.set(network, ids);
    if (ids.size < maxNodes) ids.add(nodeId);
    return ids.has(nodeId) ? nodeId : otherNodes;
  };
};
