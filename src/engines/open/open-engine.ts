import type { ClusterSettings } from '../cluster/cluster-settings.ts';
import { makeDataPath, rejectUnwritable } from '../embedded/store/data-path.ts';
import type { Capacity, Engine } from '../engine.ts';
import { availableParallelism } from 'node:os';

/** The choice of engine, and its settings. */
export type EngineSettings = EmbeddedSettings | ClusterSettings;

export interface EmbeddedSettings {
  readonly kind: 'embedded';
  /** The folder of the embedded engine's files; created if missing. */
  readonly dataPath: string;
}

/**
 * Checks, before anything is opened, that a long-running program can write where it needs to.
 * @throws TributaryError as `makeDataPath` and `rejectUnwritable`
 */
export const rejectUnusable = (settings: EngineSettings): void => {
  if (settings.kind !== 'embedded') return;
  makeDataPath(settings.dataPath);
  rejectUnwritable(settings.dataPath);
};

/** The threads of the embedded engine: one for each processor, but no more than this. */
const maxThreads = 8;

/**
 * What an engine can do at once. A long search occupies a thread of the embedded engine for a tenth of a second or more; a
 * search server has few search threads.
 */
export const capacityOf = ({ kind }: EngineSettings): Capacity => {
  if (kind !== 'embedded') return { short: 64, long: 1, longCost: 500_000 };
  const threads = Math.min(availableParallelism(), maxThreads);
  return { short: 2 * threads, long: Math.max(1, threads - 1), longCost: 100_000 };
};

/**
 * Opens the engine of these settings; the other engine's code is not loaded.
 * @throws TributaryError CONFIG_INVALID when a file named in them cannot be read; as `makeDataPath`
 */
export const openEngine = async (settings: EngineSettings): Promise<Engine> => {
  switch (settings.kind) {
    case 'embedded': {
      makeDataPath(settings.dataPath);
      const { openEmbeddedEngine } = await import('../embedded/embedded-engine.ts');
      return openEmbeddedEngine(settings.dataPath);
    }
    case 'elasticsearch':
    case 'opensearch':
    case 'detect': {
      const { openCluster } = await import('../cluster/cluster-engine.ts');
      return openCluster(settings);
    }
  }
};
