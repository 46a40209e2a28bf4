import { pino, type Logger } from 'pino';
import type { Settings } from '../../server/config/config.ts';
import type { Engine } from '../../engines/engine.ts';
import { sendInBounds, jsonSender } from '../../server/http/answers/send-json.ts';
import { accountMemory } from '../../server/http/koa/http-context.ts';
import { httpServer } from '../../server/http/koa/http-server.ts';
import type { JobState } from '../../indexing/jobs/job.ts';
import { openJobQueue } from '../../indexing/jobs/job-runner.ts';
import { openRepository } from '../../indexing/repositories/open-repository.ts';
import { refusalBody, createIndexingApp } from '../../indexing/service/indexing-app.ts';
import { drained, drainingAfter, limitsWithinOpenFiles, listen, type Draining } from './listen.ts';
import { memoryForRequests, MemoryAccount } from '../../lib/runtime/memory-account.ts';
import { loadSettings } from '../../server/config/load.ts';
import { openEngine, rejectUnusable } from '../../engines/open/open-engine.ts';
import { invalidConfig } from '../../lib/errors/errors.ts';
import { problemText } from '../../lib/text/problem.ts';
import { endSignal, unlessEnded } from './process.ts';
import { parseCommandLine, runCommand, type Command } from '../terminal/command-line.ts';
import { packageVersion } from '../../lib/runtime/server-version.ts';

export interface IndexingService {
  readonly url: string;
  /** Lines for the terminal: where it listens and what it indexes. */
  readonly lines: readonly string[];
  /** How many jobs there are in a state. */
  readonly countJobs: (state: JobState) => number;
  /** Finishes pending requests, accepts no new ones, and lets running jobs reach a point to resume from. */
  readonly close: (draining?: Draining) => Promise<void>;
}

export interface IndexingServiceParts {
  readonly engine: Engine;
  readonly log: Logger;
  /** The current bearer token; unset: that of the settings. */
  readonly tokenNow?: () => string | undefined;
  readonly memory: MemoryAccount;
  /** Called when the fields of an index have changed; a job is reported as done once the promise resolves. */
  readonly onIndexed?: () => Promise<void>;
}

/**
 * Listens for indexing requests, and resumes the jobs of an earlier process. Listens first: a process that does not get
 * the port must not touch the jobs.
 * @throws TributaryError CONFLICT, CONFIG_INVALID when the port is not available; nothing stays open then
 */
export const openIndexingService = async (
  port: number,
  settings: Settings['indexing'],
  { engine, log, memory, onIndexed, tokenNow }: IndexingServiceParts,
): Promise<IndexingService> => {
  const { host, dataPath, repositories } = settings;
  const { server, serve, retire } = httpServer(limitsWithinOpenFiles(), refusalBody);
  const listening = await listen(server, { port, host, variables: 'INDEXING_PORT or INDEXING_HOST' });
  try {
    const jobs = await openJobQueue({
      engine,
      repositories: repositories.map((repository) => openRepository(repository)),
      dataPath,
      log,
      ...(onIndexed === undefined ? {} : { onIndexed }),
    });
    const answers = [accountMemory(memory, () => ''), sendInBounds(jsonSender())];
    const parts = {
      ...{ jobs, log, answers },
      get token() {
        return tokenNow?.() ?? settings.token;
      },
    };
    serve(createIndexingApp(parts).callback());
    const { url } = listening;
    return {
      url,
      lines: linesOf(url, repositories),
      countJobs: (state) => jobs.list({ state }).length,
      close: async (draining) => {
        retire();
        await drained(listening, draining);
        await jobs.close();
      },
    };
  } catch (error) {
    await drained(listening);
    throw error;
  }
};

const linesOf = (url: string, repositories: Settings['indexing']['repositories']): string[] => {
  const how = repositories.length === 0 ? ': no repositories are configured (REPOSITORIES_PATH)' : '';
  return [
    `  indexing at ${url}/api-docs${how}`,
    ...repositories.map(({ code, displayName, indexName }) => {
      const name = displayName === code ? code : `${code} (${displayName})`;
      return `  repository ${name}: into ${indexName}`;
    }),
  ];
};

/**
 * The command `tributary indexing`: the indexing service alone, until SIGTERM or SIGINT. Search servers
 * over the same indexes see what it writes: those on a cluster, and those on the same folder of the embedded engine.
 * @returns the exit code: 0 after SIGTERM or SIGINT, 1 when the service could not start, 2 for an invalid command line
 */
export const runIndexing: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'indexing',
    about: aboutIndexing,
    rows: {},
    exit: '0 after SIGTERM or SIGINT, 1 when the service could not start',
    optionsOf: () => parseCommandLine(argv, {}),
    work: () => serveUntilEnded(env),
  });

const serveUntilEnded = async (env: NodeJS.ProcessEnv): Promise<number> => {
  const settings = loadSettings(env);
  settings.warnings.forEach((warning) => console.error(`warning: ${problemText(warning)}`));
  rejectUnusable(settings.engine);
  const ended = endSignal();
  const service = await unlessEnded(() => serve(settings), ended);
  if (service === null) return 0;
  const signal = await ended;
  console.log('stopping');
  await service.close(drainingAfter(signal, settings.server.shutdownMs));
  return 0;
};

/** @throws TributaryError CONFIG_INVALID, CONFLICT; nothing stays open then */
const serve = async ({
  engine: engineConfig,
  indexing,
  logLevel,
  memoryLimitBytes,
}: Settings): Promise<IndexingService> => {
  const { port } = indexing;
  if (port === null) throw invalidConfig('INDEXING_PORT is off: give a port, or none for 11235');
  const log = pino({ level: logLevel }, pino.destination({ fd: 2, sync: true }));
  const engine = await openEngine(engineConfig);
  try {
    const service = await openIndexingService(port, indexing, {
      ...{ engine, log },
      memory: new MemoryAccount(memoryForRequests(memoryLimitBytes)),
    });
    const title = `tributary ${packageVersion()} runs the indexing service only, without search`;
    console.log([title, ...service.lines].join('\n'));
    return {
      ...service,
      close: async (draining) => {
        await service.close(draining);
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
};

const aboutIndexing = `
Runs the indexing service alone, at INDEXING_PORT (11235), until SIGTERM or SIGINT: it indexes from the repositories of
REPOSITORIES_PATH into the engine's indexes. Search servers over the same indexes show what it writes.`;
