import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { announcedUrl } from '../../announced-url.ts';
import { endsWithUs } from '../../ends-with-us.ts';
import { programEnvironment, programFile } from '../../program.ts';

/** Environment variables of one process; nothing of the test's own settings leaks in. */
export type Settings = Readonly<Record<string, string>>;

export interface RunningNode {
  readonly url: string;
  readonly pid: number;
  readonly output: () => string;
  /** As a terminal that is closed: its output has no reader any more, and SIGHUP. */
  readonly hangUp: () => void;
  /** SIGTERM, then waits for the end; the exit code. */
  readonly stop: () => Promise<number | null>;
  /** SIGKILL, then waits for the end. */
  readonly kill: () => Promise<void>;
}

const environment = (settings: Settings): NodeJS.ProcessEnv => ({
  ...programEnvironment,
  LOG_LEVEL: 'warn',
  ...settings,
});

/** Runs a command of the program to its end: its exit code and everything it printed. */
export const run = async (
  args: readonly string[],
  settings: Settings,
): Promise<{ code: number; output: string }> => {
  const child = spawn(process.execPath, [programFile, ...args], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
};

/**
 * Starts a server as a separate process and waits until it is ready for traffic.
 * @param maxFiles it may have open
 */
export const startNode = async (settings: Settings, maxFiles?: number): Promise<RunningNode> => {
  const limit = maxFiles === undefined ? '' : `ulimit -n ${maxFiles};`;
  const child = spawn('/bin/sh', ['-c', `${limit} exec "$0" "$@"`, process.execPath, programFile, 'start'], {
    env: environment({
      SERVER_PORT: '0',
      SERVER_HOST: '127.0.0.1',
      INDEXING_PORT: 'off',
      ...settings,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endsWithUs(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close') as Promise<[number | null]>;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return (await ended)[0];
  };
  const url = await announcedUrl(child);
  await Promise.race([
    answering(`${url}/ready`),
    ended.then(([code]) => {
      throw new Error(`the server ended with ${code} before it was ready:\n${output}`);
    }),
  ]);
  return {
    url,
    pid: child.pid!,
    output: () => output,
    hangUp: () => {
      child.stdout.destroy();
      child.stderr.destroy();
      child.kill('SIGHUP');
    },
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
  };
};

/** Whether a URL answers 200 and, if it is /ready, names no node that is still being discovered. */
export const answersWhole = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url);
    const body = (await response.json()) as object;
    return response.status === 200 && !('discovering' in body);
  } catch {
    return false;
  }
};

const answering = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    if (await answersWhole(url)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} did not answer 200 in five minutes`);
};

export interface GraphqlAnswer {
  readonly data?: Record<string, unknown>;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Record<string, unknown> }[];
  readonly extensions?: Record<string, unknown>;
}

/** One GraphQL request; the parsed answer whatever its status. */
export const postQuery = async (
  url: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphqlAnswer> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphqlAnswer;
};
