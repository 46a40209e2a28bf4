import type { RequestListener, ServerResponse } from 'node:http';
import { TributaryError } from '../../../lib/errors/errors.ts';

/** Answers requests by the application that was served last; those in progress end on the one they began with. */
export interface TakeOver {
  readonly answer: RequestListener;
  /**
   * Serves an application in place of the one before.
   * @param create gets the signal that cuts its downloads
   * @param ended called once the requests of the one before have ended
   */
  readonly serve: (create: (late: AbortSignal) => RequestListener, ended?: () => void) => void;
  /** Cuts the downloads of all of them. */
  readonly cut: (reason: Error) => void;
}

/** How long requests may go on after another application has taken over: longer than downloads take. */
const deadlineMs = 3_600_000;

/** @param maxMs how long requests in progress may go on */
export const openTakeOver = (maxMs = deadlineMs): TakeOver => {
  const open = new Set<Turn>();
  let current: Turn | null = null;
  return {
    answer: (request, response) => current!.answer(request, response),
    serve: (create, ended) => {
      const before = current;
      open.add((current = newTurn(create, maxMs)));
      before?.retire(() => {
        open.delete(before);
        ended?.();
      });
    },
    cut: (reason) => {
      for (const turn of open) turn.cut(reason);
    },
  };
};

/** One application, and its requests in progress. */
interface Turn {
  readonly answer: RequestListener;
  /** @param ended called once its requests have ended */
  readonly retire: (ended: () => void) => void;
  readonly cut: (reason: Error) => void;
}

const newTurn = (create: (late: AbortSignal) => RequestListener, maxMs: number): Turn => {
  const late = new AbortController();
  const listener = create(late.signal);
  const inProgress = new Set<ServerResponse>();
  let onIdle: (() => void) | null = null;
  const endIfIdle = (): void => {
    if (inProgress.size > 0) return;
    onIdle?.();
    onIdle = null;
  };
  // the connection breaks, so that no client takes a part of a file for the whole
  const endAll = (): void => {
    late.abort(new TributaryError('NOT_READY', 'another configuration has been served for too long'));
    setImmediate(() => inProgress.forEach((response) => response.destroy()));
  };
  return {
    answer: (request, response) => {
      inProgress.add(response);
      response.once('close', () => {
        inProgress.delete(response);
        endIfIdle();
      });
      listener(request, response);
    },
    retire: (ended) => {
      const timer = setTimeout(endAll, maxMs).unref();
      onIdle = () => {
        clearTimeout(timer);
        ended();
      };
      endIfIdle();
    },
    cut: (reason) => late.abort(reason),
  };
};
