import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { allocate, chunkSize, type ArrayKind, type TypedArray } from '../columns/chunked.ts';
import type { Columns } from '../columns/columns.ts';
import { fitsColumns, layColumns, restoreColumns, type ColumnsLayout } from './snapshot-layout.ts';
import { temporaryPath } from './folder-files.ts';

/** What a snapshot belongs to, and up to which change it goes. */
export interface SnapshotHead {
  readonly uid: string;
  /** The mapping's text. */
  readonly mapping: string;
  readonly number: number;
  readonly deletion: number;
}

interface FileHead extends SnapshotHead {
  /** See `rules`. */
  readonly rules: number;
  /** The unmapped keys, null when there are too many. */
  readonly unmapped: readonly string[] | null;
  readonly layout: ColumnsLayout;
  /** Kind and length of each array, in the file's order. */
  readonly arrays: readonly (readonly [ArrayName, number])[];
}

// file: magic, head length, checksum of everything else, head as JSON, arrays; each part padded to 8 bytes
const magic = 0x32425254;
const prefixBytes = 16;
/** The version of the rules by which documents become columns: columns of other versions are rebuilt from the documents. */
const rules = 2;
/** How much is read at a time to verify the checksum, in bytes. */
const partBytes = 1 << 20;

const arrayKinds = { Uint8Array, Uint16Array, Uint32Array, Float64Array };
type ArrayName = keyof typeof arrayKinds;

