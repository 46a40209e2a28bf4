import { existsSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type Logger } from 'pino';
import type { Config } from '../../server/config/config.ts';
import { secretFiles, secretIn } from '../../server/config/environment.ts';
import { configStamp } from '../../server/config/config-stamp.ts';
import { loadConfig, loadRestrictions, type Restrictions } from '../../server/config/load.ts';
import { lookFile } from '../../server/config/portal.ts';
import type { Engine } from '../../engines/engine.ts';
import { rejectUnusable } from '../../engines/open/open-engine.ts';
import { asTributaryError, invalidConfig, TributaryError } from '../../lib/errors/errors.ts';
import type { Network } from '../../federation/network.ts';
import type { Metrics } from '../../server/http/ops/metrics.ts';
import { createApp, type AppParts } from '../../server/http/app.ts';
import type { Capability } from '../../server/http/capability.ts';
import { httpServer } from '../../server/http/koa/http-server.ts';
import { openTakeOver } from '../../server/http/koa/take-over.ts';
import { serverNetworkId } from '../../server/http/callers/served.ts';
import { countConnections, type ListeningServer } from '../../server/http/koa/listening-sockets.ts';
import { growHeapFor, tuneHeap } from '../../lib/runtime/garbage-collection.ts';
import { openNode, type OpenNode, type ServeNext } from '../../server/node/open-node.ts';
import type { Server } from '../../server/node/open-server.ts';
import { sound } from '../../server/node/networks.ts';
import { problemText } from '../../lib/text/problem.ts';
import { enterServer, type ServerEntry } from '../reload/reload.ts';
import { endSignal, surviveHangUp, unlessEnded, type HangUps } from './process.ts';
import { openReloader, type Reloader } from './reloader.ts';
import { describeError, parseCommandLine, runCommand } from '../terminal/command-line.ts';
import type { IndexingService, IndexingServiceParts } from './indexing-service.ts';
import {
  activatedSocket,
  drained,
  drainingAfter,
  type Draining,
  isReachable,
  listen,
  listeningAddresses,
  limitsWithinOpenFiles,
} from './listen.ts';
import { lookLines, networkLines, servedLines, shownNetworks, thingsToTry } from './node-lines.ts';
import { packagePath, packageVersion } from '../../lib/runtime/server-version.ts';

interface StartOptions {
  /** First loads the package's sample collections, and serves them unless CONFIGS_PATH is set. */
  readonly sample: boolean;
  /** One institution of the sample discloses counts only. */
  readonly guarded: boolean;
  /** What it serves beside search and federation. */
  readonly capabilities: readonly Capability[];
}

interface RunningNode {
  readonly url: string;
  /** Reports that it is not ready, and closes connections as they are answered. */
  readonly retire: () => void;
  /** Finishes pending requests, accepts no new ones, then closes the engine. */
  readonly stop: (draining?: Draining) => Promise<void>;
}

/** What a process has before the command runs. */
interface Started {
  readonly hangUp: HangUps;
  /** What is to be told of its environment; null: nothing. */
  readonly note: string | null;
  readonly capabilities: readonly Capability[];
}

/**
 * The command `tributary start`: serves until SIGTERM or SIGINT.
 * @returns the exit code: 0 after SIGTERM or SIGINT, 1 when the node could not start, 2 for an invalid command line
 */
export const runStart = (
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { hangUp, note, capabilities }: Started,
): Promise<number> =>
  runCommand(argv, env, {
    name: 'start',
    about: aboutStart,
    rows,
    exit: '0 after SIGTERM or SIGINT, 1 when the server could not start',
    optionsOf: () => startOptions(argv),
    work: (options) => {
      if (note !== null) console.error(note);
      return serveUntilEnded(env, hangUp, { ...options, capabilities });
    },
  });

const serveUntilEnded = async (
  env: NodeJS.ProcessEnv,
  hangUp: HangUps,
  options: StartOptions,
): Promise<number> => {
  tuneHeap();
  const from = options.sample ? withSamplePaths(env) : env;
  const read = await configReader(from, options);
  // read twice: the first pass finds the files to watch, and their stamp is taken before the second
  const loaded = await configStamp(read(), secretFiles(env));
  const config = read();
  config.warnings.forEach((warning) => console.error(`warning: ${problemText(warning)}`));
  rejectUnusable(config.engine);
  const ended = endSignal();
  const node = await unlessEnded(() => startNode(config, { env, loaded, read, options, hangUp }), ended);
  if (node === null) return 0;
  const signal = await ended;
  console.log('stopping');
  node.retire();
  await node.stop(drainingAfter(signal, config.server.shutdownMs));
  return 0;
};

