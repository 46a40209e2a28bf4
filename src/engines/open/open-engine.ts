import type { ClusterSettings } from '../cluster/client/cluster-settings.ts';
import { openCluster } from '../cluster/open-cluster.ts';
import { makeDataPath, rejectUnwritable } from '../embedded/store/data-path.ts';
import { openEmbeddedEngine } from '../embedded/embedded-engine.ts';
import type { Engine } from '../engine.ts';

/** Which engine, and what it needs to start. */
export type EngineSettings = EmbeddedSettings | ClusterSettings;

export interface EmbeddedSettings {
  readonly kind: 'embedded';
  /** The folder of the embedded engine's files; made when it is not there. */
  readonly dataPath: string;
}

/**
 * Sees before anything is opened that a program which is to run for long can write where it must.
 * @throws TributaryError as `makeDataPath` and `rejectUnwritable`
 */
export const rejectUnusable = (settings: EngineSettings): void => {
  if (settings.kind !== 'embedded') return;
  makeDataPath(settings.dataPath);
  rejectUnwritable(settings.dataPath);
};

/**
 * Opens the engine of these settings.
 * @throws TributaryError CONFIG_INVALID when a file that it names cannot be read; what `makeDataPath` throws
 */
export const openEngine = async (settings: EngineSettings): Promise<Engine> => {
  switch (settings.kind) {
    case 'embedded':
      makeDataPath(settings.dataPath);
      return openEmbeddedEngine(settings.dataPath);
    case 'elasticsearch':
    case 'opensearch':
    case 'detect':
      return openCluster(settings);
  }
};
