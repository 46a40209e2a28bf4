import { answersWhole } from '../../whole/end-to-end/processes.ts';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Settings } from '../../whole/end-to-end/processes.ts';
import { programEnvironment, programFile } from '../../program.ts';

/** A server of ours as a process, on a port chosen before: other nodes may name it before it is there. */
export interface NodeProcess {
  readonly url: string;
  readonly output: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Resolves once /ready answers 200 and no node is being discovered; rejects when the process ends or patience does. */
  readonly ready: Promise<void>;
  /** Resolves once it listens, be it ready or not. */
  readonly listening: Promise<void>;
  /** SIGKILL, whatever state it is in, and waits for the end. */
  readonly end: () => Promise<void>;
}

export const startProcess = (port: number, settings: Settings): NodeProcess => {
  const child = spawn(process.execPath, [programFile, 'start'], {
    env: {
      ...programEnvironment,
      LOG_LEVEL: 'warn',
      SERVER_PORT: String(port),
      SERVER_HOST: '127.0.0.1',
      INDEXING_PORT: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  const answers = async (path: string): Promise<void> => {
    const isThere = async (): Promise<boolean> => {
      if (hasEnded(child)) throw new Error(`the server at ${url} ended:\n${output}`);
      return answersWhole(url + path);
    };
    if (!(await eventually(isThere))) throw new Error(`${url}${path} did not answer 200:\n${output}`);
  };
  const ready = answers('/ready');
  const listening = answers('/ping');
  // a test that waits for one of them only must not fail for the other
  for (const wait of [ready, listening]) wait.catch(() => undefined);
  return {
    url,
    output: () => output,
    signal: (signal) => void child.kill(signal),
    ready,
    listening,
    end: async () => {
      if (hasEnded(child)) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/**
 * How long anything may take that is expected to happen: processes that start side by side on a busy machine need a
 * minute and more. Only what fails waits so long.
 */
export const patienceMs = 300_000;

/** Asks again and again for as long as patience lasts; whether it came true. */
export const eventually = async (holds: () => boolean | Promise<boolean>): Promise<boolean> => {
  for (const endMs = Date.now() + patienceMs; Date.now() < endMs;) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
};
