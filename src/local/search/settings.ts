import type { Engine } from '../../engines/engine.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import type { CursorSeal } from '../hits/hits-query.ts';
import type { CatalogueGuard } from '../../search/catalogue.ts';
import type { SetStore } from '../../search/saved-set.ts';

export const defaultRefreshMs = 5_000;

/** The settings this layer needs besides each catalogue's configuration. */
export interface LocalSettings {
  /** A leaf on an unknown field is an error instead of a warning. Default false. */
  readonly strictFilters?: boolean;
  /** The saved sets; unset: there are none. */
  readonly sets?: SetStore;
  /** The saved sets of one catalogue, replacing `sets`. */
  readonly setsOf?: (config: CatalogueConfig, engine: Engine) => SetStore | undefined;
  /** The engine of a catalogue; unset: the one for all. @throws TributaryError one of the `failureCodes` */
  readonly engineOf?: (config: CatalogueConfig) => Promise<Engine>;
  /** Guards the records of catalogues with a disclosure.json, which fail without it. */
  readonly guard?: CatalogueGuard;
  /** Seals the tiebreakers of cursors; unset: they are sent unchanged. */
  readonly cursors?: CursorSeal;
  /** Timeout of a search in the engine; unset: the engine's own limit. */
  readonly searchTimeoutMs?: number;
  /** How often an available catalogue's mapping is checked; unset: defaultRefreshMs. */
  readonly refreshMs?: number;
  /** The wait before the first retry of a failed catalogue; it doubles from there. Default 1 000. */
  readonly retryMs?: number;
  /** The longest wait between two attempts. Default 30 000. */
  readonly maxRetryMs?: number;
  /** How long a readiness result is cached. Default 1 000. */
  readonly statusMs?: number;
}
