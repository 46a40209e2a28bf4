import { isDeepStrictEqual } from 'node:util';
import { newSerialQueue } from '../concurrency/locks.ts';
import type { Engine } from '../engines/engine.ts';
import type { CatalogueConfig } from '../introspection/fields/catalogue-config.ts';
import type { CatalogueState } from '../search/catalogue.ts';
import { openCatalogue } from './open-catalogue.ts';
import { defaultRefreshMs, type LocalSettings } from './search/settings.ts';

/** See the contract, "States and transitions". */
export type AggregateStatus = 'healthy' | 'degraded' | 'unhealthy';

/** All catalogues of this node, whether they loaded or not. */
export interface Registry {
  /** In configuration order. A state is replaced as a whole, never modified. */
  readonly states: () => readonly CatalogueState[];
  /** Ignores the case of the id, as routes do. */
  readonly byId: (id: string) => CatalogueState | undefined;
  /** From the engines right now: checks again unless it did within the last `statusMs`. */
  readonly status: () => Promise<AggregateStatus>;
  /** Checks every catalogue's index again; a check that began before the call does not count. */
  readonly refresh: () => Promise<void>;
  /**
   * Serves catalogues with a changed configuration. Routes stay as they are: a new or removed id takes a
   * restart. A catalogue that could not be served by its new configuration keeps the one it has.
   * @returns the outcome for each catalogue whose configuration changed
   */
  readonly reconfigure: (configs: readonly CatalogueConfig[]) => Promise<readonly Reconfigured[]>;
  /** Stops the checks. */
  readonly close: () => void;
}

/** What a changed configuration did to a catalogue. */
export interface Reconfigured {
  readonly catalogueId: string;
  /** Why it has no effect; null if it has. */
  readonly problem: string | null;
}

/**
 * Opens all catalogues concurrently and keeps them up to date: failed ones are retried with growing waits, available
 * ones are rebuilt when their mapping has grown.
 */
export const openRegistry = async (
  configs: readonly CatalogueConfig[],
  engine: Engine,
  settings: LocalSettings,
): Promise<Registry> => {
  const entries = uniqueIds(configs).map((config) => newEntry(config, engine, settings));
  await Promise.all(entries.map((entry) => entry.load()));
  entries.forEach((entry) => entry.watch());
  const byLowerId = new Map(entries.map((entry) => [entry.id.toLowerCase(), entry]));
  const checkAll = async (): Promise<void> => {
    await Promise.all(entries.map((entry) => entry.load()));
  };
  const states = () => entries.map((entry) => entry.state());
  return {
    states,
    byId: (id) => byLowerId.get(id.toLowerCase())?.state(),
    status: cachedStatus(async () => {
      await checkAll();
      return aggregateStatus(states());
    }, settings.statusMs ?? 1_000),
    refresh: async () => {
      await Promise.all(entries.map((entry) => entry.loadAnew()));
    },
    reconfigure: async (wanted) => {
      const configs = uniqueIds(wanted);
      const kept = new Set(configs.map(({ catalogueId }) => catalogueId.toLowerCase()));
      const gone = entries.filter(({ id }) => !kept.has(id.toLowerCase()));
      const changed = await Promise.all(
        configs.map(
          (config) => byLowerId.get(config.catalogueId.toLowerCase())?.reconfigure(config) ?? isNew(config),
        ),
      );
      return [...changed.filter((one) => one !== null), ...gone.map(({ id }) => isGone(id))];
    },
    close: () => entries.forEach((entry) => entry.close()),
  };
};

const isNew = ({ catalogueId }: CatalogueConfig): Reconfigured => ({
  catalogueId,
  problem: 'is new: it is served after a restart',
});

const isGone = (catalogueId: string): Reconfigured => ({
  catalogueId,
  problem: 'is no longer configured: it is served until the next restart',
});

/** The contract's aggregate: healthy if no catalogue failed, unhealthy if none is available. */
export const aggregateStatus = (states: readonly CatalogueState[]): AggregateStatus => {
  const failed = states.filter(({ status }) => status === 'failed').length;
  if (failed === 0) return 'healthy';
  return failed < states.length ? 'degraded' : 'unhealthy';
};

