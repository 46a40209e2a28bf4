import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { openEngine } from '../engines/open.ts';
import { openNetwork } from '../federation/network.ts';
import type { NetworkConfig } from '../federation/nodes.ts';
import { unmappedNames } from '../introspection/unmapped-names.ts';
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
 * serving, and says all that it found.
 * @returns the exit code: 0 when everything can be searched as configured, 1 when something is wrong
 */
export const runCheck = async (env: NodeJS.ProcessEnv): Promise<number> => {
  try {
    const findings = await check(loadConfig(env), env);
    console.log(findings.flatMap(({ lines }) => lines).join('\n'));
    return findings.every(({ fine }) => fine) ? 0 : 1;
  } catch (error) {
    console.error(`tributary check: ${explained(error)}`);
    return 1;
  }
};

const check = async (config: Config, env: NodeJS.ProcessEnv): Promise<Finding[]> => {
  const found: Finding[] = [
    { lines: config.warnings.map((warning) => `warning: ${warning}`), fine: true },
    tried(() => tokenAccessFilter(config)).finding,
  ];
  const nodes = tried(() => readNetworks(config));
  // wrong nodes do not keep the catalogues from being checked
  const { catalogues, server, ofCatalogues } = nodes.value ?? readNetworks({ ...config, nodes: null });
  const networks = [...(server === null ? [] : [server]), ...ofCatalogues.values()];
  const engine = await openEngine(config.engine);
  try {
    const registry = await openRegistry(catalogues, engine, { strictFilters: config.strictFilters });
    try {
      const answers = await Promise.all(networks.map((network) => checkedNetwork(network, registry, env)));
      return [...found, checkedCatalogues(registry), nodes.finding, ...answers];
    } finally {
      registry.close();
    }
  } finally {
    await engine.close();
  }
};

/** A part of the configuration that can be wrong by itself: what it is, or what is wrong with it. */
const tried = <Part>(read: () => Part): { readonly value: Part | null; readonly finding: Finding } => {
  try {
    return { value: read(), finding: { lines: [], fine: true } };
  } catch (error) {
    return { value: null, finding: { lines: [`  ${explained(error)}`], fine: false } };
  }
};

const checkedCatalogues = (registry: Registry): Finding => {
  const states = registry.states();
  const unmapped = new Map(
    states.map((state) => [
      state,
      state.status === 'available' ? unmappedNames(state.catalogue.fields, state.config) : [],
    ]),
  );
  return {
    lines: states.flatMap((state) => [
      ...catalogueLines([state]),
      ...unmapped.get(state)!.map((problem) => `    ${problem}`),
      ...(state.status === 'available' ? state.catalogue.warnings.map((warning) => `    ${warning}`) : []),
    ]),
    fine: states.every((state) => state.status === 'available' && unmapped.get(state)!.length === 0),
  };
};

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
