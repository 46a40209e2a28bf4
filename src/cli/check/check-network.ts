import type { LiveNetwork, LiveNode } from '../reload/live-states.ts';
import { secretIn } from '../../server/config/environment.ts';
import type { NodeReport, NodeView } from '../../federation/nodes/node-view.ts';
import { openNetwork, type NetworkState } from '../../federation/network.ts';
import {
  inconsistentSpellings,
  missingFields,
  type FieldCoverage,
} from '../../federation/nodes/network-fields.ts';
import type { NetworkConfig, RemoteSource } from '../../federation/config/nodes.ts';
import { graphqlSegment } from '../../introspection/fields/field.ts';
import { aboutProblems } from './check-about.ts';
import { hierarchyLines } from './check-hierarchies.ts';
import { checkPortal } from './check-portal.ts';
import { checkProfile } from './check-profile.ts';
import { checkValues } from './check-values.ts';
import { probeNode, type NodeProbe } from '../../federation/remote/probe-node.ts';
import { openTransport } from '../../federation/remote/http-executor.ts';
import { openSemaphore } from '../../lib/concurrency/locks.ts';
import type { Registry } from '../../local/registry.ts';

/** The results of checking one network; printed as JSON, except for `portal`. */
export interface CheckedNetwork {
  readonly name: string;
  /** The file that configures it. */
  readonly where: string;
  readonly nodes: readonly CheckedNode[];
  readonly fields: NetworkState['fields'];
  readonly warnings: readonly string[];
  /** Its fields with their configs for portals. */
  readonly portal: NetworkState['portal'];
  /** Names, types and values in nodes.json that match nothing, and nodes that differ from its disclosure profile. */
  readonly problems: readonly string[];
  readonly fine: boolean;
}

export interface CheckedNode {
  readonly nodeId: string;
  /** The name of its root field in the network's schema. */
  readonly graphqlName: string;
  readonly name: string;
  readonly kind: NodeReport['kind'];
  /** Its server opens the connection, but only to the running server. */
  readonly dialsIn: boolean;
  /** Origin and path of a remote node: the query string may contain a key. */
  readonly address: string | null;
  /** null for a node without an address. */
  readonly reachability: NodeProbe | null;
  /** `refused`: it was discovered, but its URL refuses even the simplest query. */
  readonly state: NodeReport['state'] | 'refused';
  readonly code: string | null;
  readonly reason: string | null;
  /** How long discovery took, in milliseconds; null for a local node. */
  readonly discoveryMs: number | null;
  readonly inferred: boolean | null;
  readonly version: string | null;
  /** How many institutions are behind a node that is a network; null: it is none, or not discovered. */
  readonly institutions: number | null;
  readonly warnings: readonly string[];
}

export interface CheckSettings {
  readonly env: NodeJS.ProcessEnv;
  /** The maximum levels of a GraphQL document, unless a network's file sets its own limit. */
  readonly maxDepth: number;
  /** What a server that runs here says of its network; unset: none runs. */
  readonly live?: LiveNetwork;
}

/** The same number as for discovery: each probe takes a connection or two. */
const maxProbes = 64;
/** Each probe has its own timeout. */
const never = new AbortController().signal;

/**
 * Joins a network as `start` would, and also probes each remote node's URL.
 * @throws TributaryError CONFIG_INVALID when a credential's variable is not set
 */
export const checkNetwork = async (
  config: NetworkConfig,
  registry: Registry,
  settings: CheckSettings,
): Promise<CheckedNetwork> => {
  const { env } = settings;
  const startedMs = Date.now();
  const network = openNetwork(config, registry.byId, { secret: (variable) => secretIn(env, variable) });
  const transport = openTransport(0);
  try {
    const probing = openSemaphore(maxProbes);
    const probes = await Promise.all(
      config.nodes.map(async ({ source, timeoutMs }) => {
        if (source.kind === 'local' || source.dialsIn !== undefined) return null;
        const end = await probing.acquire(never);
        return probeNode(transport, source.graphqlUrl, timeoutMs, credentialOf(source, env)).finally(end);
      }),
    );
    await network.ready;
    const views = network.nodes();
    const { displayName: name, nodes: reports, warnings, fields: seen, portal } = network.state();
    const nodes = config.nodes.map(({ source }, index): CheckedNode => {
      const checked = checkedNode(reports[index]!, views[index]!, startedMs);
      return { ...checked, ...reached(source, checked, probes[index]!, settings.live) };
    });
    const isWhole = nodes.every(({ state, dialsIn }) => state === 'ok' && !dialsIn);
    const ofPortal = checkPortal({
      ...portal,
      sections: config.sections ?? {},
      where: config.where,
      maxDepth: config.limits?.maxDepth ?? settings.maxDepth,
      isWhole,
    });
    const ofValues = await checkValues(views, config.hierarchies);
    const catalogue = network.catalogue();
    const ofHierarchies = catalogue === null ? [] : await hierarchyLines(catalogue);
    const ofProfile = checkProfile(config, reports, registry.byId);
    const problems = [
      // a field may belong to a node that is down
      ...(isWhole
        ? aboutProblems(config.sections?.catalogue ?? {}, portal.fields, 'network.catalogue.')
        : []),
      ...inconsistentSpellings(config),
      ...missingFields(views),
      ...ofValues.problems,
      ...ofPortal.problems,
      ...ofProfile.problems,
    ];
    const fine = problems.length === 0 && nodes.every(({ state, dialsIn }) => state === 'ok' || dialsIn);
    const own = warnings.filter((warning) => !problems.includes(warning));
    const others = [
      ...own,
      ...ofPortal.warnings,
      ...ofProfile.warnings,
      ...ofValues.warnings,
      ...ofHierarchies,
    ];
    const { where } = config;
    const fields = withLiveFields(seen, nodes, settings.live?.fields ?? []);
    return { name, where, nodes, fields, warnings: others, portal, problems, fine };
  } finally {
    await Promise.all([network.close(), transport.close()]);
  }
};

