import type { Engine } from '../engines/engine.ts';
import { distinctNames } from '../lib/text/distinct-names.ts';
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
  /** Puts catalogues into use that were opened beside others, in whose place they are served from now on. */
  readonly use: () => void;
  /** Stops the checks. */
  readonly close: () => void;
}

/**
 * Opens all catalogues concurrently and keeps them up to date: failed ones are retried with growing waits, available
 * ones are rebuilt when their mapping has grown.
 * @param before the catalogues in use, beside which these are opened until `use`: those with an equal configuration stay
 *   the same
 */
export const openRegistry = async (
  configs: readonly CatalogueConfig[],
  engine: Engine,
  settings: LocalSettings,
  before: Pick<Registry, 'byId'> | null = null,
): Promise<Registry> => {
  const entries = newEntries(configs, engine, settings, before);
  const isTrial = before !== null;
  await Promise.all(entries.map((entry) => entry.open(isTrial)));
  const watch = (): void => entries.forEach((entry) => entry.watch());
  if (!isTrial) watch();
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
    use: () => {
      settings.guard?.use(
        states().flatMap((state) => (state.status === 'available' ? [state.catalogue] : [])),
      );
      watch();
    },
    close: () => entries.forEach((entry) => entry.close()),
  };
};

/** Apart, as no closure of the catalogues may keep those before them in memory. */
const newEntries = (
  configs: readonly CatalogueConfig[],
  engine: Engine,
  settings: LocalSettings,
  before: Pick<Registry, 'byId'> | null,
): readonly Entry[] =>
  uniqueIds(configs).map((config) =>
    newEntry(config, engine, settings, before?.byId(config.catalogueId) ?? null),
  );

/** The contract's aggregate: healthy if no catalogue failed, unhealthy if none is available. */
export const aggregateStatus = (states: readonly CatalogueState[]): AggregateStatus => {
  const failed = states.filter(({ status }) => status === 'failed').length;
  if (failed === 0) return 'healthy';
  return failed < states.length ? 'degraded' : 'unhealthy';
};

/** The first of several equal ids (ignoring case, as routes do) stays; the others are numbered. */
const uniqueIds = (configs: readonly CatalogueConfig[]): readonly CatalogueConfig[] => {
  const ids = distinctNames(
    configs.map(({ catalogueId }) => catalogueId),
    (id, number) => `${id}-${number}`,
  );
  return configs.map((config, at) => ({ ...config, catalogueId: ids[at]! }));
};

interface Entry {
  readonly id: string;
  readonly state: () => CatalogueState;
  /** @param isTrial whether it is not in use yet */
  readonly open: (isTrial: boolean) => Promise<void>;
  /** Checks the index again; concurrent callers share one check. */
  readonly load: () => Promise<void>;
  /** Checks the index again, not sharing a check that began before. */
  readonly loadAnew: () => Promise<void>;
  readonly watch: () => void;
  readonly close: () => void;
}

/** @param previous the state of the catalogue in use, whose configuration may be another */
const newEntry = (
  config: CatalogueConfig,
  engine: Engine,
  settings: LocalSettings,
  previous: CatalogueState | null,
): Entry => {
  let state = previous ?? undefined;
  let failures = 0;
  let loading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const open = async (isTrial: boolean): Promise<void> => {
    const checked = await openCatalogue(config, engine, settings, { previous: state, isTrial });
    failures = checked.status === 'failed' ? failures + 1 : 0;
    state = checked.status === 'failed' ? { ...checked, retryMs: nextCheckMs(failures, settings) } : checked;
  };
  const load = (): Promise<void> => {
    loading ??= open(false).finally(() => {
      loading = undefined;
    });
    return loading;
  };
  const loadAnew = async (): Promise<void> => {
    await loading;
    await load();
  };
  const watch = (): void => {
    if (closed) return;
    timer = setTimeout(() => void load().then(watch), nextCheckMs(failures, settings)).unref();
  };
  const close = (): void => {
    closed = true;
    clearTimeout(timer);
  };
  return { id: config.catalogueId, state: () => state!, open, load, loadAnew, watch, close };
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
  let cached: { readonly status: Promise<AggregateStatus>; readonly untilMs: number } | undefined;
  return () => {
    if (cached === undefined || cached.untilMs <= performance.now())
      cached = { status: check(), untilMs: performance.now() + keepMs };
    return cached.status;
  };
};
