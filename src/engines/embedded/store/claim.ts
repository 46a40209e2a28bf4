import { readFileSync, rmSync, statSync, writeFileSync, existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { createPrivate } from '../../../lib/runtime/private-file.ts';
import { isJsonObject } from '../../../lib/json/json.ts';
import { isBusy } from './database.ts';
import { join } from 'node:path';
import { fileError } from './file-error.ts';
import { fileNameOf, indexOfFileName } from './folder-files.ts';

/** The process that holds a claim, or held it when it was killed. */
export interface Claimant {
  readonly pid: number;
  readonly host: string;
  /** When the claim was taken, ISO 8601. */
  readonly since: string;
  /** The indexes that belong to it until it releases the claim. */
  readonly indexes: readonly string[];
}

/** A process's exclusive right to do something in a data folder. */
export interface Claim {
  /** The holder that was killed before releasing this claim; null when the last one released it. */
  readonly previous: Claimant | null;
  /** Records which indexes are lost if this process ends before it releases the claim. */
  readonly note: (indexes: readonly string[]) => void;
  readonly release: () => void;
  /** Releases it; a previous holder's record stays, whose indexes are still lost. */
  readonly leave: () => void;
}

/** Other processes briefly take a claim to check whether it is held. */
const waitMs = 1_000;

/**
 * Takes a claim. It is a lock on an empty SQLite file, `{path}.lock`, so it ends with its process, however that ends;
 * its holder is recorded in `{path}.json`.
 * @param timeout how long to wait for the lock, in milliseconds
 * @returns null when another process holds it
 */
export const takeClaim = (path: string, timeout = waitMs): Claim | null => {
  const lock = locked(`${path}.lock`, timeout);
  if (lock === null) return null;
  const since = new Date().toISOString();
  const write = (claimant: Claimant): void =>
    writeFileSync(`${path}.json`, JSON.stringify(claimant), { mode: 0o600 });
  const note = (indexes: readonly string[]): void =>
    write({ pid: process.pid, host: hostname(), since, indexes });
  const release = (): void => {
    rmSync(`${path}.json`, { force: true });
    rmSync(`${path}.lock`, { force: true });
    lock.close();
  };
  const previous = readClaimant(path);
  try {
    note(previous?.indexes ?? []);
  } catch (error) {
    if (previous === null) release();
    else lock.close();
    throw error;
  }
  const leave = (): void => {
    if (previous === null) return release();
    write(previous);
    lock.close();
  };
  return { previous, note, release, leave };
};

/** The recorded claimant and whether it still holds the claim; null when none is recorded. */
export const claimState = (path: string): { readonly claimant: Claimant; readonly held: boolean } | null => {
  const claimant = readClaimant(path);
  if (claimant === null) return null;
  const lock = locked(`${path}.lock`, 0);
  lock?.close();
  return { claimant, held: lock === null };
};

/** Describes the process: `process 4711 since 2026-01-31T09:00:00Z`. */
export const claimantText = ({ pid, host, since }: Claimant): string =>
  `process ${String(pid)}${host === hostname() ? '' : ` on ${host}`} since ${since.replace(/\.\d+Z$/, 'Z')}`;

/** The lock, or null when another process has it. Releasing it removes the file, so the file is checked again. */
const locked = (path: string, timeout: number): DatabaseSync | null => {
  for (;;) {
    const before = fileAt(path);
    const db = lockFile(path, timeout);
    if (db === null) return null;
    if (before !== undefined && fileAt(path) === before) return db;
    db.close();
  }
};

/**
 * Locks an empty SQLite file, which is made if it is missing, until the database is closed or this process ends.
 * @param timeout how long to wait for the lock, in milliseconds
 * @returns null when another process has it
 */
export const lockFile = (path: string, timeout: number): DatabaseSync | null => {
  createPrivate(path);
  const db = new DatabaseSync(path, { timeout });
  try {
    // nothing is ever written, so no journal file is needed
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
};

/** Distinguishes a lock's file, which is never written to, from one that replaced it, even with the same inode. */
const fileAt = (path: string): string | undefined => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.birthtimeNs}`;
};

/** Distinguishes a file from one that replaced it. */
export const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/** A record truncated because its process died counts as missing. */
const readClaimant = (path: string): Claimant | null => {
  try {
    const note: unknown = JSON.parse(readFileSync(`${path}.json`, 'utf8'));
    return isClaimant(note) ? note : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

const isClaimant = (note: unknown): note is Claimant =>
  isJsonObject(note) &&
  typeof note['pid'] === 'number' &&
  typeof note['host'] === 'string' &&
  typeof note['since'] === 'string' &&
  Array.isArray(note['indexes']);

/** An index name in a data folder whose index is being created, or was until the creating process was killed. */
export interface NameClaim {
  readonly name: string;
  readonly claimant: Claimant;
  readonly held: boolean;
}

/**
 * Claims the creation of an index under a name; null when another process holds the claim.
 * @throws TributaryError as `fileError`
 */
export const takeNameClaim = (folder: string, name: string): Claim | null => {
  const withFileErrors = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw fileError(error, `index ${name}`) ?? error;
    }
  };
  const claim = withFileErrors(() => takeClaim(pathOf(folder, name)));
  return claim && { ...claim, note: (indexes) => withFileErrors(() => claim.note(indexes)) };
};

/** The claim of the process that is creating an index of that name, or was killed doing so; null if there is none. */
export const nameClaim = (folder: string, name: string): NameClaim | null => {
  const state = claimState(pathOf(folder, name));
  return state === null ? null : { name, ...state };
};

/** All claims in a data folder, sorted by name. */
export const nameClaims = (folder: string): readonly NameClaim[] => {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).flatMap((file) => pattern.exec(file)?.[1] ?? []);
  return names
    .map(indexOfFileName)
    .sort()
    .flatMap((name) => nameClaim(folder, name) ?? []);
};

/** Describes the holder of a name, whether or not its record could be read. */
export const holderText = (folder: string, name: string): string => {
  const claim = nameClaim(folder, name);
  return claim === null ? 'another process' : claimantText(claim.claimant);
};

const pattern = /^@load-(.+)\.json$/;

const pathOf = (folder: string, name: string): string => join(folder, `@load-${fileNameOf(name)}`);
