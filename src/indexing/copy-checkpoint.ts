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
import { TributaryError } from '../errors.ts';
import { isJsonObject } from '../json.ts';

/** How far a copy is. */
export interface CopyState {
  /** The index that is read. */
  readonly source: string;
  /** The index that is filled. */
  readonly index: string;
  /** Whether it is to take the place of what answers to the name. */
  readonly replace: boolean;
  /** Of the last document that is written, null before the first. */
  readonly cursor: readonly CursorValue[] | null;
  /** Documents written. */
  readonly documents: number;
}

/** Where a copy keeps its state, so that one that was cut can go on. */
export interface CopyCheckpoint {
  /** null when no copy is under way. @throws TributaryError INPUT_INVALID when it cannot be read */
  read(): CopyState | null;
  /** Durable when it returns. */
  write(state: CopyState): void;
  remove(): void;
}

/**
 * A file for one copy.
 * @param folder made when it is not there
 * @param from where the documents come from, in words that stay the same from run to run; `to` likewise
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
    // said by the caller, with the path
    return null;
  }
};

/** The old content or the new one is there at every moment, also after a loss of power. */
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
