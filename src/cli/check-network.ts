import type { NodeReport } from '../federation/node-source.ts';
import { openNetwork, type NetworkState } from '../federation/network.ts';
import type { NetworkConfig } from '../federation/nodes.ts';
import { probeNode, type NodeProbe } from '../federation/probe-node.ts';
import { openTransport } from '../federation/transport.ts';
import type { Registry } from '../local/registry.ts';

/** One network as `check` found it; printed as JSON as it is. */
export interface CheckedNetwork {
  readonly name: string;
  /** Where it is configured. */
  readonly where: string;
  readonly nodes: readonly CheckedNode[];
  readonly fields: NetworkState['fields'];
  readonly warnings: readonly string[];
  readonly fine: boolean;
}

export interface CheckedNode {
  readonly nodeId: string;
  readonly name: string;
  readonly kind: NodeReport['kind'];
  /** Origin and path of a remote node: what a query string holds may be a key. */
  readonly address: string | null;
  /** null for a local node. */
  readonly reachability: NodeProbe | null;
  readonly state: NodeReport['state'];
  readonly code: string | null;
  readonly reason: string | null;
  /** How long discovery took, in milliseconds; null for a local node. */
  readonly discoveryMs: number | null;
  readonly inferred: boolean | null;
  readonly version: string | null;
  readonly warnings: readonly string[];
}

/**
 * Joins a network as `start` would, and tries each remote node's address beside that.
 * @throws TributaryError CONFIG_INVALID when a credential's variable is not set
 */
export const checkNetwork = async (
  config: NetworkConfig,
  registry: Registry,
  env: NodeJS.ProcessEnv,
): Promise<CheckedNetwork> => {
  const startedMs = Date.now();
  const network = openNetwork(config, registry.byId, { secret: (variable) => env[variable] });
  const transport = openTransport(0);
  try {
    const probes = await Promise.all(
      config.nodes.map(({ source, timeoutMs }) =>
        source.kind === 'local' ? null : probeNode(transport, source.graphqlUrl, timeoutMs),
      ),
    );
    await network.ready;
    const { displayName: name, nodes: reports, warnings, fields } = network.state();
    const nodes = config.nodes.map(({ source }, index): CheckedNode => {
      const address = source.kind === 'local' ? null : withoutQuery(source.graphqlUrl);
      return { ...checkedNode(reports[index]!, startedMs), address, reachability: probes[index]! };
    });
    const fine = nodes.every(({ state }) => state === 'ok');
    return { name, where: config.where, nodes, fields, warnings, fine };
  } finally {
    await Promise.all([network.close(), transport.close()]);
  }
};

const checkedNode = (
  report: NodeReport,
  startedMs: number,
): Omit<CheckedNode, 'address' | 'reachability'> => ({
  nodeId: report.nodeId,
  name: report.displayName,
  kind: report.kind,
  state: report.state,
  code: report.lastErrorCode,
  reason: report.lastError,
  discoveryMs: report.kind === 'local' ? null : Math.max(0, Date.parse(report.since) - startedMs),
  inferred: report.discovery?.inferred ?? null,
  version: report.discovery?.version ?? null,
  warnings: report.warnings,
});

const withoutQuery = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};
