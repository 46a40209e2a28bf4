import { TributaryError } from '../../../lib/errors/errors.ts';
import { inodeOf } from '../store/claim.ts';
import { canBeWritten } from '../store/database.ts';
import { snapshotPath, storePath, removeTemporaryFiles } from '../store/folder-files.ts';
import { notFound } from '../store/index-names.ts';
import { LiveIndex } from './live-index.ts';

interface OpenIndex {
  readonly index: LiveIndex;
  readonly path: string;
  /** Identity of the index file, which another process may replace. */
  readonly inode: number;
}

/** The open indexes of a data folder, opened when they are first used. */
export class OpenIndexes {
  readonly #folder: string;
  readonly #open = new Map<string, OpenIndex>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** By name, as a copy: indexes may be closed during an iteration. */
  all(): readonly (readonly [name: string, index: LiveIndex])[] {
    return [...this.#open].map(([name, { index }]) => [name, index]);
  }

  /** Whether an index is open and unchanged, so that a search changes nothing. */
  isAtHand(name: string): boolean {
    const known = this.#open.get(name);
    return known !== undefined && !known.index.isBroken && known.inode === inodeOf(known.path);
  }

  /** As `get`, but a read-only one is reopened. */
  writable(name: string): LiveIndex {
    if (this.#open.get(name)?.index.isReadOnly === true) this.retry(name);
    return this.get(name);
  }

  /** Closes a read-only index once its file is writable, for other processes too. */
  retry(name: string): void {
    if (canBeWritten(storePath(this.#folder, name))) this.forget(name);
  }

  /** The index of that name, opened if necessary and reopened when its file was replaced. */
  get(name: string): LiveIndex {
    const known = this.#open.get(name);
    const path = known?.path ?? storePath(this.#folder, name);
    const inode = inodeOf(path);
    if (known !== undefined && known.inode === inode && !known.index.isBroken) return known.index;
    this.forget(name);
    if (inode === undefined) throw notFound(name);
    const index = openIndex(name, path, snapshotPath(this.#folder, name));
    this.#open.set(name, { index, path, inode });
    return index;
  }

  /** Closes an index, which the next use opens again. */
  forget(name: string): void {
    this.#open.get(name)?.index.close();
    this.#open.delete(name);
  }
}

const openIndex = (name: string, path: string, snapshotPath: string): LiveIndex => {
  removeTemporaryFiles(snapshotPath);
  try {
    const index = new LiveIndex(path, snapshotPath);
    if (index.isReadOnly) warnOfFullDisk(name);
    return index;
  } catch (error) {
    if (error instanceof TributaryError && error.code === 'index_not_found') throw notFound(name);
    throw error;
  }
};

const warnOfFullDisk = (name: string): void =>
  process.emitWarning(
    `the disk has no room: index ${name} is served as it is, and writes to it are refused until some space is free`,
    'TributaryWarning',
  );
