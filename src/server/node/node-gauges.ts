import { statfsSync, statSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { indexNames, snapshotPath } from '../../engines/embedded/store/folder-files.ts';
import type { Metrics } from '../http/ops/metrics.ts';
import type { Registry } from '../../local/registry.ts';

/** Free space below which writes are about to fail, in bytes. */
const fullBytes = 16 * 1024 * 1024;

interface Disk {
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** The disk of a folder; null if the folder does not exist. */
const diskOf = (folder: string): Disk | null => {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch {
    return null;
  }
};

/** Problems of a server that answers nevertheless, worded for any reader. @param disk for tests */
export const degradations = (
  dataPath: string,
  areRulesStale: boolean,
  disk: (folder: string) => Disk | null = diskOf,
): readonly string[] => [
  ...((disk(dataPath)?.freeBytes ?? Infinity) < fullBytes ? ['the disk of the data folder is full'] : []),
  ...(areRulesStale ? ['changed access rules are not in effect'] : []),
];

interface GaugeSources {
  readonly config: Config;
  /** Whether changed access rules are not in effect. */
  readonly areRulesStale: () => boolean;
  readonly registry: Pick<Registry, 'states'>;
  /** The number of problems that keep configuration files from taking effect, since the last reload. */
  readonly problems: () => number;
}

/** Exports the disk, the ages of snapshots, releases and keys, and configuration problems. */
export const exportGauges = (
  { gauge }: Pick<Metrics, 'gauge'>,
  { config, areRulesStale, registry, problems }: GaugeSources,
): void => {
  const { dataPath } = config;
  const ofDisk = (name: keyof Disk) => () => {
    const bytes = diskOf(dataPath)?.[name];
    return bytes === undefined ? [] : [[bytes] as const];
  };
  gauge('tributary_disk_free_bytes', 'Free space on the disk of DATA_PATH.', ofDisk('freeBytes'));
  gauge('tributary_disk_size_bytes', 'Size of the disk of DATA_PATH.', ofDisk('sizeBytes'));
  gauge('tributary_configuration_problems', 'What of the configuration files is not in effect.', () => [
    [problems()],
  ]);
  gauge('tributary_access_rules_stale', '1 while changed access rules or keys are not in effect.', () => [
    [Number(areRulesStale())],
  ]);
  if (config.engine.kind === 'embedded')
    gauge(
      'tributary_snapshot_timestamp_seconds',
      'When the snapshot of an index was written.',
      () =>
        indexNames(dataPath).flatMap((index) => {
          const file = statSync(snapshotPath(dataPath, index), { throwIfNoEntry: false });
          return file === undefined ? [] : [[file.mtimeMs / 1_000, index] as const];
        }),
      'index',
    );
  gauge(
    'tributary_release_timestamp_seconds',
    'The day of the release that answers for a catalogue.',
    () =>
      registry.states().flatMap((state) => {
        if (state.status !== 'available') return [];
        const date = state.catalogue.substitute?.disclosure(null).date ?? null;
        return date === null ? [] : [[Date.parse(date) / 1_000, state.catalogue.id] as const];
      }),
    'catalogue',
  );
};

/** A server's metrics, loaded only if enabled. */
export const metricsOf = async ({ http }: Config): Promise<Metrics | null> =>
  http.metricsToken === undefined ? null : (await import('../http/ops/metrics.ts')).openMetrics();

const minuteMs = 60_000;

/** Calls a function at most once a minute. */
export const atMostEachMinute = <Value>(call: (value: Value) => void): ((value: Value) => void) => {
  let calledMs = -Infinity;
  return (value) => {
    if (performance.now() - calledMs < minuteMs) return;
    calledMs = performance.now();
    call(value);
  };
};
