import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import type { CursorSeal } from '../hits/cursor-seal.ts';
import type { SetStore } from '../../search/saved-set.ts';

/** What this room needs of the configuration beside that of each catalogue. */
export interface LocalSettings {
  /** A leaf on an unknown field is an error instead of a warning. Default false. */
  readonly strictFilters?: boolean;
  /** The saved sets; unset: there are none. */
  readonly sets?: SetStore;
  /** Those of one catalogue, in place of `sets`. */
  readonly setsOf?: (config: CatalogueConfig) => SetStore | undefined;
  /** What tie-breaks of cursors are sealed with; unset: they leave as the engine has them. */
  readonly cursors?: CursorSeal;
  /** How long a search may take in the engine; unset: the engine's own limit. */
  readonly searchTimeoutMs?: number;
  /** How often an available catalogue's mapping is looked at again. Default 5 000. */
  readonly refreshMs?: number;
  /** The wait before a failed catalogue is first tried again; it doubles from there. Default 1 000. */
  readonly retryMs?: number;
  /** The longest wait between two tries. Default 30 000. */
  readonly maxRetryMs?: number;
  /** How long a readiness answer is kept. Default 1 000. */
  readonly statusMs?: number;
}
