import type { Capability } from '../../server/http/capability.ts';
import { catalogueGuard } from './guard/guard-catalogue.ts';
import { openReleaseSchedule } from './release/release-schedule.ts';
import { openReleaseStore, type ReleaseStore } from './release/release-store.ts';
import { releasedIndexes } from './release/released-indexes.ts';

export const disclosure: Capability = {
  name: 'disclosure',
  guard: ({ dataPath, process }) => {
    const storeOf = storesIn(dataPath);
    if (process === undefined)
      return catalogueGuard({ storeOf, history: { ...releasedIndexes(dataPath), add: () => undefined } });
    const { key, log } = process;
    return catalogueGuard({
      storeOf,
      warn: (catalogue, error) => log.error({ catalogue, err: error }, 'release cannot be read'),
      nameKey: key.derive('generations'),
      history: releasedIndexes(dataPath, (error) =>
        log.warn({ err: error }, 'what is released cannot be recorded'),
      ),
    });
  },
  open: ({ config, engineOf, registry, trail, log }) => {
    const releases = { storeOf: storesIn(config.dataPath), trail };
    const { run, close } = openReleaseSchedule(engineOf, registry, releases, log);
    return { start: () => void run(Date.now()), close };
  },
};

const storesIn =
  (dataPath: string) =>
  (catalogueId: string): ReleaseStore =>
    openReleaseStore(dataPath, catalogueId);