/** The package includes its sample configuration, so that it runs in any folder; its nodes only match its catalogues. */
const withSamplePaths = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  env['CONFIGS_PATH'] === undefined
    ? {
        NODES_PATH: packagePath('nodes.json'),
        ...(existsSync(lookFile) ? {} : { PORTAL_PATH: packagePath('samples/portal.json') }),
        ...env,
        CONFIGS_PATH: packagePath('configs'),
      }
    : env;

/** Reads the whole configuration. */
const configReader = async (
  from: NodeJS.ProcessEnv,
  { guarded, capabilities }: StartOptions,
): Promise<() => Config> => {
  if (!guarded) return () => sound(loadConfig(from), capabilities);
  const { guardedSample } = await import('./guarded-sample.ts');
  // the sample's people are made up
  return () => sound(guardedSample(loadConfig(from)), capabilities, { mayBeOpen: true });
};

interface StartParts {
  readonly env: NodeJS.ProcessEnv;
  /** The stamp of the configuration files from before they were read. */
  readonly loaded: string;
  /** Reads the current configuration files. */
  readonly read: () => Config;
  readonly options: StartOptions;
  readonly hangUp: HangUps;
}

/** Functions that close everything opened so far, in this order. */
type Closing = ((draining?: Draining) => Promise<void>)[];