/** How a node is reached; of one that dials in only a running server knows whether it is there. */
const reached = (
  source: NetworkConfig['nodes'][number]['source'],
  { nodeId, state, reason }: Pick<CheckedNode, 'nodeId' | 'reason'> & Pick<NodeReport, 'state'>,
  reachability: NodeProbe | null,
  live: CheckSettings['live'],
) => {
  if (source.kind === 'local') return { reason, dialsIn: false, address: null, reachability };
  if (source.dialsIn === undefined) {
    const address = withoutQuery(source.graphqlUrl);
    return { reason, ...refusal(state, reachability), dialsIn: false, address, reachability };
  }
  const seen = live?.nodes.get(nodeId);
  const known = seen && { state: seen.state, institutions: seen.institutions ?? null };
  return { ...known, reason: reasonOf(seen), dialsIn: true, address: null, reachability };
};

/** The fields with those of nodes that dial in, as the running server knows them. */
const withLiveFields = (
  fields: NetworkState['fields'],
  nodes: readonly CheckedNode[],
  live: NetworkState['fields'],
): NetworkState['fields'] => {
  const dialled = new Set(nodes.filter(({ dialsIn }) => dialsIn).map(({ nodeId }) => nodeId));
  const known = new Map(fields.map((field) => [field.path, field]));
  const only = live.filter(
    ({ path, nodes: cells }) =>
      !known.has(path) && cells.some(({ nodeId, state }) => state === 'covered' && dialled.has(nodeId)),
  );
  const liveCells = new Map(live.map(({ path, nodes: cells }) => [path, cells] as const));
  return [...fields, ...only].map((field) => ({
    ...field,
    nodes: nodes.map(({ nodeId }): FieldCoverage => {
      const ofLive = liveCells.get(field.path)?.find((cell) => cell.nodeId === nodeId);
      const here = known.get(field.path)?.nodes.find((cell) => cell.nodeId === nodeId);
      const unknown = { nodeId, path: null, type: null, state: 'unknown', reason: null } as const;
      return (dialled.has(nodeId) ? ofLive : here) ?? here ?? ofLive ?? unknown;
    }),
  }));
};

/** For a node that dials in: this process has no tunnel to it. */
const reasonOf = (live: LiveNode | undefined): string =>
  live === undefined
    ? 'as it dials in, only the server of this network knows whether it is there, and none runs here'
    : 'as the running server says';

/** The node's own credential, sent as in discovery and queries. */
const credentialOf = (
  { credential }: RemoteSource,
  env: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> => {
  const value = credential === null ? undefined : secretIn(env, credential.variable);
  return credential === null || value === undefined ? {} : { [credential.header]: value };
};

/** A discovered node that refuses queries cannot be used. */
const refusal = (state: NodeReport['state'], probe: NodeProbe | null): Partial<CheckedNode> =>
  state === 'ok' && probe !== null && probe.status !== null && probe.status >= 400
    ? { state: 'refused', code: 'NODE_REFUSED', reason: `it answers a query with HTTP ${probe.status}` }
    : {};

const checkedNode = (
  report: NodeReport,
  { status }: NodeView,
  startedMs: number,
): Omit<CheckedNode, 'address' | 'reachability' | 'dialsIn' | 'state'> & {
  readonly state: NodeReport['state'];
} => ({
  nodeId: report.nodeId,
  graphqlName: graphqlSegment(report.nodeId),
  name: report.displayName,
  kind: report.kind,
  state: report.state,
  code: report.lastErrorCode,
  reason:
    status.kind === 'down' && status.hint !== undefined
      ? `${report.lastError}: ${status.hint}`
      : report.lastError,
  discoveryMs: report.kind === 'local' ? null : Math.max(0, Date.parse(report.since) - startedMs),
  inferred: report.discovery?.inferred ?? null,
  version: report.discovery?.version ?? null,
  institutions: report.institutions ?? null,
  warnings: report.warnings,
});

const withoutQuery = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};