/** The first of several equal ids (ignoring case, as routes do) keeps it; the others are numbered. */
export const uniqueIds = (configs: readonly CatalogueConfig[]): readonly CatalogueConfig[] => {
  const wanted = new Set(configs.map(({ catalogueId }) => catalogueId.toLowerCase()));
  const taken = new Set<string>();
  return configs.map((config) => {
    let catalogueId = config.catalogueId;
    for (let number = 2; taken.has(catalogueId.toLowerCase()); number++) {
      const numbered = `${config.catalogueId}-${number}`;
      if (!wanted.has(numbered.toLowerCase())) catalogueId = numbered;
    }
    taken.add(catalogueId.toLowerCase());
    return { ...config, catalogueId };
  });
};

interface Entry {
  readonly id: string;
  readonly state: () => CatalogueState;
  /** Checks the index again; concurrent callers share one check. */
  readonly load: () => Promise<void>;
  /** Checks the index again, not sharing a check that began before. */
  readonly loadAnew: () => Promise<void>;
  /** Serves the catalogue with another configuration, if possible; null if it already has it. */
  readonly reconfigure: (config: CatalogueConfig) => Promise<Reconfigured | null>;
  readonly watch: () => void;
  readonly close: () => void;
}

const newEntry = (first: CatalogueConfig, engine: Engine, settings: LocalSettings): Entry => {
  const { catalogueId } = first;
  let config = first;
  let state: CatalogueState | undefined;
  let failures = 0;
  let loading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  // checks and changed configurations: each sees the state that the one before it left
  const steps = newSerialQueue();
  const check = async (): Promise<void> => {
    const checked = await openCatalogue(config, engine, settings, { previous: state });
    failures = checked.status === 'failed' ? failures + 1 : 0;
    state = checked.status === 'failed' ? { ...checked, retryMs: nextCheckMs(failures, settings) } : checked;
  };
  const load = (): Promise<void> => {
    loading ??= steps(check).finally(() => {
      loading = undefined;
    });
    return loading;
  };
  const loadAnew = async (): Promise<void> => {
    await loading;
    await load();
  };
  const reconfigure = (wanted: CatalogueConfig): Promise<Reconfigured | null> =>
    steps(async () => {
      if (isDeepStrictEqual(wanted, config)) return null;
      const opened = await openCatalogue(wanted, engine, settings, { isTrial: true });
      // a failed catalogue also takes a configuration that fails, unless only the new one has problems
      const isNoWorse = wanted.problems.length === 0 || config.problems.length > 0;
      if (opened.status === 'available' || (state?.status === 'failed' && isNoWorse))
        [config, state] = [wanted, opened];
      return { catalogueId, problem: opened.status === 'failed' ? opened.error.message : null };
    });
  const watch = (): void => {
    if (closed) return;
    timer = setTimeout(() => void load().then(watch), nextCheckMs(failures, settings)).unref();
  };
  const close = (): void => {
    closed = true;
    clearTimeout(timer);
  };
  return { id: catalogueId, state: () => state!, load, loadAnew, reconfigure, watch, close };
};

/** The wait before a catalogue is checked again, by the failures since it was last available. */
export const nextCheckMs = (
  failures: number,
  { refreshMs = defaultRefreshMs, retryMs = 1_000, maxRetryMs = 30_000 }: LocalSettings,
): number => (failures === 0 ? refreshMs : Math.min(maxRetryMs, retryMs * 2 ** Math.min(failures - 1, 20)));

const cachedStatus = (
  check: () => Promise<AggregateStatus>,
  keepMs: number,
): (() => Promise<AggregateStatus>) => {
  let kept: { readonly status: Promise<AggregateStatus>; readonly untilMs: number } | undefined;
  return () => {
    if (kept === undefined || kept.untilMs <= performance.now())
      kept = { status: check(), untilMs: performance.now() + keepMs };
    return kept.status;
  };
};