const startNode = async (config: Config, parts: StartParts): Promise<RunningNode> => {
  const closing: Closing = [];
  const stop = async (draining?: Draining): Promise<void> => {
    for (const close of closing) await close(draining);
  };
  try {
    return { ...(await open(config, parts, closing)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Listens before discovery, since two nodes may refer to each other. */
const open = async (
  config: Config,
  parts: StartParts,
  closing: Closing,
): Promise<Omit<RunningNode, 'stop'>> => {
  const { env, options } = parts;
  const destination = pino.destination({ fd: 2, sync: true });
  surviveHangUp(destination);
  const log = pino({ level: config.logLevel }, destination);
  const node = await openNode(config, {
    log,
    secret: (variable) => secretIn(env, variable),
    capabilities: options.capabilities,
    ...(options.sample ? { prepare: (engine) => prepareSample(config, engine, options) } : {}),
  });
  closing.unshift(() => node.close());
  const { server, serve, retire, idle } = httpServer(limitsWithinOpenFiles());
  const variables = 'SERVER_PORT or SERVER_HOST';
  const listening = await listen(server, { ...config.server, variables, fd: activatedSocket(env) });
  const { url } = listening;
  const takeOver = openTakeOver();
  const draining: ((how?: Draining) => Promise<unknown>)[] = [
    (how?: Draining) => drained(listening, { ...how, onLate: () => takeOver.cut(stoppedTooSoon()) }),
  ];
  closing.unshift(async (how) => void (await Promise.all(draining.map((drain) => drain(how)))));
  warnOfOpenServer(config, server);
  const joined = node.join();
  rejectUnknownNames(unknownNames(node.now()));
  let isStopping = false;
  const serveApp = (app: AppParts, ended?: () => void): void =>
    takeOver.serve((late) => createApp({ ...app, isStopping: () => isStopping, late }).callback(), ended);
  serveApp(joined);
  serve(takeOver.answer);
  for (const { upgrade, listening } of node.opened) {
    if (upgrade) server.on('upgrade', upgrade);
    listening?.(url, takeOver.answer, env);
  }
  // requests in progress may still use them
  draining.push(() => idle().then(() => Promise.all(node.opened.map(({ disconnect }) => disconnect?.()))));
  const indexing = await serveIndexing(config, {
    engine: node.engine,
    log,
    tokenNow: () => node.now().reading.config.indexing.token,
    memory: node.memory,
    onIndexed: () => node.now().registry.refresh(),
  });
  if (indexing !== null) draining.push((how) => indexing.close(how));
  if (joined.metrics) exportProcess(joined.metrics, listening, indexing);
  const networks = [...joined.networks.values()];
  const fitHeap = (): void =>
    growHeapFor([...node.now().networks.values()].flatMap((one) => one.nodes()).length);
  fitHeap();
  const reloader = reloading(config, { node, url, log, fitHeap, serve: serveApp }, parts);
  closing.unshift(async () => reloader.close());
  const ended = new AbortController();
  closing.unshift(async () => ended.abort());
  void announce(
    { ...node.now(), url, addresses: listeningAddresses(server), hasPages: config.http.portal !== null },
    networks,
    { indexing: indexing?.lines ?? [], look: () => unknownNames(node.now()) },
    ended.signal,
  );
  return {
    url,
    retire: () => {
      isStopping = true;
      node.opened.forEach((one) => one.retire?.());
      retire();
    },
  };
};

const stoppedTooSoon = (): TributaryError =>
  new TributaryError('NOT_READY', 'the server stopped before the download was complete');

const exportProcess = (
  { gauge }: Metrics,
  listening: ListeningServer,
  indexing: Pick<IndexingService, 'countJobs'> | null,
): void => {
  gauge('tributary_http_connections', 'Open connections of the search port.', async () => [
    [await countConnections(listening)],
  ]);
  if (indexing === null) return;
  const states = ['queued', 'running', 'failed'] as const;
  gauge(
    'tributary_indexing_jobs',
    'Indexing jobs that wait, run and have failed, as far as they are kept.',
    () => states.map((state) => [indexing.countJobs(state), state]),
    'state',
  );
};

/** Warns operators who forgot to configure access control. */
const warnOfOpenServer = ({ access, server: { isOpen } }: Config, server: HttpServer): void => {
  if (access !== null || isOpen || !isReachable(server)) return;
  console.error(
    [
      'WARNING: THIS SERVER IS OPEN. Everyone who can reach it sees whatever its catalogues show, without a token:',
      ...listeningAddresses(server).map((address) => `  ${address}`),
      'Set ACCESS_FILTER_PATH to control access, SERVER_HOST=127.0.0.1 to serve this machine only, or ENABLE_ACCESS_CONTROL=false if this is meant.',
    ].join('\n'),
  );
};

interface ReloadedParts {
  readonly node: OpenNode;
  readonly url: string;
  readonly log: Logger;
  /** Adjusts the heap to the current number of nodes. */
  readonly fitHeap: () => void;
  readonly serve: ServeNext;
}

/** Applies changes of the configuration files, and answers `tributary reload`. */
const reloading = (
  config: Config,
  { node, url, log, fitHeap, serve }: ReloadedParts,
  { env, loaded, read, hangUp }: StartParts,
): Pick<Reloader, 'close'> => {
  const entry = recordServer(config.dataPath, url, log);
  let again: ReadonlySet<string> | undefined;
  const restrictions = (): Restrictions => loadRestrictions(env);
  const readAgain = (): Config => {
    const changed = read();
    changed.warnings.forEach((warning) => log.warn(problemText(warning)));
    return changed;
  };
  const reloader = openReloader({
    stamp: () => configStamp(node.now().reading.config, secretFiles(env)),
    loaded,
    apply: () => node.reload({ read: readAgain, restrictions, faults: unknownNames }, serve, again),
    begins: () => {
      again = entry?.begins();
    },
    done: (report) => {
      fitHeap();
      entry?.reloaded(report);
    },
    log,
    everyMs: 1_000,
  });
  hangUp.listen(() => void reloader.reload());
  return {
    close: () => {
      reloader.close();
      entry?.close();
    },
  };
};

/** Without the record, `tributary reload` does not find this server; everything else works. */
const recordServer = (dataPath: string, url: string, log: Logger): ServerEntry | null => {
  try {
    return enterServer(dataPath, url);
  } catch (error) {
    log.warn(
      { err: error },
      'this server cannot be recorded in DATA_PATH: tributary reload will not find it',
    );
    return null;
  }
};

const prepareSample = async (config: Config, engine: Engine, { guarded }: StartOptions): Promise<void> => {
  await loadSample(config, engine);
  if (!guarded) return;
  const { ensureReleases } = await import('./guarded-sample.ts');
  await ensureReleases(config, engine, (line) => console.log(line));
};

const loadSample = async (config: Config, engine: Engine): Promise<void> => {
  const { ensureSample } = await import('../sample/sample.ts');
  const print = (line: string): void => console.log(line);
  if (config.engine.kind !== 'embedded') return ensureSample(config, engine, print);
  const { dataPath } = config.engine;
  const { acquireSampleLock } = await import('../sample/sample.ts');
  await ensureSample(config, engine, print, () => acquireSampleLock(dataPath, print));
};

/**
 * The indexing service next to the search. If its port is the default one and another program uses it, this node starts
 * without the service: it may be the second node on its machine.
 */
const serveIndexing = async (
  { indexing }: Config,
  parts: IndexingServiceParts,
): Promise<IndexingService | null> => {
  const { port, isPortNamed } = indexing;
  if (port === null) return null;
  const { openIndexingService } = await import('./indexing-service.ts');
  try {
    return await openIndexingService(port, indexing, parts);
  } catch (error) {
    if (isPortNamed || asTributaryError(error).code !== 'CONFLICT') throw error;
    console.error(
      `warning: this node runs without its indexing service: ${describeError(error)}, or INDEXING_PORT=off`,
    );
    return null;
  }
};

/** Where everything is known by now; the nodes of a network may not be, and a portal over them is told of it later. */
const rejectUnknownNames = (problems: readonly string[]): void => {
  if (problems.length > 0) throw invalidConfig(problems.map((line) => line.trim()).join('\n'));
};

/** What portal.json names and is not there, as far as the nodes are known by then. */
const unknownNames = ({ reading: { config }, registry, networks }: Server): readonly string[] =>
  lookLines(config.http.portal?.look, registry.states(), shownNetworks(networks));

/** How long the first lines wait for discovery: a healthy network needs far less. */
const discoveryWaitMs = 3_000;

/** Prints what this server serves, including the nodes that responded, and again after pending discovery. */
const announce = async (
  served: Pick<Server, 'registry' | 'reading'> & {
    readonly url: string;
    readonly addresses: readonly string[];
    readonly hasPages: boolean;
  },
  networks: readonly Network[],
  { indexing, look }: { readonly indexing: readonly string[]; readonly look: () => readonly string[] },
  ended: AbortSignal,
): Promise<void> => {
  const discovered = Promise.all(networks.map(({ ready }) => ready));
  await Promise.race([discovered, sleep(discoveryWaitMs, null, { ref: false })]);
  if (ended.aborted) return;
  const late = networks.filter((one) => one.state().nodes.some(({ state }) => state === 'discovering'));
  const states = served.registry.states();
  const lines = [
    `tributary ${packageVersion()} is running at ${served.url}`,
    `  listening on ${served.addresses.join(', ')}`,
    ...servedLines(states),
    ...networks.flatMap((one) => networkLines(one.state())),
    ...look(),
    ...indexing,
    'try:',
    ...thingsToTry({ ...served, states, network: served.reading.networks.get(serverNetworkId) ?? null }),
  ];
  console.log(lines.join('\n'));
  if (late.length === 0) return;
  await discovered;
  if (ended.aborted) return;
  console.log([...late.flatMap((one) => networkLines(one.state())), ...look()].join('\n'));
};

const rows = {
  '--sample':
    'load the sample collections first, if they are not there, and serve those unless CONFIGS_PATH is set; --sample=guarded: Singapore discloses counts only',
};

const aboutStart = `
Serves the catalogues of CONFIGS_PATH at SERVER_PORT (5050) and the network of NODES_PATH, and indexes from the
repositories of REPOSITORIES_PATH at INDEXING_PORT (11235), until SIGTERM or SIGINT.`;

/** For parseArgs an option is either a switch or takes a value: `--sample=guarded` is a switch of its own. */
const startOptions = (argv: readonly string[]): Pick<StartOptions, 'sample' | 'guarded'> => {
  const args = argv.flatMap((one) => (one === '--sample=guarded' ? ['--sample', '--guarded'] : [one]));
  return parseCommandLine(args, { ...rows, '--guarded': '' }).values;
};
