import { holderText, nameClaim, takeNameClaim, type NameClaim } from '../../engines/embedded/store/claim.ts';
import { indexNames } from '../../engines/embedded/store/folder-files.ts';
import type { Engine, IndexDescription } from '../../engines/engine.ts';
import type { EngineSettings } from '../../engines/open/open-engine.ts';
import { TributaryError } from '../../lib/errors/errors.ts';
import { describeIfThere, isReplacement } from '../../indexing/index-target.ts';
import { mappingType } from '../../indexing/mapping-body.ts';
import { originField } from '../../introspection/fields/field.ts';

/** The exclusive right of a load to create or replace the index of a name while it runs. */
export interface LoadClaim {
  /** Records which indexes belong to this load until it is complete. */
  readonly willFill: (indexes: readonly string[]) => void;
  readonly release: () => void;
}

/** Loads into an existing index may run concurrently; a cluster offers no place for a lock. */
const unclaimed: LoadClaim = { willFill: () => undefined, release: () => undefined };

/**
 * Claims a name for a load that creates or replaces its index, and removes leftovers of an interrupted one.
 * @param say called with a line for each removed index
 * @throws TributaryError CONFLICT another process is creating or replacing the index
 */
export const claimName = async (
  settings: EngineSettings,
  engine: Engine,
  name: string,
  replace: boolean,
  say: (line: string) => void,
): Promise<LoadClaim> => {
  if (settings.kind !== 'embedded') return unclaimed;
  const folder = settings.dataPath;
  if (!replace && (await describeIfThere(engine, name)) !== null) {
    const other = nameClaim(folder, name);
    if (other?.held === true) throw taken(folder, name);
    if (other === null || !other.claimant.indexes.includes(name)) return unclaimed;
  }
  const claim = takeNameClaim(folder, name);
  if (claim === null) throw taken(folder, name);
  let kept: readonly string[] = [];
  try {
    for (const index of await leftIndexes(engine, folder, name, claim.previous?.indexes ?? [])) {
      // an existing index stays in use until its replacement is complete
      if (replace && index === name && (await describeIfThere(engine, name)) !== null) {
        kept = [name];
        continue;
      }
      await engine.manage({ kind: 'delete', index });
      say(
        `removed ${index}, which an earlier load${index === name ? '' : ' --replace'} left when it was ended`,
      );
    }
    claim.note(kept);
    const isLeft = (): boolean => kept.length > 0 && indexNames(folder).includes(name);
    return {
      willFill: (indexes) => claim.note([...indexes, ...kept]),
      release: () => (isLeft() ? claim.leave() : claim.release()),
    };
  } catch (error) {
    claim.leave();
    throw error;
  }
};

/** Whether an interrupted load left the index of a name incomplete, so that the next load must start over. */
export const isIncomplete = (settings: EngineSettings, name: string, found: IndexDescription): boolean => {
  if (settings.kind !== 'embedded') return false;
  const { dataPath } = settings;
  const claim = nameClaim(dataPath, name);
  const isLeft = claim?.held === false && claim.claimant.indexes.includes(name);
  // a replacement may have taken over its name since
  return isLeft && indexNames(dataPath).includes(name) && !hasRecords(found);
};

/** Whether the index also has records of a repository, which do not belong to this load. */
const hasRecords = ({ properties }: IndexDescription): boolean =>
  mappingType(properties, originField) !== null;

/** Describes the leftovers of an interrupted load; null if there are none. */
export const leftText = ({ name, held, claimant }: NameClaim, index: string): string => {
  const by = `process ${String(claimant.pid)}`;
  if (index === name)
    return held ? `being loaded by ${by}` : `not complete: ${by}, which loaded it, was ended; load it again`;
  return held
    ? `being filled by ${by}, to take the place of ${name} when complete`
    : `left by a load --replace of ${name} that was ended: the next one removes it`;
};

/** The index of a first load, and replacement indexes without a name that an interrupted load created or was deleting. */
const leftIndexes = async (
  engine: Engine,
  folder: string,
  name: string,
  indexes: readonly string[],
): Promise<readonly string[]> => {
  const left: string[] = [];
  const present = indexNames(folder);
  for (const index of indexes) {
    if ((index !== name && !isReplacement(index, name)) || !present.includes(index)) continue;
    const found = await describeIfThere(engine, index);
    // to the engine, a file that was never completed is not an index
    if (found === null || (index === name ? !hasRecords(found) : found.aliases.length === 0))
      left.push(index);
  }
  return left;
};

const taken = (folder: string, name: string): TributaryError =>
  new TributaryError(
    'CONFLICT',
    `another load is making the index of ${name} (${holderText(folder, name)}): wait until it is done, then load again`,
  );