/** Writes the columns atomically: a crash leaves either the old file or the new one. */
export const writeSnapshot = (path: string, head: SnapshotHead, columns: Columns): void => {
  const { layout, arrays } = layColumns(columns);
  const fileHead: FileHead = {
    ...head,
    rules,
    unmapped: columns.tree.unmapped.list(),
    layout,
    arrays: arrays.map((array) => [nameOf(array), array.length]),
  };
  const headBytes = Buffer.from(JSON.stringify(fileHead));
  const parts = [headBytes, ...arrays.map(bytesOf)].flatMap((bytes) => [bytes, paddingOf(bytes)]);
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(magic, 0);
  prefix.writeUInt32LE(paddedLength(headBytes.length), 4);
  const start = crc32(prefix.subarray(0, 8));
  const checksum = parts.reduce((sum, part) => crc32(part, sum), start);
  prefix.writeUInt32LE(checksum, 8);
  const temporary = temporaryPath(path);
  try {
    writeDurably(temporary, [prefix, ...parts]);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
};

/**
 * Fills empty columns from a snapshot. Returns how far it goes, or null, leaving the columns untouched, when there is
 * no intact snapshot of this store and mapping; everything is then read from the documents.
 */
export const readSnapshot = (
  path: string,
  expected: Pick<SnapshotHead, 'uid' | 'mapping'>,
  columns: Columns,
): SnapshotHead | null => {
  const file = openIfThere(path);
  if (file === null) return null;
  try {
    return isWhole(file) ? restored(file, expected, columns) : null;
  } finally {
    closeSync(file);
  }
};

/** Whether a snapshot file is intact; the documents may have changed since it was written. */
export const snapshotState = (path: string): 'missing' | 'whole' | 'damaged' => {
  const file = openIfThere(path);
  if (file === null) return 'missing';
  try {
    return isWhole(file) ? 'whole' : 'damaged';
  } finally {
    closeSync(file);
  }
};

const openIfThere = (path: string): number | null => {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Reads the whole file before any of it is trusted. */
const isWhole = (file: number): boolean => {
  const prefix = Buffer.alloc(prefixBytes);
  if (readAt(file, prefix, 0) < prefixBytes || prefix.readUInt32LE(0) !== magic) return false;
  let checksum = crc32(prefix.subarray(0, 8));
  const part = Buffer.allocUnsafeSlow(partBytes);
  let at = prefixBytes;
  for (let read = readAt(file, part, at); read > 0; read = readAt(file, part, at)) {
    checksum = crc32(part.subarray(0, read), checksum);
    at += read;
  }
  return checksum === prefix.readUInt32LE(8);
};

const restored = (
  file: number,
  expected: Pick<SnapshotHead, 'uid' | 'mapping'>,
  columns: Columns,
): SnapshotHead | null => {
  const prefix = Buffer.alloc(prefixBytes);
  readAt(file, prefix, 0);
  const headBytes = Buffer.alloc(prefix.readUInt32LE(4));
  readAt(file, headBytes, prefixBytes);
  const head = JSON.parse(headBytes.toString()) as FileHead;
  if (head.uid !== expected.uid || head.mapping !== expected.mapping || head.rules !== rules) return null;
  if (!fitsColumns(columns, head.layout)) return null;
  restoreColumns(columns, head.layout, readArrays(file, prefixBytes + headBytes.length, head.arrays));
  columns.tree.unmapped.restore(head.unmapped);
  return head;
};

/** Each array has its own memory, which is freed when the array is replaced by a longer one. */
const readArrays = (file: number, start: number, list: FileHead['arrays']): readonly TypedArray[] => {
  let at = start;
  return list.map(([name, length]) => {
    const kind: ArrayKind<TypedArray> = arrayKinds[name];
    const array = allocate(kind, length + roomBehind(name, length));
    const byteLength = length * kind.BYTES_PER_ELEMENT;
    readAt(file, new Uint8Array(array.buffer as ArrayBuffer, 0, byteLength), at);
    at += paddedLength(byteLength);
    return array;
  });
};

/**
 * The string bytes of a large table, longer than a chunk's codes, grow on most writes: with spare room behind them,
 * which takes no memory until used, the first write need not copy them.
 */
const roomBehind = (name: ArrayName, length: number): number =>
  name === 'Uint8Array' && length > chunkSize ? length >>> 2 : 0;

/** Fills `bytes` from a file position. Returns how many bytes were read. */
const readAt = (file: number, bytes: Uint8Array, position: number): number => {
  let done = 0;
  while (done < bytes.length) {
    const read = readSync(file, bytes, done, Math.min(bytes.length - done, 1 << 28), position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
};

const writeDurably = (path: string, parts: readonly Uint8Array[]): void => {
  const file = openSync(path, 'w', 0o600);
  try {
    for (const part of parts) writeAll(file, part);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const writeAll = (file: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, Math.min(bytes.length - at, 1 << 26));
};

/** Makes a rename durable. */
const syncFolder = (path: string): void => {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
};

const nameOf = (array: TypedArray): ArrayName => array.constructor.name as ArrayName;
const bytesOf = (array: TypedArray): Uint8Array =>
  new Uint8Array(array.buffer as ArrayBuffer, array.byteOffset, array.byteLength);

/** The length of a part with its padding, which may be more than 2^31 bytes. */
export const paddedLength = (length: number): number => Math.ceil(length / 8) * 8;

/** Spaces, which JSON allows after the head. Written separately, since an array with them would be a copy. */
const paddingOf = ({ length }: Uint8Array): Uint8Array =>
  new Uint8Array(paddedLength(length) - length).fill(0x20);

/** Changes after which a snapshot is worth writing when idle; after many more, between requests as well. */
const changesBeforeSnapshot = 20_000;
const changesBeforePause = 500_000;
/** How long to wait after a failed snapshot, in milliseconds. */
const retryMs = 60_000;

/** Decides when the columns of an index are worth a snapshot, by how much has changed since the last one. */
export class SnapshotSchedule {
  #changes = 0;
  #nextAtMs = 0;

  /** Whether the last snapshot contains every change. */
  get isUpToDate(): boolean {
    return this.#changes === 0;
  }

  changed(count: number): void {
    this.#changes += count;
  }

  /** Marks the last snapshot as full of deleted documents. */
  outdated(): void {
    this.#changes += changesBeforeSnapshot;
  }

  /**
   * Whether a snapshot would make the next start much faster.
   * @param idle no request is waiting
   * @param liveCount the number of live documents
   */
  isDue(idle: boolean, liveCount: number): boolean {
    const min = idle ? changesBeforeSnapshot : Math.max(changesBeforePause, liveCount);
    return this.#changes >= min && Date.now() >= this.#nextAtMs;
  }

  /** Runs `write`; if it fails, the next attempt is due only after a while. */
  writing(write: () => void): void {
    this.#nextAtMs = Date.now() + retryMs;
    write();
    this.#nextAtMs = 0;
    this.#changes = 0;
  }
}
