import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { newSerialQueue } from '../../concurrency/serial-queue.ts';
import { configStamp } from '../../config/config-stamp.ts';
import { asTributaryError } from '../../errors/errors.ts';
import type { ReloadReport } from '../../node/reload.ts';

export interface ReloaderParts {
  /** The stamp of the files from before the configuration in use was read: what was edited since then is new. */
  readonly loaded: string;
  /** Reads the configuration again. @throws TributaryError CONFIG_INVALID */
  readonly read: () => Config;
  /** Serves by it. */
  readonly apply: (config: Config) => Promise<ReloadReport>;
  /** Called when a reload begins, before it reads anything. */
  readonly begins: () => void;
  /** Receives the outcome of each reload. */
  readonly done: (report: ReloadReport) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** How often the files are looked at, in milliseconds. */
  readonly everyMs: number;
}

/** Serves by configuration files as they are now. */
export interface Reloader {
  /** Reads the files again; reloads run one after the other. Never rejects. */
  readonly reload: () => Promise<void>;
  /** Stops looking at the files; no reload begins any more, and one under way has its outcome recorded nowhere. */
  readonly close: () => void;
}

/**
 * Reloads the configuration when a file has changed and then stayed the same from one look to the next: an editor may
 * still be writing it.
 * @param served the configuration that is in use
 */
export const openReloader = (
  served: Config,
  { loaded: first, read, apply, begins, done, log, everyMs }: ReloaderParts,
): Reloader => {
  let loaded = first;
  let seen = first;
  const reloads = newSerialQueue();
  let closed = false;
  const outcome = async (): Promise<ReloadReport> => {
    try {
      return await apply(read());
    } catch (error) {
      return { changes: [], problems: [asTributaryError(error).message] };
    }
  };
  /** Without the record the next outcome is still told by the log. */
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
    loaded = seen = await configStamp(served);
    if (closed) return;
    const report = await outcome();
    report.changes.forEach((change) => log.info({ change }, 'configuration reloaded'));
    report.problems.forEach((problem) => log.warn({ problem }, 'configuration not reloaded'));
    if (!closed) record(() => done(report));
  };
  const reload = (): Promise<void> => reloads(once);
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    const now = await configStamp(served);
    isLooking = false;
    const isSettled = now === seen;
    seen = now;
    if (isSettled && now !== loaded) void reload();
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  const close = (): void => {
    closed = true;
    clearInterval(timer);
  };
  return { reload, close };
};
