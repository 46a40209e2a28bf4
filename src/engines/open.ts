import { TributaryError } from '../errors.ts';
import { openEmbeddedEngine } from './embedded/embedded-engine.ts';
import type { Engine } from './engine.ts';

/** Which engine, and what it needs to start. */
export type EngineSettings = EmbeddedSettings | ClusterSettings;

export interface EmbeddedSettings {
  readonly kind: 'embedded';
  /** The folder of the embedded engine's files; made when it is not there. */
  readonly dataPath: string;
}

/** A search server somewhere else; `detect` asks it which of the two it is. */
export interface ClusterSettings {
  readonly kind: 'elasticsearch' | 'opensearch' | 'detect';
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly apiKey: string | undefined;
  /** A file of certificates to trust. */
  readonly caFile: string | undefined;
}

/**
 * Opens the engine of these settings.
 * @throws TributaryError CONFIG_INVALID for a kind that this program does not have
 */
export const openEngine = (settings: EngineSettings): Promise<Engine> => {
  switch (settings.kind) {
    case 'embedded':
      return Promise.resolve(openEmbeddedEngine(settings.dataPath));
    default:
      return Promise.reject(
        new TributaryError('CONFIG_INVALID', `search engine ${settings.kind} is not supported, use embedded`),
      );
  }
};
