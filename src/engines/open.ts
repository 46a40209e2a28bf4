import type { ClusterSettings } from './cluster/cluster-settings.ts';
import { openCluster } from './cluster/open-cluster.ts';
import { openEmbeddedEngine } from './embedded/embedded-engine.ts';
import type { Engine } from './engine.ts';

/** Which engine, and what it needs to start. */
export type EngineSettings = EmbeddedSettings | ClusterSettings;

export interface EmbeddedSettings {
  readonly kind: 'embedded';
  /** The folder of the embedded engine's files; made when it is not there. */
  readonly dataPath: string;
}

/**
 * Opens the engine of these settings.
 * @throws TributaryError CONFIG_INVALID when a file that it names cannot be read
 */
export const openEngine = async (settings: EngineSettings): Promise<Engine> => {
  switch (settings.kind) {
    case 'embedded':
      return openEmbeddedEngine(settings.dataPath);
    case 'elasticsearch':
    case 'opensearch':
    case 'detect':
      return openCluster(settings);
  }
};
