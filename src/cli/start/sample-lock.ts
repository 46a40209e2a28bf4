import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimState, claimantText, takeClaim } from '../../engines/embedded/store/claim.ts';

const retryMs = 200;

/**
 * Waits until no other process loads the sample into a data folder, and acquires the lock.
 * @param say called with the process that is waited for
 * @returns releases the lock
 */
export const acquireSampleLock = async (
  dataPath: string,
  say: (line: string) => void,
): Promise<() => void> => {
  const path = join(dataPath, '@sample');
  let told = false;
  for (;;) {
    const claim = takeClaim(path, 0);
    if (claim !== null) return claim.release;
    const holder = claimState(path);
    if (!told && holder !== null)
      say(`waiting for ${claimantText(holder.claimant)}, which loads the sample catalogues`);
    told ||= holder !== null;
    await sleep(retryMs);
  }
};
