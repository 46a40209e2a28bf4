import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { isJsonObject } from '../../../json.ts';
import { isBusy } from './database.ts';

/** The process that holds a claim, or held it when it was ended. */
export interface Claimant {
  readonly pid: number;
  readonly host: string;
  /** When it took the claim, ISO 8601. */
  readonly since: string;
  /** The indexes that are its own until it lets go. */
  readonly indexes: readonly string[];
}

/** The right of one process to do something in a data folder that no other may do meanwhile. */
export interface Claim {
  /** Who was ended while it held this claim; null when the last one let go of it. */
  readonly previous: Claimant | null;
  /** Writes down which indexes are lost when this process ends before it lets go. */
  readonly note: (indexes: readonly string[]) => void;
  readonly release: () => void;
}

/** Others hold a claim for a moment to see whether it is held. */
const waitMs = 1_000;

/**
 * Takes a claim. It ends with its process, however that ends: it is a lock on an empty SQLite file, `{path}.lock`, and
 * who holds it is in `{path}.json` beside it.
 * @param timeout how long to wait for it, in milliseconds
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

/** Who is named beside a claim, and whether it still holds it; null when nobody is. */
export const claimState = (path: string): { readonly claimant: Claimant; readonly held: boolean } | null => {
  const claimant = readClaimant(path);
  if (claimant === null) return null;
  const lock = locked(`${path}.lock`, 0);
  lock?.close();
  return { claimant, held: lock === null };
};

/** The process in words: `process 4711 since 2026-01-31T09:00:00Z`. */
export const claimantText = ({ pid, host, since }: Claimant): string =>
  `process ${String(pid)}${host === hostname() ? '' : ` on ${host}`} since ${since.replace(/\.\d+Z$/, 'Z')}`;

/** The lock, null when another process has it. Whoever lets go removes the file, so it is looked at again. */
const locked = (path: string, timeout: number): DatabaseSync | null => {
  for (;;) {
    const before = inodeOf(path);
    const db = new DatabaseSync(path, { timeout });
    try {
      // nothing is ever written, so no journal has to be beside it
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

/** A note that was cut short by the end of its process names nobody. */
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
