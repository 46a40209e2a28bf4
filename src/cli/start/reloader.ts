import type { Logger } from 'pino';
import { newSerialQueue } from '../../lib/concurrency/locks.ts';
import { asTributaryError } from '../../lib/errors/errors.ts';
import type { ReloadReport } from '../../server/http/capability.ts';

export interface ReloaderParts {
  /** A text that changes when a file of the current configuration changes; see configStamp. */
  readonly stamp: () => Promise<string>;
  /** The stamp from before the current configuration was read: later edits count as new. */
  readonly loaded: string;
  /** Serves the configuration files as they are now. */
  readonly apply: () => Promise<ReloadReport>;
  /** Called when a reload begins, before it reads anything. */
  readonly begins: () => void;
  /** Called with the outcome of each reload. */
  readonly done: (report: ReloadReport) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** How often the files are checked, in milliseconds. */
  readonly everyMs: number;
}

/** Applies the configuration files as they are now. */
export interface Reloader {
  /** Reads the files again; reloads run one after the other. Never rejects. */
  readonly reload: () => Promise<void>;
  /** Stops checking the files; no reload begins after that, and the outcome of one in progress is not recorded. */
  readonly close: () => void;
}

/**
 * Reloads the configuration when a file has changed and then stayed unchanged from one check to the next: an editor may
 * still be writing it.
 */
export const openReloader = ({
  stamp,
  loaded: first,
  apply,
  begins,
  done,
  log,
  everyMs,
}: ReloaderParts): Reloader => {
  let loaded = first;
  let seen = first;
  const reloads = newSerialQueue();
  let closed = false;
  const outcome = async (): Promise<ReloadReport> => {
    try {
      return await apply();
    } catch (error) {
      return { changes: [], problems: [asTributaryError(error).message] };
    }
  };
  /** Writing the record may fail; the outcome is in the log anyway. */
  const record = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      log.warn({ err: error }, 'a reload cannot be recorded');
    }
  };
  const once = async (): Promise<void> => {
    if (closed) return;
    record(begins);
    loaded = seen = await stamp();
    if (closed) return;
    const report = await outcome();
    report.changes.forEach((change) => log.info({ change }, 'configuration reloaded'));
    report.problems.forEach((problem) => log.warn({ problem }, 'configuration not reloaded'));
    if (!closed) record(() => done(report));
  };
  const reload = (): Promise<void> => reloads(once);
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    const now = await stamp();
    isChecking = false;
    const isSettled = now === seen;
    seen = now;
    if (isSettled && now !== loaded) void reload();
  };
  const timer = setInterval(() => void check(), everyMs).unref();
  const close = (): void => {
    closed = true;
    clearInterval(timer);
  };
  return { reload, close };
};
