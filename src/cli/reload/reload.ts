import { setTimeout as sleep } from 'node:timers/promises';
import { loadSettings } from '../../config/load.ts';
import { TributaryError } from '../../errors/errors.ts';
import { describeError } from '../terminal/command-line.ts';
import type { ServerRecord } from './server-record.ts';
import { runningServers, serverRecord } from './server-record.ts';

/** How long a server may take: it waits a moment for new nodes to be discovered. */
const maxWaitMs = 60_000;
const lookMs = 50;

/**
 * The command `tributary reload`: has the servers over DATA_PATH read their configuration again.
 * @returns the exit code: 0 when all of it is in effect, 1 when some of it is not, or no server was found
 */
export const runReload = async (env: NodeJS.ProcessEnv): Promise<number> => {
  try {
    const { dataPath } = loadSettings(env).cursors;
    const servers = runningServers(dataPath);
    if (servers.length === 0)
      throw new TributaryError(
        'NOT_FOUND',
        `no server runs over DATA_PATH ${JSON.stringify(dataPath)}: give the one that it was started with`,
      );
    const outcomes = await Promise.all(servers.map((server) => reloaded(dataPath, server)));
    outcomes.forEach(print);
    return outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0;
  } catch (error) {
    console.error(`tributary reload: ${describeError(error)}`);
    return 1;
  }
};

/**
 * The outcome of a reload that began after the server was found: one under way by then may have read the files before
 * they were edited.
 * @throws TributaryError ENGINE_TIMEOUT, NOT_FOUND when the server does not say what became of it
 */
const reloaded = async (dataPath: string, { pid, url, begun }: ServerRecord): Promise<ServerRecord> => {
  process.kill(pid, 'SIGHUP');
  for (const endMs = performance.now() + maxWaitMs; performance.now() < endMs; await sleep(lookMs)) {
    const now = serverRecord(dataPath, pid);
    if (now === null) throw new TributaryError('NOT_FOUND', `the server at ${url} has ended`);
    if (now.reloads > begun) return now;
  }
  throw new TributaryError(
    'ENGINE_TIMEOUT',
    `the server at ${url} did not say what became of it within ${maxWaitMs / 1000} s`,
  );
};

const print = ({ url, changes, problems }: ServerRecord): void => {
  if (changes.length + problems.length === 0) console.log(`${url}: nothing has changed`);
  for (const change of changes) console.log(`${url}: ${change}`);
  for (const problem of problems) console.error(`${url}: without effect: ${problem}`);
};
