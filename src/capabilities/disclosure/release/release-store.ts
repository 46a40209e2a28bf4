import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TributaryError } from '../../../lib/errors/errors.ts';
import type { PrivateTable } from '../renewal/renewal.ts';
import { privateText } from './private-table.ts';
import { readHistory, type ReleaseHistory } from './release-history.ts';
import { releasedIndexes } from './released-indexes.ts';
import {
  exclusively,
  readLedger,
  updateLedger,
  withChecksum,
  writeDurably,
  type Attempt,
  type LedgerEntry,
} from './release-ledger.ts';
import { idOf, readRelease, releaseText, type Release } from './release.ts';

/**
 * The releases of one catalogue, in a separate folder: each in a file named by its hash, next to it the units it was
 * computed from, which never leave the node, and `current`, which names the release that answers. Each file is complete on
 * disk before the next one refers to it. A ledger next to the folder lists the releases of all catalogues, and
 * `@released.json` the last slot of each index. A release interrupted before the ledger lists it, in `*.begun` until it
 * answers, never happened; one interrupted later is completed next time.
 */
export interface ReleaseStore {
  /** The id of the release that answers; null before the first release, and after it was withdrawn. */
  readonly currentId: () => string | null;
  /** The id of the withdrawn release, until the next release. */
  readonly withdrawnId: () => string | null;
  /** @throws TributaryError CONFIG_INVALID when it is damaged, missing, or belongs to another catalogue: it is never guessed */
  readonly read: (id: string) => Release;
  /** The kept releases of this catalogue, or of any of these indexes; an interrupted release is completed. */
  readonly history: (indices: readonly string[]) => ReleaseHistory;
  /**
   * Publishes a release, the first of its slot.
   * @param isFirst whether it begins without the missing part of the history
   * @returns its id
   * @throws TributaryError CONFLICT when another process published for this slot
   */
  readonly publish: (
    release: Omit<Release, 'id'>,
    table: PrivateTable,
    indices: readonly string[],
    isFirst?: boolean,
  ) => string;
  /** Withdraws a release if it is current. @returns whether it was */
  readonly withdraw: (id: string) => boolean;
  /** The last attempt to publish; null before the first attempt. */
  readonly lastAttempt: () => Attempt | null;
  readonly recordAttempt: (attempt: Attempt) => void;
}

const pointer = 'current';
const idPattern = /^(withdrawn )?([0-9a-f]{64})$/;

/** @param dataPath the folder of all data of this server */
export const openReleaseStore = (dataPath: string, catalogueId: string): ReleaseStore => {
  const folder = join(dataPath, 'releases', folderName(catalogueId));
  const place = { dataPath, folder, catalogueId };
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
    history: (indices) => {
      exclusively(dataPath, () => complete(place));
      return readHistory({ dataPath, folder }, { catalogueId, indices });
    },
    publish: (release, table, indices, isFirst = false) =>
      exclusively(dataPath, () => publishInto(place, release, table, { indices, isFirst })),
    withdraw: (id) =>
      exclusively(dataPath, () => {
        complete(place);
        if (pointed()?.id !== id) return false;
        writeDurably(folder, pointer, `withdrawn ${id}\n`);
        return true;
      }),
    lastAttempt: () => readLedger(dataPath).attempts[catalogueId] ?? null,
    recordAttempt: (attempt) =>
      exclusively(dataPath, () =>
        updateLedger(dataPath, (ledger) => ({
          ...ledger,
          attempts: { ...ledger.attempts, [catalogueId]: attempt },
        })),
      ),
  };
};

/** The location of a catalogue's releases. */
interface Place {
  readonly dataPath: string;
  readonly folder: string;
  readonly catalogueId: string;
}

const publishInto = (
  place: Place,
  release: Omit<Release, 'id'>,
  table: PrivateTable,
  { indices, isFirst }: { readonly indices: readonly string[]; readonly isFirst: boolean },
): string => {
  const { dataPath, folder, catalogueId } = place;
  const { date } = release;
  const text = releaseText(release);
  const id = idOf(text);
  complete(place);
  if (listedIn(place).some((one) => one.date >= date))
    throw new TributaryError('CONFLICT', `the slot of ${date} is taken: another process published for it`);
  removeBegun(folder);
  // first, so that any remains of it are removed
  writeDurably(folder, `${id}.begun`, text);
  writeDurably(folder, `${id}.units`, withChecksum(privateText({ id, catalogueId, indices, table })));
  updateLedger(dataPath, (ledger) => ({
    ...ledger,
    releases: [...ledger.releases, { id, catalogueId, indices, date, ...(isFirst && { isFirst }) }],
  }));
  complete(place);
  return id;
};

/** Makes the last listed release answer, unless it already does. */
const complete = (place: Place): void => {
  const { dataPath, folder, catalogueId } = place;
  const last = listedIn(place).at(-1);
  const begun = join(folder, `${last?.id}.begun`);
  if (last === undefined || !existsSync(begun)) return;
  writeDurably(folder, `${last.id}.json`, readFileSync(begun, 'utf8'));
  // these indexes no longer open without a disclosure.json
  releasedIndexes(dataPath).add(catalogueId, last.indices, last.date);
  writeDurably(folder, pointer, `${last.id}\n`);
  rmSync(begun);
};

const listedIn = ({ dataPath, catalogueId }: Place): readonly LedgerEntry[] =>
  readLedger(dataPath).releases.filter((one) => one.catalogueId === catalogueId);

/** Removes files of releases that never answered, and those that a killed process was writing. */
const removeBegun = (folder: string): void => {
  for (const draft of globSync('*.draft', { cwd: folder, withFileTypes: true }))
    if (draft.isFile()) rmSync(join(folder, draft.name));
  for (const name of globSync('*.begun', { cwd: folder })) {
    const path = join(folder, basename(name, '.begun'));
    if (!existsSync(`${path}.json`)) rmSync(`${path}.units`, { force: true });
    rmSync(`${path}.begun`);
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
