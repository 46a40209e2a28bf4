import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { CursorValue } from '../engines/engine.ts';
import { TributaryError } from '../errors/errors.ts';
import { isJsonObject } from '../json/json.ts';

/** Progress of a copy. */
export interface CopyState {
  /** The index that is read. */
  readonly source: string;
  /** The index that is filled. */
  readonly index: string;
  /** Whether it replaces what currently has the name. */
  readonly replace: boolean;
  /** Of the last document written; null before the first. */
  readonly cursor: readonly CursorValue[] | null;
  /** Documents written. */
  readonly documents: number;
}

/** Where a copy keeps its state, so that it can be resumed. */
export interface CopyCheckpoint {
  /** null when no copy is in progress. @throws TributaryError INPUT_INVALID when it cannot be read */
  read(): CopyState | null;
  /** Durable when it returns. */
  write(state: CopyState): void;
  remove(): void;
}

/**
 * A file for one copy.
 * @param folder created if missing
 * @param from the source of the documents, in a form that is stable across runs; `to` likewise
 */
export const copyCheckpoint = (folder: string, name: string, from: string, to: string): CopyCheckpoint => {
  const which = createHash('sha256')
    .update(JSON.stringify([name, from, to]))
    .digest('hex')
    .slice(0, 16);
  const path = join(folder, `copy-${which}.json`);
  return {
    read: () => {
      const text = textOf(path);
      return text === null ? null : stateOf(text, path);
    },
    write: (state) => {
      mkdirSync(folder, { recursive: true });
      writeDurably(path, JSON.stringify({ name, from, to, ...state }));
    },
    remove: () => rmSync(path, { force: true }),
  };
};

const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new TributaryError('INPUT_INVALID', `cannot read ${path}: ${(error as Error).message}`, { cause: error }); // prettier-ignore
  }
};

const stateOf = (text: string, path: string): CopyState => {
  const found = parsed(text);
  if (
    !isJsonObject(found) ||
    typeof found['source'] !== 'string' ||
    typeof found['index'] !== 'string' ||
    typeof found['replace'] !== 'boolean' ||
    typeof found['documents'] !== 'number' ||
    !(found['cursor'] === null || Array.isArray(found['cursor']))
  )
    throw new TributaryError('INPUT_INVALID', `${path} does not hold the progress of a copy: delete it, and copy with --replace`); // prettier-ignore
  const { source, index, replace, documents } = found;
  return { source, index, replace, documents, cursor: found['cursor'] as CopyState['cursor'] };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // reported by the caller, with the path
    return null;
  }
};

/** Atomic: the file has either the old or the new content, even after a power failure. */
const writeDurably = (path: string, text: string): void => {
  const beside = `${path}.tmp`;
  const file = openSync(beside, 'w');
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};
