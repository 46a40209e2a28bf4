import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { isJsonObject } from '../../../json/json.ts';
import { isBusy } from './database.ts';

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
  const note = (indexes: readonly string[]): void => {
    const claimant: Claimant = { pid: process.pid, host: hostname(), since, indexes };
    writeFileSync(`${path}.json`, JSON.stringify(claimant));
  };
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
  return { previous, note, release };
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
    const before = inodeOf(path);
    const db = new DatabaseSync(path, { timeout });
    try {
      // nothing is ever written, so no journal file is needed
      db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      if (isBusy(error)) return null;
      throw error;
    }
    if (before !== undefined && inodeOf(path) === before) return db;
    db.close();
  }
};

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/** A record truncated because its process died counts as none. */
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
