import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { TypedArray } from './chunked.ts';
import type { Columns } from './columns.ts';
import { fitsColumns, layColumns, restoreColumns, type ColumnsLayout } from './snapshot-layout.ts';
import { temporaryPath } from './temporary-file.ts';

/** What a snapshot belongs to, and how far it goes. */
export interface SnapshotHead {
  readonly uid: string;
  /** The mapping's text. */
  readonly mapping: string;
  readonly number: number;
  readonly deletion: number;
}

interface FileHead extends SnapshotHead {
  /** The keys that no field is mapped for, null when they are too many; older snapshots lack them. */
  readonly unmapped?: readonly string[] | null;
  readonly layout: ColumnsLayout;
  /** Kind and length of each array, in the file's order. */
  readonly arrays: readonly (readonly [ArrayName, number])[];
}

// file: magic, length of the head, checksum of all else, head as JSON, arrays; each part padded to 8 bytes
const magic = 0x32425254;
const prefixBytes = 16;

const arrayKinds = { Uint8Array, Uint16Array, Uint32Array, Float64Array };
type ArrayName = keyof typeof arrayKinds;

/** Writes the columns so that a crash leaves the file before or after, never half of it. */
export const writeSnapshot = (path: string, head: SnapshotHead, columns: Columns): void => {
  const { layout, arrays } = layColumns(columns);
  const fileHead: FileHead = {
    ...head,
    unmapped: columns.tree.unmapped.list(),
    layout,
    arrays: arrays.map((array) => [nameOf(array), array.length]),
  };
  const parts = [padded(Buffer.from(JSON.stringify(fileHead))), ...arrays.map(bytesOf).map(padded)];
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(magic, 0);
  prefix.writeUInt32LE(parts[0]!.length, 4);
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
 * Fills empty columns from a snapshot. Returns how far it goes, or null, the columns untouched, when there is no whole
 * snapshot of this very store and mapping: the documents then tell everything.
 */
export const readSnapshot = (
  path: string,
  expected: Pick<SnapshotHead, 'uid' | 'mapping'>,
  columns: Columns,
): SnapshotHead | null => {
  const bytes = readShared(path);
  if (bytes === null || !isWhole(bytes)) return null;
  const headLength = bytes.readUInt32LE(4);
  const head = JSON.parse(bytes.toString('utf8', prefixBytes, prefixBytes + headLength)) as FileHead;
  if (head.uid !== expected.uid || head.mapping !== expected.mapping) return null;
  if (!fitsColumns(columns, head.layout)) return null;
  restoreColumns(columns, head.layout, arraysIn(bytes, prefixBytes + headLength, head.arrays));
  columns.tree.unmapped.restore(head.unmapped);
  return head;
};

/** Whether a snapshot's file is what was once written; its documents may have changed since. */
export const snapshotState = (path: string): 'missing' | 'whole' | 'damaged' => {
  const bytes = readShared(path);
  return bytes === null ? 'missing' : isWhole(bytes) ? 'whole' : 'damaged';
};

const isWhole = (bytes: Buffer): boolean => {
  if (bytes.length < prefixBytes || bytes.readUInt32LE(0) !== magic) return false;
  const checksum = crc32(bytes.subarray(prefixBytes), crc32(bytes.subarray(0, 8)));
  return checksum === bytes.readUInt32LE(8);
};

/** The arrays as views of the file's bytes: nothing is copied. */
const arraysIn = (bytes: Buffer, start: number, list: FileHead['arrays']): readonly TypedArray[] => {
  let offset = start;
  return list.map(([name, length]) => {
    const kind = arrayKinds[name];
    const array = new kind(bytes.buffer as unknown as ArrayBuffer, offset, length);
    offset += paddedLength(length * kind.BYTES_PER_ELEMENT);
    return array;
  });
};

/** A whole file in shared memory, null when there is none. */
const readShared = (path: string): Buffer | null => {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const bytes = Buffer.from(new SharedArrayBuffer(fstatSync(file).size));
    for (let at = 0; at < bytes.length;) {
      const read = readSync(file, bytes, at, Math.min(bytes.length - at, 1 << 28), at);
      if (read === 0) return null;
      at += read;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
};

const writeDurably = (path: string, parts: readonly Uint8Array[]): void => {
  const file = openSync(path, 'w');
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
const paddedLength = (length: number): number => (length + 7) & ~7;

const padded = (bytes: Uint8Array): Uint8Array => {
  if (bytes.length % 8 === 0) return bytes;
  // spaces, which JSON allows after the head
  const result = new Uint8Array(paddedLength(bytes.length)).fill(0x20);
  result.set(bytes);
  return result;
};
