import { setTimeout as sleep } from 'node:timers/promises';
import { loadSettings } from '../../server/config/load.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import { parseCommandLine, runCommand, type Command } from '../terminal/command-line.ts';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { claimState, takeClaim } from '../../engines/embedded/store/claim.ts';
import type { ReloadReport } from '../../server/http/capability.ts';
import { privateFolder } from '../../lib/runtime/private-file.ts';

/** How long a server may take: it waits a moment for new nodes to be discovered. */
const maxWaitMs = 60_000;
const lookMs = 50;

/**
 * The command `tributary reload`: makes the servers that use DATA_PATH read their configuration again.
 * @returns the exit code: 0 when all of it is in effect, 1 when some of it is not, or no server was found
 */
export const runReload: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'reload',
    about: aboutReload,
    rows: options,
    exit: '0 when the configuration is in effect, 1 when some of it is not or no server was found',
    optionsOf: () => parseCommandLine(argv, options).values,
    work: reload,
  });

/** @param node ids of nodes to be discovered again */
const reload = async (
  { node = [] }: { readonly node?: readonly string[] },
  env: NodeJS.ProcessEnv,
): Promise<number> => {
  const { dataPath } = loadSettings(env);
  const servers = runningServers(dataPath);
  if (servers.length === 0)
    throw new TributaryError(
      'NOT_FOUND',
      `no server runs over DATA_PATH ${JSON.stringify(dataPath)}: give the one that it was started with`,
    );
  const outcomes = await Promise.all(servers.map((server) => reloaded(dataPath, server, node)));
  outcomes.forEach(print);
  return outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0;
};

/**
 * The outcome of a reload that began after the server was found: one already in progress may have read the files
 * before they were edited.
 * @throws TributaryError ENGINE_TIMEOUT, NOT_FOUND when the server does not report the outcome in time
 */
const reloaded = async (
  dataPath: string,
  { pid, url, begun }: ServerRecord,
  nodes: readonly string[],
): Promise<ServerRecord> => {
  if (nodes.length > 0) writeFileSync(nodesFile(dataPath, pid), JSON.stringify(nodes), { mode: 0o600 });
  process.kill(pid, 'SIGHUP');
  for (const endMs = performance.now() + maxWaitMs; performance.now() < endMs; await sleep(lookMs)) {
    const now = serverRecord(dataPath, pid);
    if (now === null) throw new TributaryError('NOT_FOUND', `the server at ${url} has ended`);
    if (now.reloads > begun) return now;
  }
  throw new TributaryError(
    'ENGINE_TIMEOUT',
    `the server at ${url} did not report the outcome of its reload within ${maxWaitMs / 1000} s`,
  );
};

const print = ({ url, changes, problems }: ServerRecord): void => {
  if (changes.length + problems.length === 0) console.log(`${url}: nothing has changed`);
  for (const change of changes) console.log(`${url}: ${change}`);
  for (const problem of problems) console.error(`${url}: without effect: ${problem}`);
};

const record = z.object({
  pid: z.int().positive(),
  url: z.string(),
  /** How many reloads have begun; those beyond `reloads` are in progress. */
  begun: z.int().nonnegative(),
  /** How often the configuration was reloaded. */
  reloads: z.int().nonnegative(),
  changes: z.array(z.string()),
  problems: z.array(z.string()),
});

/** A server's entry in its data folder, for commands that find it there. */
export type ServerRecord = z.infer<typeof record>;

const nameOf = (pid: number): string => `@server-${pid}`;

/** The file with the nodes that a server's next reload discovers again. */
const nodesFile = (dataPath: string, pid: number): string => join(dataPath, `${nameOf(pid)}.nodes`);

/** This process's record as a server. */
export interface ServerEntry {
  /** Records that a reload begins, before it reads anything. @returns the nodes to be discovered again */
  readonly begins: () => ReadonlySet<string>;
  /** Records the outcome of a reload. */
  readonly reloaded: (report: ReloadReport) => void;
  /** Removes the record. */
  readonly close: () => void;
}

/**
 * Records this process as a server. The claim next to the record distinguishes a running server from one that was killed, whose
 * process id may belong to another program by now.
 * @throws TributaryError CONFLICT if another process holds the record; errors of a folder that is not writable
 */
export const enterServer = (dataPath: string, url: string): ServerEntry => {
  const path = join(dataPath, nameOf(process.pid));
  mkdirSync(dataPath, { recursive: true, mode: privateFolder });
  const claim = takeClaim(path);
  if (claim === null) throw new TributaryError('CONFLICT', `${path}.lock is held by another process`);
  let now: ServerRecord = { pid: process.pid, url, begun: 0, reloads: 0, changes: [], problems: [] };
  const write = (changed: Partial<ServerRecord>): void => {
    now = { ...now, ...changed };
    writeFileSync(`${path}.draft`, JSON.stringify(now), { mode: 0o600 });
    renameSync(`${path}.draft`, `${path}.record`);
  };
  write({});
  return {
    begins: () => {
      write({ begun: now.begun + 1 });
      return takeNodes(nodesFile(dataPath, process.pid));
    },
    reloaded: ({ changes, problems }) =>
      write({ reloads: now.reloads + 1, changes: [...changes], problems: [...problems] }),
    close: () => {
      rmSync(`${path}.record`, { force: true });
      claim.release();
    },
  };
};

/** The running servers that use a data folder. */
export const runningServers = (dataPath: string): readonly ServerRecord[] =>
  (existsSync(dataPath) ? readdirSync(dataPath) : []).flatMap((name) => {
    const pid = /^@server-(\d+)\.record$/.exec(name)?.[1];
    if (pid === undefined) return [];
    const found = serverRecord(dataPath, Number(pid));
    if (found !== null) return [found];
    for (const end of ['record', 'draft', 'json', 'lock', 'nodes'])
      rmSync(join(dataPath, `${nameOf(Number(pid))}.${end}`), { force: true });
    return [];
  });

/** The current record of one server; null if the server has ended. */
const serverRecord = (dataPath: string, pid: number): ServerRecord | null => {
  const path = join(dataPath, nameOf(pid));
  return claimState(path)?.held === true ? readRecord(`${path}.record`) : null;
};

/** Reads the nodes in a file, and deletes it. */
const takeNodes = (file: string): ReadonlySet<string> => {
  try {
    return new Set(z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))));
  } catch {
    // usually there is no file
    return new Set();
  } finally {
    rmSync(file, { force: true });
  }
};

const readRecord = (file: string): ServerRecord | null => {
  try {
    return record.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
};

const options = {
  '--node NODE_ID...': 'discover this node once more: one that failed discovery, and answers by now',
};

const aboutReload = `
Has the servers over DATA_PATH read their configuration files again, as they do by themselves a moment after one has
changed, and as SIGHUP has them do. Prints what has changed. If anything is wrong in the files, nothing changes.`;
