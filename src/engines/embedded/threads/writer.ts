import { unpacked } from '../columns/shared-parts.ts';
import type { TributaryError } from '../../../lib/errors/errors.ts';
import { NotNow, type SearchRun } from '../columns/search-run.ts';
import { fileError } from '../store/file-error.ts';
import { IndexFolder } from './index-folder.ts';
import type { WriterRequest, WarningMessage } from './messages.ts';
import { answerRequests, port, threadData } from './request-loop.ts';

// The engine's own thread: handles requests one at a time and, in between, replays what other processes wrote.

/** How often to check for other processes' writes, in milliseconds. */
const pollMs = 200;
/** Snapshots are written after this long without requests, in milliseconds. */
const idleMs = 5_000;

/** Opened by the first request, which fails if opening does. */
let opened: IndexFolder | null = null;
let lastRequest = Date.now();

const answer = (request: WriterRequest, running: SearchRun): unknown => {
  lastRequest = Date.now();
  if (running.isInside === true && !('index' in request && opened?.isAtHand(request.index) === true))
    throw new NotNow();
  if (request.kind === 'close' && opened === null) return clearTimeout(timer);
  const folder = (opened ??= new IndexFolder(threadData.dataPath));
  switch (request.kind) {
    case 'describe':
      return folder.describe(request.index);
    case 'search':
      return folder.search(request.index, unpacked(request.query), running);
    case 'share':
      return folder.share(request.index, request.known);
    case 'write':
      return folder.write(request.index, request.operations);
    case 'manage':
      return folder.manage(request.action);
    case 'close':
      clearTimeout(timer);
      return folder.close().forEach(warn);
  }
};

/** How often a persistent problem is reported, in milliseconds. */
const warnAgainMs = 60_000;
const warned = new Map<string, number>();

const warn = (error: TributaryError): void => {
  if (Date.now() - (warned.get(error.message) ?? -Infinity) < warnAgainMs) return;
  warned.set(error.message, Date.now());
  port.postMessage({ warning: error.message } satisfies WarningMessage);
};

/** Work done between requests. Returns whether there is more to do right away. */
const housekeeping = (folder: IndexFolder): boolean => {
  const more = folder.catchUp() || folder.compact(warn);
  if (!more) folder.writeSnapshots(Date.now() - lastRequest > idleMs).forEach(warn);
  return more;
};

const poll = (): void => {
  let more = false;
  try {
    more = opened !== null && housekeeping(opened);
  } catch (error) {
    // trouble with a file is reported to its next request; anything else ends this thread
    const reason = fileError(error, 'the data folder');
    if (reason === null) throw error;
    warn(reason);
  }
  timer = setTimeout(poll, more ? 0 : pollMs);
};

let timer = setTimeout(poll, pollMs);

answerRequests(answer, () => opened?.follow());
