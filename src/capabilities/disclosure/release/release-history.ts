import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { KeptRelease } from './choose-table.ts';
import { ownerOf, tableOf, type PrivateRecord } from './private-table.ts';
import { releasedIndexes, type ReleasedIndex } from './released-indexes.ts';
import { readLedger, withoutChecksum, type LedgerEntry } from './release-ledger.ts';
import { readRelease } from './release.ts';

export interface ReleaseHistory {
  /** Oldest first. */
  readonly kept: readonly KeptRelease[];
  /** The day of the last release, whether it is kept or not. */
  readonly lastDate: string | null;
  /** Missing or untrustworthy parts, for the operator. */
  readonly problems: readonly string[];
  /** Reads the releases of other records, other than those of the catalogue's id and index, as far as they can be read. */
  readonly others: () => readonly KeptRelease[];
}

/** The owner of the releases to find: a catalogue, or any of these indexes. */
type Owner = Pick<PrivateRecord, 'catalogueId' | 'indices'>;

/**
 * The releases that a new release is compared with.
 * @param folder the catalogue's own folder
 * @throws TributaryError CONFIG_INVALID when the ledger is damaged
 */
export const readHistory = (
  { dataPath, folder }: { readonly dataPath: string; readonly folder: string },
  { catalogueId, indices }: Owner,
): ReleaseHistory => {
  const isRelevant = (one: Owner): boolean =>
    one.catalogueId === catalogueId || one.indices.some((index) => indices.includes(index));
  const listed = readLedger(dataPath).releases.filter(isRelevant);
  const releases = join(dataPath, 'releases');
  const files = globSync('*/*.json', { cwd: releases }).map((name) => join(releases, name));
  const found = files.flatMap((file): readonly FoundRelease[] => {
    try {
      return readKept(file, isRelevant);
    } catch (error) {
      return dirname(file) === folder ? [unreadable(file, error)] : [];
    }
  });
  const kept = found
    .filter((one): one is KeptRelease => 'table' in one)
    .sort((left, right) => (left.release.date < right.release.date ? -1 : 1));
  const keptIds = new Set(kept.map(({ release }) => release.id));
  // releases that were missing at a release with --first are not reported any more
  const since = listed.slice(
    Math.max(
      0,
      listed.findLastIndex(({ isFirst }) => isFirst === true),
    ),
  );
  const isMissed = ({ id }: Unreadable): boolean =>
    !listed.some(({ isFirst }) => isFirst === true) || since.some((one) => one.id === id);
  const recorded = releasedIndexes(dataPath).lastOf(catalogueId, indices);
  const dates = [
    ...(recorded?.until === undefined ? [] : [recorded.until]),
    ...listed.map(({ date }) => date),
    ...found.flatMap((one) => ('table' in one ? one.release.date : (one.date ?? []))),
  ];
  const lost = lostHistory(recorded, kept, listed);
  return {
    kept,
    others: () =>
      files.flatMap((file) => {
        try {
          return readKept(file, (one) => !isRelevant(one));
        } catch {
          return [];
        }
      }),
    lastDate: dates.sort().at(-1) ?? null,
    problems: [
      ...found.flatMap((one) => ('table' in one || !isMissed(one) ? [] : [one.problem])),
      ...since
        .slice(-1)
        .filter(({ id }) => !keptIds.has(id))
        .map(
          ({ date, id }) =>
            `the release of ${date}, ${shortId(id)}, cannot be found in DATA_PATH/releases any more`,
        ),
      ...(lost === null || found.length > kept.length ? [] : [lost]),
    ],
  };
};

/** A release that a new release cannot be compared with. */
interface Unreadable {
  readonly id: string;
  /** null if its text cannot be read either. */
  readonly date: string | null;
  readonly problem: string;
}

type FoundRelease = KeptRelease | Unreadable;

const unreadable = (file: string, error: unknown): Unreadable => {
  const id = basename(file, '.json');
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const reason = isMissing ? 'they are missing' : (error as Error).message;
  return {
    id,
    date: dateOf(file, id),
    problem: `the units of release ${shortId(id)} cannot be compared: ${reason}`,
  };
};

const dateOf = (file: string, id: string): string | null => {
  try {
    return readRelease(readFileSync(file, 'utf8'), id).date;
  } catch {
    return null;
  }
};

/** Evidence that releases or the ledger were lost although no file shows it; null if there is none. */
const lostHistory = (
  recorded: ReleasedIndex | null,
  kept: readonly KeptRelease[],
  listed: readonly LedgerEntry[],
): string | null => {
  const [last, lastListed = ''] = [kept.at(-1)?.release.date, listed.at(-1)?.date];
  if (last !== undefined && last > lastListed)
    return `@releases.ledger does not list the release of ${last}: it was lost, or is of an earlier day, and a later release may be missing`;
  if (recorded === null) return null;
  const { catalogue, until = '' } = recorded;
  if (last === undefined && listed.length === 0)
    return `@released.json says that catalogue ${catalogue} was released, but neither its releases nor @releases.ledger are in DATA_PATH`;
  return until <= lastListed
    ? null
    : `@released.json says that catalogue ${catalogue} was released in the slot of ${until}, but DATA_PATH/releases and @releases.ledger are of an earlier day`;
};

const shortId = (id: string): string => id.slice(0, 12);

/** A release with its units; empty for a release of other records. */
const readKept = (file: string, isRelevant: (owner: Owner) => boolean): readonly KeptRelease[] => {
  const id = basename(file, '.json');
  const stored = readFileSync(file.replace(/json$/, 'units'), 'utf8');
  const text = withoutChecksum(stored, `${shortId(id)}.units`);
  if (!isRelevant(ownerOf(text))) return [];
  return [{ release: readRelease(readFileSync(file, 'utf8'), ownerOf(text).id), table: tableOf(text) }];
};
