import { createHash, hash, sign, type Hash, type KeyObject } from 'node:crypto';
import {
  closeSync,
  fstatSync,
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
import type { JsonObject } from '../../lib/json/json.ts';

const dayMs = 86_400_000;

/** Keys, derived from the server's secret, that prove that it wrote a trail. */
export interface TrailKeys {
  /** Signs the first and the last line of a file. */
  readonly signingKey: KeyObject;
  /** The MAC of the previous line, in each line: without its key no line can be added or altered, even in an open file. */
  readonly lineMac: (line: string | Uint8Array) => string;
}

export interface FileSettings extends TrailKeys {
  readonly folder: string;
  /** The number of days that files are kept. */
  readonly days: number;
  readonly nowMs?: () => number;
}

/** The file of a trail that lines are appended to. */
export interface OpenFile extends AuditFile {
  readonly handle: number;
  /** Days since 1970, in UTC. */
  readonly day: number;
  /** Digest of everything written, so that the next file can name it without reading it. */
  readonly digest: Hash;
  bytes: number;
  lines: number;
  previous: string;
  /** Whether an incomplete line remains at its end, which could not be removed. */
  isTorn: boolean;
}

/** How the next file identifies this one. */
export interface Predecessor {
  readonly number: number;
  readonly bytes: number;
  readonly sha256: string;
  /** When the file was last written to, in ISO 8601. */
  readonly until: string;
}

/** The record of a closed file. */
export const writtenTo = ({ number, bytes, digest }: OpenFile, nowMs: number): Predecessor => ({
  ...{ number, bytes },
  sha256: digest.digest('hex'),
  until: new Date(nowMs).toISOString(),
});

/** Whether the file can no longer be appended to: lines in a removed file would be lost with it. */
export const isUnusable = ({ isTorn, handle }: OpenFile): boolean => isTorn || fstatSync(handle).nlink === 0;

/** Opens the next file of a trail. @param own the last file that this process wrote; null if it wrote none */
export const openNext = (settings: FileSettings, own: Predecessor | null): OpenFile => {
  const { folder, signingKey, nowMs = Date.now } = settings;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOld(settings);
  const found = auditFiles(folder).at(-1);
  const before = own !== null && own.number >= (found?.number ?? 0) ? own : predecessorOf(folder, found);
  const number = (before?.number ?? 0) + 1;
  const name = fileName(number);
  const handle = openNew(join(folder, name));
  // another process took the number
  if (handle === null) return openNext(settings, own);
  const file: OpenFile = {
    ...{ number, name, handle, day: dayOf(nowMs()), digest: createHash('sha256') },
    ...{ bytes: 0, lines: 0, previous: '', isTorn: false },
  };
  const opened = {
    '@timestamp': new Date(nowMs()).toISOString(),
    'event.action': 'opened',
    'tributary.number': number,
    'tributary.predecessor': before && { ...before },
  };
  try {
    appendLine(file, settings, JSON.stringify(signed(opened, signingKey)));
  } catch (error) {
    // if every attempt fails, each would leave an empty file
    closeSync(handle);
    rmSync(join(folder, name), { force: true });
    throw error;
  }
  return file;
};

/** @returns null when the file exists */
const openNew = (path: string): number | null => {
  try {
    return openSync(path, 'ax', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
};

/** Ends a file with a signed line. */
export const closeFile = (file: OpenFile, settings: FileSettings): void => {
  const { signingKey, nowMs = Date.now } = settings;
  const closed = {
    '@timestamp': new Date(nowMs()).toISOString(),
    'event.action': 'closed',
    'tributary.lines': file.lines,
    'tributary.previous': file.previous,
  };
  try {
    if (!file.isTorn) appendLine(file, settings, JSON.stringify(signed(closed, signingKey)));
  } finally {
    closeSync(file.handle);
  }
};

const signed = (entry: JsonObject, key: KeyObject): JsonObject => ({
  ...entry,
  'tributary.signature': sign(null, Buffer.from(JSON.stringify(entry)), key).toString('base64url'),
});

/** Appends a line: completely or not at all, unless the process is killed meanwhile. */
export const appendLine = (file: OpenFile, { lineMac }: TrailKeys, text: string): void => {
  const bytes = Buffer.from(`${text}\n`);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file.handle, bytes, written);
  } catch (error) {
    file.isTorn = true;
    ftruncateSync(file.handle, file.bytes);
    file.isTorn = false;
    throw error;
  }
  file.digest.update(bytes);
  file.bytes += bytes.length;
  file.lines += 1;
  file.previous = lineMac(bytes.subarray(0, -1));
};

/** Days since 1970, in UTC. */
export const dayOf = (ms: number): number => Math.floor(ms / dayMs);

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

/** Up to its last complete line; it may still grow, if another process writes it. */
const predecessorOf = (folder: string, file: AuditFile | undefined): Predecessor | null => {
  if (file === undefined) return null;
  const { number, name } = file;
  const until = statSync(join(folder, name)).mtime.toISOString();
  const content = contentOf(join(folder, name));
  const bytes = content.lastIndexOf('\n') + 1;
  return { number, until, bytes, sha256: hash('sha256', content.subarray(0, bytes), 'hex') };
};

/** Another user's file, such as that of an administrator who ran a command, must not stop the trail. */
const contentOf = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
};

/** Removes files past their retention. */
export const removeOld = ({ folder, days, nowMs = Date.now }: FileSettings): void => {
  for (const { name } of auditFiles(folder)) {
    // another process may remove it at the same time
    const file = statSync(join(folder, name), { throwIfNoEntry: false });
    if (file !== undefined && file.mtimeMs < nowMs() - days * dayMs)
      rmSync(join(folder, name), { force: true });
  }
};
