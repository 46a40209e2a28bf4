import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino, type Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { openEngine } from '../engines/open.ts';
import type { Engine } from '../engines/engine.ts';
import { asTributaryError, TributaryError } from '../errors.ts';
import { openNetwork, type Network } from '../federation/network.ts';
import type { NetworkConfig } from '../federation/nodes.ts';
import { createApp } from '../http/app.ts';
import { openRegistry, type Registry } from '../local/registry.ts';
import { readNetworks } from './networks.ts';
import { catalogueLines, networkLine, thingsToTry } from './node-lines.ts';
import { packagePath, packageVersion } from './package-root.ts';

export interface StartOptions {
  /** Loads the sample collections of the package first, and serves those unless CONFIGS_PATH says otherwise. */
  readonly sample?: boolean;
}

/** A node that serves. */
interface RunningNode {
  readonly url: string;
  /** Answers what has been asked, takes nothing new, then closes the engine. */
  readonly stop: () => Promise<void>;
}

/**
 * The command `tributary start`: serves until the process is told to end.
 * @returns the exit code: 0 after SIGTERM or SIGINT, 1 when the node could not start
 */
export const runStart = async (env: NodeJS.ProcessEnv, options: StartOptions = {}): Promise<number> => {
  try {
    const config = loadConfig(options.sample === true ? withSamplePaths(env) : env);
    config.warnings.forEach((warning) => console.error(`warning: ${warning}`));
    const node = await startNode(config, options);
    await endSignal();
    console.log('stopping');
    await node.stop();
    return 0;
  } catch (error) {
    console.error(`tributary start: ${explained(error)}`);
    return 1;
  }
};

/** The package brings its sample configuration along, so that it runs in any folder. */
const withSamplePaths = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  CONFIGS_PATH: packagePath('configs'),
  NODES_PATH: packagePath('nodes.json'),
  ...env,
});

/** Listens first and discovers after: two nodes may name each other. */
const startNode = async (config: Config, options: StartOptions): Promise<RunningNode> => {
  const log = pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: true }));
  const { catalogues, server: networkConfig, ofCatalogues } = readNetworks(config);
  const engine = await openEngine(config.engine);
  try {
    if (options.sample === true) await loadSample(config, engine);
    const registry = await openRegistry(catalogues, engine, { strictFilters: config.strictFilters });
    warnOfFailures(registry, log);
    const server = createServer();
    const url = await listen(server, config.server);
    const open = (network: NetworkConfig) => openNetwork(network, registry.byId, { log });
    const network = networkConfig === null ? null : open(networkConfig);
    const catalogueNetworks = new Map([...ofCatalogues].map(([id, own]) => [id, open(own)]));
    const app = createApp({ registry, network, catalogueNetworks, settings: config.http, log });
    server.on('request', app.callback());
    announce(url, registry, networkConfig);
    const networks = [...(network === null ? [] : [network]), ...catalogueNetworks.values()];
    return { url, stop: () => stop(server, networks, registry, engine) };
  } catch (error) {
    await engine.close();
    throw error;
  }
};

const loadSample = async (config: Config, engine: Engine): Promise<void> => {
  const { ensureSample } = await import('./sample.ts');
  await ensureSample(config, engine, (line: string) => console.log(line));
};

const warnOfFailures = (registry: Registry, log: Logger): void => {
  for (const state of registry.states())
    if (state.status === 'failed')
      log.warn(
        { catalogue: state.config.catalogueId, folder: state.config.folder, err: state.error },
        'catalogue failed',
      );
    else if (state.catalogue.warnings.length > 0)
      log.warn(
        { catalogue: state.config.catalogueId, warnings: state.catalogue.warnings },
        'catalogue has warnings',
      );
};

/** @throws TributaryError CONFIG_INVALID when the port cannot be had */
const listen = async (server: Server, { port, host }: Config['server']): Promise<string> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'another program has it' : (error.code ?? error.message);
      reject(
        new TributaryError(
          'CONFIG_INVALID',
          `cannot listen on port ${port}${host === undefined ? '' : ` of ${host}`}: ${why}; set SERVER_PORT or SERVER_HOST`,
          { cause: error },
        ),
      );
    });
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return `http://${hostIn(host)}:${address.port}`;
};

/** The host as an address of this machine's: all interfaces have no address of their own. */
const hostIn = (host: string | undefined): string => {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

const announce = (url: string, registry: Registry, network: NetworkConfig | null): void => {
  const lines = [
    `tributary ${packageVersion()} is running at ${url}`,
    ...catalogueLines(registry.states()),
    ...(network === null ? [] : [networkLine(network)]),
    'try:',
    ...thingsToTry(url, registry.states(), network),
  ];
  console.log(lines.join('\n'));
};

/** A second signal ends the process at once, as the default does. */
const endSignal = (): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      process.removeListener('SIGTERM', end);
      process.removeListener('SIGINT', end);
      resolve();
    };
    process.once('SIGTERM', end);
    process.once('SIGINT', end);
  });

/** How long requests that are being answered may take to finish. */
const drainMs = 10_000;

const stop = async (
  server: Server,
  networks: readonly Network[],
  registry: Registry,
  engine: Engine,
): Promise<void> => {
  const late = setTimeout(() => server.closeAllConnections(), drainMs).unref();
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(late);
  registry.close();
  await Promise.all(networks.map((network) => network.close()));
  await engine.close();
};

/** What an admin needs to know; an error that is not ours is a defect, and then the stack helps. */
const explained = (error: unknown): string => {
  const ours = asTributaryError(error);
  return ours.code === 'INTERNAL_SERVER_ERROR' && error instanceof Error
    ? (error.stack ?? error.message)
    : ours.message;
};
