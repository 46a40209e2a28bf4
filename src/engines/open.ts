import { TributaryError } from '../errors.ts';
import { openEmbeddedEngine } from './embedded/embedded-engine.ts';
import type { Engine } from './engine.ts';

/** Which engine, and what it needs to start. */
export interface EngineSettings {
  readonly kind: 'embedded';
  /** The folder of the embedded engine's files; made when it is not there. */
  readonly dataPath: string;
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
        new TributaryError(
          'CONFIG_INVALID',
          `search engine ${String((settings as { kind: unknown }).kind)} is not supported, use embedded`,
        ),
      );
  }
};
