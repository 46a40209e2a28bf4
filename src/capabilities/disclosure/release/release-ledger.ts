import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '../../../engines/embedded/store/claim.ts';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { privateFolder } from '../../../lib/runtime/private-file.ts';

/** A release as the ledger lists it. */
export interface LedgerEntry {
  readonly id: string;
  readonly catalogueId: string;
  readonly indices: readonly string[];
  readonly date: string;
  /** Whether it began a new history (`--first`): earlier missing releases are no longer reported. */
  readonly isFirst?: true;
}

/** The last attempt to make a release of a catalogue. */
export interface Attempt {
  /** The slot. */
  readonly date: string;
  /** ISO 8601. */
  readonly at: string;
  /** Why it was not published, for the operator; empty: it was. */
  readonly reasons: readonly string[];
}

/** All releases of a server, kept or not. */
export interface Ledger {
  readonly releases: readonly LedgerEntry[];
  /** By catalogue id. */
  readonly attempts: Readonly<Record<string, Attempt>>;
}

/** The ledger's file, next to the folder of the releases, so that the loss or restoration of either is noticed. */
const ledgerName = '@releases.ledger';

/** @throws TributaryError CONFIG_INVALID when it is damaged */
export const readLedger = (dataPath: string): Ledger => {
  const file = join(dataPath, ledgerName);
  if (!existsSync(file)) return { releases: [], attempts: {} };
  return JSON.parse(withoutChecksum(readFileSync(file, 'utf8'), ledgerName)) as Ledger;
};

/** Replaces the ledger by its changed version. */
export const updateLedger = (dataPath: string, change: (ledger: Ledger) => Ledger): void =>
  writeDurably(dataPath, ledgerName, withChecksum(JSON.stringify(change(readLedger(dataPath)))));

/** A text after its SHA-256, which is on a line of its own: damage that leaves it readable would go unnoticed. */
export const withChecksum = (text: string): string => `${hash('sha256', text)}\n${text}`;

/** @throws TributaryError CONFIG_INVALID when the text does not have its checksum */
export const withoutChecksum = (stored: string, name: string): string => {
  const end = stored.indexOf('\n');
  const text = stored.slice(end + 1);
  if (stored.slice(0, Math.max(0, end)) === hash('sha256', text)) return text;
  throw new TributaryError('CONFIG_INVALID', `${name} is damaged: it does not have its checksum`);
};

/** Writes a file that only its owner can read. Under its final name it is always complete. */
export const writeDurably = (folder: string, name: string, text: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  const draft = `${path}.${process.pid}.draft`;
  const bytes = Buffer.from(text);
  const file = openSync(draft, 'w', 0o600);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    fsyncSync(file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** How long another process may take to record a release, in milliseconds. */
const waitMs = 10_000;

/**
 * Runs work while no other process changes releases: under a lock whose file stays, so that all lock the same one.
 * @throws TributaryError CONFLICT when another process keeps changing them
 */
export const exclusively = <Result>(dataPath: string, work: () => Result): Result => {
  mkdirSync(dataPath, { recursive: true, mode: privateFolder });
  const lock = lockFile(join(dataPath, '@releases.lock'), waitMs);
  if (lock === null) throw new TributaryError('CONFLICT', 'another process publishes releases: try again');
  try {
    return work();
  } finally {
    lock.close();
  }
};
