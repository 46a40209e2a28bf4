import type { KeyObject } from 'node:crypto';
import { TributaryError } from '../../lib/errors/errors.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import type { Trail } from '../../search/audited-search.ts';
import {
  appendLine,
  closeFile,
  dayOf,
  isUnusable,
  openNext,
  removeOld,
  writtenTo,
  type FileSettings,
  type OpenFile,
  type Predecessor,
  type TrailKeys,
} from './audit-file.ts';
import { keyedMac } from '../../lib/runtime/keyed-mac.ts';

/** @param serverKey derives keys by purpose */
export const trailKeys = (serverKey: {
  readonly derive: (label: string) => Uint8Array;
  readonly signingKey: (label: string) => KeyObject;
}): TrailKeys => ({
  signingKey: serverKey.signingKey('audit trail'),
  lineMac: keyedMac(serverKey.derive('audit lines')),
});

export interface AuditSettings extends FileSettings {
  /** Whether an answer requires that its query can be written. */
  readonly required: boolean;
  /** Called when a line cannot be written, at most once a minute. */
  readonly warn: (error: unknown) => void;
  readonly maxBytes?: number;
}

const warnEveryMs = 60_000;
/** How often files that are due are closed and removed without any query. */
const tidyEveryMs = 3_600_000;

/**
 * A trail in a folder: files of one day or `maxBytes`, each naming the hash of the previous file. A file that a killed
 * process left unsigned is covered by the signed first line of the next.
 * @throws TributaryError NOT_READY when nothing can be written, and the trail is required
 */
export const openAuditTrail = (settings: AuditSettings): Trail => {
  const { nowMs = Date.now } = settings;
  const files = trailFiles(settings);
  const attempt = attempting(settings);
  const timestamp = timestamps();
  let lost = 0;
  const append = (entry: JsonObject): void => {
    const file = files.current();
    const content = JSON.stringify(entry).slice(1, -1);
    const line = `{"@timestamp":"${timestamp(nowMs())}",${content},"tributary.previous":"${file.previous}"}`;
    appendLine(file, settings, line);
  };
  attempt(() => void files.current());
  const timer = setInterval(files.tidy, tidyEveryMs).unref();
  return {
    write: (entry) =>
      attempt(() => {
        lost += 1;
        // the lines before, once lines can be written again
        if (lost > 1) append({ 'event.action': 'lost', 'tributary.lost': lost - 1 });
        lost = 1;
        append(entry);
        lost = 0;
      }),
    close: () => {
      clearInterval(timer);
      files.close();
    },
  };
};

/** Formats times in ISO 8601 like Date, which takes as long as a write: all but the milliseconds is formatted once a second. */
const timestamps = (): ((ms: number) => string) => {
  let second = NaN;
  let prefix = '';
  return (ms) => {
    if (Math.floor(ms / 1000) !== second) {
      second = Math.floor(ms / 1000);
      prefix = new Date(ms).toISOString().slice(0, -4);
    }
    return `${prefix}${String(Math.floor(ms) - second * 1000).padStart(3, '0')}Z`;
  };
};

/** Runs work that may fail: warns at most once a minute, and throws NOT_READY if the trail is required. */
const attempting = ({ required, warn, nowMs = Date.now }: AuditSettings): ((work: () => void) => void) => {
  let warnedAtMs = -Infinity;
  return (work) => {
    try {
      work();
    } catch (cause) {
      if (nowMs() - warnedAtMs >= warnEveryMs) {
        warnedAtMs = nowMs();
        warn(cause);
      }
      if (required)
        throw new TributaryError('NOT_READY', 'the audit trail cannot be written, and nothing is answered', {
          cause,
        });
    }
  };
};

interface TrailFiles {
  /** The file that lines are appended to: a new file once it is full, its day is over, or it was removed. */
  readonly current: () => OpenFile;
  /** Closes and removes files that are due. */
  readonly tidy: () => void;
  readonly close: () => void;
}

const trailFiles = (settings: AuditSettings): TrailFiles => {
  const { warn, maxBytes = 64 * 1024 * 1024, nowMs = Date.now } = settings;
  let open: OpenFile | null = null;
  let last: Predecessor | null = null;
  const close = (): void => {
    const file = open;
    open = null;
    if (file === null) return;
    try {
      closeFile(file, settings);
    } catch (error) {
      // it is left without its end; the next file states how far it was written
      warn(error);
    }
    last = writtenTo(file, nowMs());
  };
  const closeIfDue = (): void => {
    if (open === null) return;
    if (open.day !== dayOf(nowMs()) || open.bytes >= maxBytes || isUnusable(open)) close();
  };
  return {
    current: () => {
      closeIfDue();
      return (open ??= openNext(settings, last));
    },
    tidy: () => {
      closeIfDue();
      try {
        removeOld(settings);
      } catch (error) {
        warn(error);
      }
    },
    close,
  };
};
