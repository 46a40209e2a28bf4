import type { Logger } from 'pino';
import { auditSetsApart } from './audit-sets.ts';
import { slotOf } from './release-rules.ts';
import type { ReleaseStore } from './release-store.ts';
import type { Engine } from '../../../engines/engine.ts';
import type { CatalogueConfig } from '../../../introspection/fields/catalogue-config.ts';
import type { Registry } from '../../../local/registry.ts';
import type { Trail } from '../../../search/audited-search.ts';
import { publishAudited } from './publish-audited.ts';

/** Publishes the releases of catalogues whose disclosure.json has `"automatic": true`. */
export interface ReleaseSchedule {
  /** Tries the releases that are due at a moment; resolves once they were tried. */
  readonly run: (nowMs: number) => Promise<void>;
  readonly close: () => void;
}

/** The dependencies of the schedule. */
export interface ScheduledReleases {
  /** The releases of a catalogue, for writing. */
  readonly storeOf: (catalogueId: string) => ReleaseStore;
  /** The audit trail of the releases; null: none. */
  readonly trail: () => Trail | null;
}

const everyMs = 10 * 60_000;

/**
 * Tries one release for each slot, the first time that this server runs in it. Refusals are logged, and shown by `GET
 * /network` and `tributary release --status`; failures are retried.
 */
export const openReleaseSchedule = (
  engineOf: (config: CatalogueConfig) => Promise<Engine>,
  registry: Pick<Registry, 'states'>,
  { storeOf, trail }: ScheduledReleases,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): ReleaseSchedule => {
  // a slot determined only by the clock is not recorded
  const tried = new Map<string, string>();
  let isRunning = false;
  let isClosed = false;
  const tryOne = async (state: ReturnType<Registry['states']>[number], nowMs: number): Promise<void> => {
    const { catalogueId, disclosure, esIndex } = state.config;
    if (state.status === 'failed' || disclosure?.automatic !== true || esIndex === null) return;
    const slot = slotOf(nowMs, disclosure.releaseEveryDays);
    try {
      const store = storeOf(catalogueId);
      const last = tried.get(catalogueId) ?? store.lastAttempt()?.date;
      if (last !== undefined && last >= slot) return;
      const { fields } = state.catalogue;
      const engine = await engineOf(state.config);
      const source = { engine, index: esIndex, catalogueId, fields, disclosure, auditSets: auditSetsApart };
      const outcome = await publishAudited(source, store, { nowMs }, { trail: trail(), by: 'schedule' });
      tried.set(catalogueId, slot);
      if (outcome.kind === 'published')
        log.info({ catalogue: catalogueId, release: outcome.id, slot }, 'release published');
      else
        log.warn(
          { catalogue: catalogueId, slot, reasons: outcome.reasons },
          'release withheld, the one before stays',
        );
    } catch (error) {
      if (!isClosed)
        log.error({ catalogue: catalogueId, slot, err: error }, 'release failed, it will be tried again');
    }
  };
  const run = async (nowMs: number): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (const state of registry.states()) if (!isClosed) await tryOne(state, nowMs);
    isRunning = false;
  };
  const timer = setInterval(() => void run(Date.now()), everyMs).unref();
  return {
    run,
    close: () => {
      isClosed = true;
      clearInterval(timer);
    },
  };
};
