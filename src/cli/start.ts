import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import type { Engine } from '../engines/engine.ts';
import { TributaryError } from '../errors.ts';
import type { NetworkConfig } from '../federation/nodes.ts';
import { createApp } from '../http/app.ts';
import { refuseMalformed } from '../http/refuse-malformed.ts';
import type { Registry } from '../local/registry.ts';
import { openNode } from '../node/open-node.ts';
import { explained } from './explained.ts';
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
    const node = await startNode(config, env, options);
    await endSignal();
    console.log('stopping');
    await node.stop();
    return 0;
  } catch (error) {
    console.error(`tributary start: ${explained(error)}`);
    return 1;
  }
};

/** The package brings its sample configuration along, so that it runs in any folder; its nodes fit only its catalogues. */
const withSamplePaths = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  env['CONFIGS_PATH'] === undefined
    ? { NODES_PATH: packagePath('nodes.json'), ...env, CONFIGS_PATH: packagePath('configs') }
    : env;

/** What has been opened so far, in the order in which it is closed. */
type Closing = (() => Promise<void>)[];

const startNode = async (
  config: Config,
  env: NodeJS.ProcessEnv,
  options: StartOptions,
): Promise<RunningNode> => {
  const closing: Closing = [];
  const stop = async (): Promise<void> => {
    for (const close of closing) await close();
  };
  try {
    return { url: await open(config, env, options, closing), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Listens first and discovers after: two nodes may name each other. */
const open = async (
  config: Config,
  env: NodeJS.ProcessEnv,
  options: StartOptions,
  closing: Closing,
): Promise<string> => {
  const log = pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: true }));
  const node = await openNode(config, {
    log,
    secret: (variable) => env[variable],
    ...(options.sample === true ? { prepare: (engine) => loadSample(config, engine) } : {}),
  });
  closing.unshift(() => node.close());
  // Old clients send no host; Node.js would refuse them with an empty body.
  const server = createServer({ requireHostHeader: false });
  refuseMalformed(server);
  const url = await listen(server, config.server);
  closing.unshift(() => drained(server));
  server.on('request', createApp(node.join()).callback());
  announce(url, node.registry, node.network);
  return url;
};

const loadSample = async (config: Config, engine: Engine): Promise<void> => {
  const { ensureSample } = await import('./sample.ts');
  await ensureSample(config, engine, (line: string) => console.log(line));
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

/** Takes nothing new and waits until what is being answered is out. */
const drained = async (server: Server): Promise<void> => {
  const late = setTimeout(() => server.closeAllConnections(), drainMs).unref();
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(late);
};
