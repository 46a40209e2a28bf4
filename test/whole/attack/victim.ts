import { connect, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';
import { loadedBooks } from '../end-to-end/books.ts';
import { startNode, type RunningNode, type Settings } from '../end-to-end/processes.ts';

export interface VictimOptions {
  /** Lines of NDJSON that the index `books` holds. */
  readonly books?: string;
  readonly settings?: Settings;
  /** The most files the process may have open. */
  readonly maxFiles?: number;
}

/** A server as a process of its own with one catalogue of books, until the test is over. */
export const startVictim = async (t: ExecutionContext, options: VictimOptions = {}): Promise<RunningNode> => {
  const { books, settings = {}, maxFiles } = options;
  const loaded = await loadedBooks(t, books);
  const node = await startNode({ ...loaded.settings, ...settings }, maxFiles);
  t.teardown(() => node.kill());
  return node;
};

export interface Attacker {
  readonly socket: Socket;
  /** The first line that came back. */
  readonly line: () => string;
}

/** Connections to the victim that stay open on this side whatever it does, until the test is over. */
export const attackers = async (
  t: ExecutionContext,
  { url }: RunningNode,
  count: number,
  bytes: string | Uint8Array,
): Promise<readonly Attacker[]> => {
  const { port, hostname } = new URL(url);
  const opened: Attacker[] = [];
  for (let n = 0; n < count; n++) {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    t.teardown(() => socket.destroy());
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      if (received.length < 1_000) received += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    opened.push({ socket, line: () => received.split('\r\n')[0]! });
    await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
    socket.write(bytes);
  }
  return opened;
};

/** Waits for what is to become so; a test that waits in vain is ended by its runner. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 100));
};

/** Whether the victim answers somebody who means no harm, before it would give up on slow connections by itself. */
export const answersPing = async ({ url }: RunningNode, path = '/ping'): Promise<boolean> =>
  fetch(`${url}${path}`, { signal: AbortSignal.timeout(15_000), headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  );
