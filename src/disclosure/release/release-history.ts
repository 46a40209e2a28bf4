import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { KeptRelease } from './choose-table.ts';
import { ownerOf, tableOf, type PrivateRecord } from './private-table.ts';
import type { Seal } from './release-key.ts';
import { readLedger } from './release-ledger.ts';
import { readRelease } from './release.ts';

export interface ReleaseHistory {
  /** Oldest first. */
  readonly kept: readonly KeptRelease[];
  /** The day of the last release, whether it is kept or not. */
  readonly lastDate: string | null;
  /** What is missing or not to be trusted, for the operator. */
  readonly problems: readonly string[];
}

/** Of which records releases are looked for: of a catalogue, or of any of these indexes. */
type Owner = Pick<PrivateRecord, 'catalogueId' | 'indices'>;

/**
 * The releases that a new one is compared with.
 * @param folder the catalogue's own
 * @throws TributaryError CONFIG_INVALID when the ledger is damaged, or of another server
 */
export const readHistory = (
  { dataPath, seal, folder }: { readonly dataPath: string; readonly seal: Seal; readonly folder: string },
  { catalogueId, indices }: Owner,
): ReleaseHistory => {
  const isRelevant = (one: Owner): boolean =>
    one.catalogueId === catalogueId || one.indices.some((index) => indices.includes(index));
  const problems: string[] = [];
  const releases = join(dataPath, 'releases');
  const kept = globSync('*/*.json', { cwd: releases }).flatMap((name): readonly KeptRelease[] => {
    const file = join(releases, name);
    try {
      return readKept(file, seal, isRelevant);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const reason = isMissing ? 'they are missing' : (error as Error).message;
      if (dirname(file) === folder)
        problems.push(`the units of release ${shortId(basename(file))} cannot be compared: ${reason}`);
      return [];
    }
  });
  kept.sort((left, right) => (left.release.date < right.release.date ? -1 : 1));
  const listed = readLedger(dataPath, seal).releases.filter(isRelevant);
  const last = listed.at(-1);
  if (last !== undefined && !kept.some(({ release }) => release.id === last.id))
    problems.push(
      `the release of ${last.date}, ${shortId(last.id)}, cannot be found in DATA_PATH/releases any more`,
    );
  const dates = [...listed.map(({ date }) => date), ...kept.map(({ release }) => release.date)];
  return { kept, lastDate: dates.sort().at(-1) ?? null, problems };
};

const shortId = (id: string): string => id.slice(0, 12);

/** A release with its units; none for one of other records. */
const readKept = (
  file: string,
  seal: Seal,
  isRelevant: (owner: Owner) => boolean,
): readonly KeptRelease[] => {
  const id = basename(file, '.json');
  const sealed = readFileSync(file.replace(/json$/, 'units'), 'utf8');
  const text = seal.open(sealed, `${shortId(id)}.units`);
  if (!isRelevant(ownerOf(text))) return [];
  return [{ release: readRelease(readFileSync(file, 'utf8'), ownerOf(text).id), table: tableOf(text) }];
};
