import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from './durable-file.ts';
import type { Seal } from './release-key.ts';

/** A release as the ledger lists it. */
export interface LedgerEntry {
  readonly id: string;
  readonly catalogueId: string;
  readonly indices: readonly string[];
  readonly date: string;
  /** Whether it began anew (`--first`): what was missing before it is not missed any more. */
  readonly isFirst?: true;
}

/** The last time that a release was to be made of a catalogue. */
export interface Attempt {
  /** The slot. */
  readonly date: string;
  /** ISO 8601. */
  readonly at: string;
  /** Why it was not published, for the operator; none: it was. */
  readonly reasons: readonly string[];
}

/** All releases of a server, whichever are kept. */
export interface Ledger {
  readonly releases: readonly LedgerEntry[];
  /** By catalogue id. */
  readonly attempts: Readonly<Record<string, Attempt>>;
}

/** The ledger's file, beside the folder of the releases, so that one of them that is lost or restored is noticed. */
const ledgerName = '@releases.ledger';

/** @throws TributaryError CONFIG_INVALID when it is damaged, or of another server */
export const readLedger = (dataPath: string, seal: Seal): Ledger => {
  const file = join(dataPath, ledgerName);
  if (!existsSync(file)) return { releases: [], attempts: {} };
  return JSON.parse(seal.open(readFileSync(file, 'utf8'), ledgerName)) as Ledger;
};

/** Replaces the ledger by what is made of it. */
export const updateLedger = (dataPath: string, seal: Seal, change: (ledger: Ledger) => Ledger): void =>
  writeDurably(dataPath, ledgerName, seal.seal(JSON.stringify(change(readLedger(dataPath, seal)))));
