import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TributaryError } from '../../errors/errors.ts';
import type { PrivateTable } from '../renewal/renewal.ts';
import { privateText } from './private-table.ts';
import { readHistory, type ReleaseHistory } from './release-history.ts';
import { releasedIndexes } from './released-indexes.ts';
import { readLedger, releaseSeal, updateLedger, writeDurably, type Attempt } from './release-ledger.ts';
import { idOf, readRelease, releaseText, type Release } from './release.ts';

/**
 * The releases of one catalogue, in a folder of their own: each in a file named by its hash, beside it the units it was
 * computed from, which stay here, and `current`, which names the release that answers. Each file is complete on disk
 * before the next one refers to it, so whatever is interrupted, the release before stays. A ledger beside the folder
 * lists the releases of all catalogues, and `@released.json` the last slot of each index.
 */
export interface ReleaseStore {
  /** The id of the release that answers; null before the first one, and after it was withdrawn. */
  readonly currentId: () => string | null;
  /** The id of the release that was withdrawn, until the next one. */
  readonly withdrawnId: () => string | null;
  /** @throws TributaryError CONFIG_INVALID when it is damaged, missing, or another catalogue's: it is never guessed */
  readonly read: (id: string) => Release;
  /** The releases of this catalogue, or of any of these indexes, that are still kept. */
  readonly history: (indices: readonly string[]) => ReleaseHistory;
  /**
   * Publishes a release, the first of its slot.
   * @param isFirst whether it begins without what is missing of the history
   * @returns its id
   * @throws TributaryError CONFLICT when another process publishes for this slot
   */
  readonly publish: (
    release: Omit<Release, 'id'>,
    table: PrivateTable,
    indices: readonly string[],
    isFirst?: boolean,
  ) => string;
  /** Withdraws a release if it is the current one. @returns whether it was */
  readonly withdraw: (id: string) => boolean;
  /** The last attempt to publish; null before the first one. */
  readonly lastAttempt: () => Attempt | null;
  readonly recordAttempt: (attempt: Attempt) => void;
}

const pointer = 'current';
const idPattern = /^(withdrawn )?([0-9a-f]{64})$/;

/**
 * @param dataPath the folder of everything that this server keeps
 * @param key seals what must not be forged; null where releases are only read
 */
export const openReleaseStore = (
  dataPath: string,
  catalogueId: string,
  key: Uint8Array | null = null,
): ReleaseStore => {
  const folder = join(dataPath, 'releases', folderName(catalogueId));
  const seal = releaseSeal(key);
  const pointed = (): { readonly id: string; readonly isWithdrawn: boolean } | null => {
    const file = join(folder, pointer);
    if (!existsSync(file)) return null;
    const [, withdrawn, id] = idPattern.exec(readFileSync(file, 'utf8').trim()) ?? [];
    if (id === undefined) throw damaged(catalogueId);
    return { id, isWithdrawn: withdrawn !== undefined };
  };
  return {
    currentId: () => {
      const found = pointed();
      return found === null || found.isWithdrawn ? null : found.id;
    },
    withdrawnId: () => {
      const found = pointed();
      return found?.isWithdrawn === true ? found.id : null;
    },
    read: (id) => {
      try {
        const release = readRelease(readFileSync(join(folder, `${id}.json`), 'utf8'), id);
        if (release.catalogueId === catalogueId) return release;
        throw new TributaryError(
          'CONFIG_INVALID',
          `the release in the folder of catalogue ${catalogueId} is one of ${release.catalogueId}: its folder was copied or exchanged; restore it from a backup`,
        );
      } catch (error) {
        throw error instanceof TributaryError ? error : damaged(catalogueId, error);
      }
    },
    history: (indices) => readHistory({ dataPath, seal, folder }, { catalogueId, indices }),
    publish: (release, table, indices, isFirst = false) => {
      const text = releaseText(release);
      const id = idOf(text);
      claimSlot(folder, release.date);
      writeDurably(folder, `${id}.units`, seal.seal(privateText({ id, catalogueId, indices, table })));
      writeDurably(folder, `${id}.json`, text);
      updateLedger(dataPath, seal, (ledger) => ({
        ...ledger,
        releases: [
          ...ledger.releases,
          { id, catalogueId, indices, date: release.date, ...(isFirst && { isFirst }) },
        ],
      }));
      // from now on they do not open without a disclosure.json
      releasedIndexes(dataPath).add(catalogueId, indices, release.date);
      writeDurably(folder, pointer, `${id}\n`);
      return id;
    },
    withdraw: (id) => {
      if (pointed()?.id !== id) return false;
      writeDurably(folder, pointer, `withdrawn ${id}\n`);
      return true;
    },
    lastAttempt: () => readLedger(dataPath, seal).attempts[catalogueId] ?? null,
    recordAttempt: (attempt) =>
      updateLedger(dataPath, seal, (ledger) => ({
        ...ledger,
        attempts: { ...ledger.attempts, [catalogueId]: attempt },
      })),
  };
};

/** Two processes cannot publish for one slot. */
const claimSlot = (folder: string, date: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(folder, `${date}.slot`), '', { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    throw new TributaryError('CONFLICT', `the slot of ${date} is taken: a release of it was begun`, {
      cause,
    });
  }
};

/** Ids may hold characters that file names cannot. */
const folderName = (catalogueId: string): string =>
  /^[a-z0-9_-]{1,100}$/.test(catalogueId)
    ? catalogueId
    : createHash('sha256').update(catalogueId).digest('hex');

const damaged = (catalogueId: string, cause?: unknown): TributaryError =>
  new TributaryError(
    'CONFIG_INVALID',
    `the release of catalogue ${catalogueId} is damaged or missing: restore it from a backup, or make a new one with tributary release`,
    { cause },
  );
