import { parentPort, workerData } from 'node:worker_threads';
import { TributaryError } from '../../errors.ts';
import { IndexFolder } from './index-folder.ts';
import type { ErrorMessage, ReplyMessage, Request, RequestMessage } from './messages.ts';

// The engine's own thread: one request after the other, and between them what other processes wrote.

/** How often other processes' writes are looked for, in milliseconds. */
const pollMs = 200;
/** Snapshots are written when nothing was asked for so long. */
const idleMs = 5_000;

/** What SQLite answers when another process holds the file too long. */
const sqliteBusy = 5;

const port = parentPort!;
const folder = new IndexFolder((workerData as { dataPath: string }).dataPath);
let lastRequest = Date.now();

port.on('message', ({ id, request }: RequestMessage) => {
  lastRequest = Date.now();
  port.postMessage(reply(id, request));
  if (request.kind === 'close') port.close();
});

const reply = (id: number, request: Request): ReplyMessage => {
  try {
    return { id, ok: true, value: answer(request) };
  } catch (error) {
    return { id, ok: false, error: errorMessage(error) };
  }
};

const answer = (request: Request): unknown => {
  switch (request.kind) {
    case 'describe':
      return folder.describe(request.index);
    case 'search':
      return folder.search(request.index, request.query);
    case 'write':
      return folder.write(request.index, request.operations);
    case 'manage':
      return folder.manage(request.action);
    case 'close':
      clearTimeout(timer);
      return folder.close();
  }
};

const errorMessage = (error: unknown): ErrorMessage => {
  if (error instanceof TributaryError) {
    const { code, message, details } = error;
    return details === undefined ? { code, message } : { code, message, details };
  }
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if ((((error as { errcode?: number }).errcode ?? 0) & 0xff) === sqliteBusy) {
    return { code: 'ENGINE_UNAVAILABLE', message: 'another process keeps the index busy', cause };
  }
  return { code: 'ENGINE_ERROR', message: 'the embedded engine failed', cause };
};

const poll = (): void => {
  const more = folder.catchUp();
  if (!more && Date.now() - lastRequest > idleMs) folder.writeSnapshots();
  timer = setTimeout(poll, more ? 0 : pollMs);
};

let timer = setTimeout(poll, pollMs);
