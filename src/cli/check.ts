import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { openEngine } from '../engines/open.ts';
import { openNetwork } from '../federation/network.ts';
import type { NetworkConfig } from '../federation/nodes.ts';
import { openRegistry, type Registry } from '../local/registry.ts';
import { explained } from './explained.ts';
import { readNetworks } from '../node/networks.ts';
import { tokenAccessFilter } from '../node/token-access-filter.ts';
import { catalogueLines } from './node-lines.ts';

/** What was found, line by line, and whether all of it is fine. */
interface Finding {
  readonly lines: readonly string[];
  readonly fine: boolean;
}

/**
 * The command `tributary check`: tries the configuration, every catalogue and every node as `start` would, without
 * serving, and says what it found.
 * @returns the exit code: 0 when everything can be searched, 1 when something cannot
 */
export const runCheck = async (env: NodeJS.ProcessEnv): Promise<number> => {
  try {
    const config = loadConfig(env);
    const findings = await check(config, env);
    console.log(findings.flatMap(({ lines }) => lines).join('\n'));
    return findings.every(({ fine }) => fine) ? 0 : 1;
  } catch (error) {
    console.error(`tributary check: ${explained(error)}`);
    return 1;
  }
};

const check = async (config: Config, env: NodeJS.ProcessEnv): Promise<Finding[]> => {
  const { catalogues, server, ofCatalogues } = readNetworks(config);
  tokenAccessFilter(config);
  const engine = await openEngine(config.engine);
  try {
    const registry = await openRegistry(catalogues, engine, { strictFilters: config.strictFilters });
    try {
      const networks = [...(server === null ? [] : [server]), ...ofCatalogues.values()];
      return [
        { lines: config.warnings.map((warning) => `warning: ${warning}`), fine: true },
        checkedCatalogues(registry),
        ...(await Promise.all(networks.map((network) => checkedNetwork(network, registry, env)))),
      ];
    } finally {
      registry.close();
    }
  } finally {
    await engine.close();
  }
};

const checkedCatalogues = (registry: Registry): Finding => ({
  lines: registry
    .states()
    .flatMap((state) => [
      ...catalogueLines([state]),
      ...(state.status === 'available' ? state.catalogue.warnings.map((warning) => `    ${warning}`) : []),
    ]),
  fine: registry.aggregate() === 'healthy',
});

const checkedNetwork = async (
  config: NetworkConfig,
  registry: Registry,
  env: NodeJS.ProcessEnv,
): Promise<Finding> => {
  const network = openNetwork(config, registry.byId, { secret: (variable) => env[variable] });
  try {
    await network.ready;
    const { displayName, nodes, warnings } = network.state();
    const node = ({ nodeId, state, lastError, warnings: ofNode }: (typeof nodes)[number]): string[] => [
      `    node ${nodeId}: ${state}${lastError === null ? '' : `, ${lastError}`}`,
      ...ofNode.map((warning) => `      ${warning}`),
    ];
    return {
      lines: [
        `  network ${displayName} (${config.where})`,
        ...nodes.flatMap(node),
        ...warnings.map((warning) => `    ${warning}`),
      ],
      fine: nodes.every(({ state }) => state === 'ok'),
    };
  } finally {
    await network.close();
  }
};
