import { hash, sign, type KeyObject } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { TributaryError } from '../../errors/errors.ts';
import type { JsonObject } from '../../json/json.ts';

/** Where it is written down which questions reached a catalogue: appended to, never changed. */
export interface AuditTrail {
  /**
   * Hands a line to the operating system.
   * @throws TributaryError NOT_READY when it cannot, and the trail is required
   */
  readonly write: (entry: JsonObject) => void;
  /** Signs and closes the current file. */
  readonly close: () => void;
}

export interface AuditSettings {
  readonly folder: string;
  readonly signingKey: KeyObject;
  /** Whether nothing may be answered that is not written down. */
  readonly required: boolean;
  /** How many days files are kept. */
  readonly days: number;
  /** Called when a line cannot be written, at most once a minute. */
  readonly warn: (error: unknown) => void;
  readonly maxBytes?: number;
  readonly nowMs?: () => number;
}

/** The action of lines about access rules, which say when they took effect. */
export const rulesInEffect = 'access rules in effect';

const dayMs = 86_400_000;
const warnEveryMs = 60_000;

/** Each line holds the hash of the one before it; each file begins and ends with a signed line. */
interface OpenFile {
  readonly handle: number;
  readonly day: string;
  bytes: number;
  lines: number;
  previous: string;
}

/**
 * A trail in a folder: files of one day or `maxBytes`, each naming the hash of the file before it. A file that a killed
 * process left unsigned is covered by the signed first line of the next.
 * @throws TributaryError NOT_READY when nothing can be written, and the trail is required
 */
export const openAuditTrail = (settings: AuditSettings): AuditTrail => {
  const { required, warn, maxBytes = 64 * 1024 * 1024, nowMs = Date.now } = settings;
  let current: OpenFile | null = null;
  let warnedAtMs = -Infinity;
  const attempt = (work: () => void): void => {
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
  const closeCurrent = (): void => {
    const file = current;
    current = null;
    if (file !== null) closeFile(file, settings);
  };
  attempt(() => (current = openNext(settings)));
  return {
    write: (entry) =>
      attempt(() => {
        if (current !== null && (current.day !== dayOf(nowMs()) || current.bytes >= maxBytes)) closeCurrent();
        current ??= openNext(settings);
        append(current, {
          '@timestamp': new Date(nowMs()).toISOString(),
          ...entry,
          'tributary.previous': current.previous,
        });
      }),
    close: () => {
      try {
        closeCurrent();
      } catch (error) {
        warn(error);
      }
    },
  };
};

const openNext = ({ folder, signingKey, days, nowMs = Date.now }: AuditSettings): OpenFile => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const now = nowMs();
  removeOld(folder, now - days * dayMs);
  const last = auditFiles(folder).at(-1);
  const number = (last?.number ?? 0) + 1;
  // another process may have taken the number: then this one tries again with the next question
  const handle = openSync(join(folder, fileName(number)), 'wx', 0o600);
  const file = { handle, day: dayOf(now), bytes: 0, lines: 0, previous: '' };
  const opened = {
    '@timestamp': new Date(now).toISOString(),
    'event.action': 'opened',
    'tributary.number': number,
    'tributary.predecessor': last === undefined ? null : predecessorOf(folder, last),
  };
  append(file, signed(opened, signingKey));
  return file;
};

const closeFile = (file: OpenFile, { signingKey, nowMs = Date.now }: AuditSettings): void => {
  const closed = {
    '@timestamp': new Date(nowMs()).toISOString(),
    'event.action': 'closed',
    'tributary.lines': file.lines,
    'tributary.previous': file.previous,
  };
  try {
    append(file, signed(closed, signingKey));
  } finally {
    closeSync(file.handle);
  }
};

const signed = (entry: JsonObject, key: KeyObject): JsonObject => ({
  ...entry,
  'tributary.signature': sign(null, Buffer.from(JSON.stringify(entry)), key).toString('base64url'),
});

/** A line is there whole or not at all, unless the process is killed meanwhile. */
const append = (file: OpenFile, entry: JsonObject): void => {
  const text = JSON.stringify(entry);
  const bytes = Buffer.from(`${text}\n`);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file.handle, bytes, written);
  } catch (error) {
    ftruncateSync(file.handle, file.bytes);
    throw error;
  }
  file.bytes += bytes.length;
  file.lines += 1;
  file.previous = lineHash(text);
};

export const lineHash = (line: string): string => hash('sha256', line, 'hex');

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const fileName = (number: number): string => `audit-${String(number).padStart(8, '0')}.jsonl`;

export interface AuditFile {
  readonly number: number;
  readonly name: string;
}

/** The files of a trail, oldest first. */
export const auditFiles = (folder: string): readonly AuditFile[] =>
  readdirSync(folder)
    .flatMap((name) => {
      const number = /^audit-(\d{8,})\.jsonl$/.exec(name)?.[1];
      return number === undefined ? [] : [{ number: Number(number), name }];
    })
    .sort((left, right) => left.number - right.number);

/** What a file is recognised by in the one after it; it may still grow, if another process writes it. */
const predecessorOf = (folder: string, { number, name }: AuditFile): JsonObject => {
  const content = readFileSync(join(folder, name));
  return { number, bytes: content.length, sha256: hash('sha256', content, 'hex') };
};

const removeOld = (folder: string, beforeMs: number): void => {
  for (const { name } of auditFiles(folder))
    if (statSync(join(folder, name)).mtimeMs < beforeMs) rmSync(join(folder, name), { force: true });
};
