import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Settings } from './processes.ts';
import { freePort } from '../../listening.ts';
import { programEnvironment, programFile } from '../../program.ts';

export interface IndexingProcess {
  /** Of the search, which the command `indexing` does not have. */
  readonly searchUrl: string;
  readonly indexingUrl: string;
  readonly output: () => string;
  /** SIGTERM, then waits for the end; the exit code. */
  readonly stop: () => Promise<number | null>;
  /** SIGKILL, then waits for the end. */
  readonly kill: () => Promise<void>;
}

/** Starts a process with an indexing service and waits until that answers; nothing of the test's own settings leaks in. */
export const startIndexing = async (
  command: 'start' | 'indexing',
  settings: Settings,
): Promise<IndexingProcess> => {
  const [searchPort, indexingPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [programFile, command], {
    env: {
      ...programEnvironment,
      LOG_LEVEL: 'warn',
      NODES_PATH: 'off',
      SERVER_PORT: String(searchPort),
      SERVER_HOST: '127.0.0.1',
      INDEXING_PORT: String(indexingPort),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close') as Promise<[number | null]>;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return (await ended)[0];
  };
  const indexingUrl = `http://127.0.0.1:${indexingPort}`;
  await Promise.race([
    until(
      `${indexingUrl} to answer`,
      async () => (await fetch(`${indexingUrl}/api-docs`).catch(() => null))?.ok === true,
    ),
    ended.then(([code]) => {
      throw new Error(`the process ended with ${code} before its indexing service answered:\n${output}`);
    }),
  ]);
  return {
    searchUrl: `http://127.0.0.1:${searchPort}`,
    indexingUrl,
    output: () => output,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
  };
};

/** Looks again and again until it holds. @throws after a minute, saying what was waited for */
export const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    if (await holds()) return;
    await delay(100);
  }
  throw new Error(`waited five minutes for ${what}`);
};
