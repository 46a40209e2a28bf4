import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load.ts';
import { openReleaseStore } from '../../disclosure/release/release-store.ts';
import type { ReleaseOutcome } from '../../disclosure/release/publish-release.ts';
import { publishRelease } from '../../disclosure/release/publish-release.ts';
import type { Engine } from '../../engines/engine.ts';
import { openEngine } from '../../engines/open/open-engine.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { CatalogueConfig, DisclosureConfig } from '../../introspection/fields/catalogue-config.ts';
import { readFields } from '../../introspection/mapping/mapping.ts';
import { sharedIndexProblems } from '../../node/networks.ts';
import { runCommand, parseCommandLine } from '../terminal/command-line.ts';
import type { AuditReport } from '../../disclosure/audit/audit.ts';
import type { Draft } from '../../disclosure/release/make-release.ts';
import type { Stratum } from '../../disclosure/release/release.ts';
import { stratumLabel } from '../../disclosure/release/release.ts';
import { formatCount } from '../terminal/text-table.ts';

/**
 * The command `tributary release`: computes, audits and publishes what guarded callers learn.
 * @param argv what follows `release`
 * @returns the exit code: 0 everything was published, or could be; 1 something was not; 2 for an invalid command line
 */
export const runRelease = (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  runCommand(
    {
      name: 'release',
      usage: releaseUsage,
      optionsOf: releaseOptions,
      work: (options) => releaseAll(options, env),
    },
    argv,
  );

const releaseAll = async (options: ReleaseOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  const config = loadConfig(env);
  config.warnings.forEach((warning) => console.error(`warning: ${warning}`));
  const chosen = guardedCatalogues(config, options);
  const engine = await openEngine(config.engine);
  try {
    const done: boolean[] = [];
    for (const catalogue of chosen) done.push(await releaseOne(catalogue, engine, config, options));
    return done.every(Boolean) ? 0 : 1;
  } finally {
    await engine.close();
  }
};

type Guarded = CatalogueConfig & { readonly disclosure: DisclosureConfig; readonly esIndex: string };

/** @throws TributaryError INPUT_INVALID, CONFIG_INVALID */
const guardedCatalogues = ({ catalogues }: Config, { catalogue: id }: ReleaseOptions): readonly Guarded[] => {
  const named = catalogues.filter(
    ({ catalogueId }) => id === null || catalogueId.toLowerCase() === id.toLowerCase(),
  );
  const known = catalogues.map(({ catalogueId }) => catalogueId).join(', ') || 'none';
  if (named.length === 0)
    throw new TributaryError('INPUT_INVALID', `there is no catalogue ${id ?? ''}: CONFIGS_PATH has ${known}`);
  const [problem] = [
    ...sharedIndexProblems(catalogues).values(),
    ...named.flatMap(({ problems }) => problems),
  ];
  if (problem !== undefined) throw new TributaryError('CONFIG_INVALID', problem);
  const guarded = named.filter((one): one is Guarded => one.disclosure !== undefined && one.esIndex !== null);
  if (guarded.length === 0)
    throw new TributaryError(
      'CONFIG_INVALID',
      `no catalogue has a disclosure.json, of ${known}: nothing is to be released`,
    );
  return guarded;
};

/** @returns whether it was published, or could be */
const releaseOne = async (
  { catalogueId, esIndex, disclosure, nestingPrefix, extended }: Guarded,
  engine: Engine,
  { cursors }: Config,
  { dryRun, newSeries }: ReleaseOptions,
): Promise<boolean> => {
  if (newSeries)
    console.error(
      `warning: ${catalogueId}: whoever keeps a release of the old series can compare it with the new one, whose cells may cut the old ones`,
    );
  const { properties } = await engine.describe(esIndex);
  const arrays = new Set(
    extended.filter(({ isArray }) => isArray === true).map(({ fieldName }) => fieldName),
  );
  const { fields } = readFields(properties, { nestingPrefix, arrays });
  const source = { engine, index: esIndex, catalogueId, fields, disclosure };
  const store = openReleaseStore(cursors.dataPath, catalogueId);
  const outcome = await publishRelease(source, store, { nowMs: Date.now(), newSeries, dryRun });
  console.log(releaseLines(catalogueId, outcome).join('\n'));
  return outcome.kind === 'published' || outcome.reasons.length === 0;
};

/** What `tributary release` prints of a catalogue, for its operator only. */
const releaseLines = (catalogueId: string, outcome: ReleaseOutcome): readonly string[] => {
  const { release, audits, units, withoutUnit } = outcome.draft;
  const counted = release.unit === 'record' ? 'records' : `values of ${release.unit}`;
  const [first] = release.strata;
  return [
    `${catalogueId}: ${formatCount(units)} ${counted}, release of ${release.date}`,
    ...(withoutUnit === 0
      ? []
      : withoutUnit === 1
        ? [`  1 record has no ${release.unit} and is counted nowhere`]
        : [`  ${formatCount(withoutUnit)} records have no ${release.unit} and are counted nowhere`]),
    ...(first?.table.dimensions ?? []).map(
      ({ fieldName, cells, isMulti }) =>
        `  ${fieldName}: ${formatCount(cells.length)} cells${isMulti ? ', of which a unit can have several' : ''}`,
    ),
    ...audits.map((report, index) => auditLine(report, release.strata[index]!, release)),
    ...(outcome.kind === 'published'
      ? [`  published as ${outcome.id}`]
      : outcome.reasons.length === 0
        ? ['  could be published']
        : ['  withheld, the release before stays:', ...outcome.reasons.map((reason) => `    ${reason}`)]),
  ];
};

const auditLine = (report: AuditReport | null, stratum: Stratum, release: Draft['release']): string => {
  const where = stratumLabel(stratum, release);
  if (report === null)
    return `  cells${where} stay those of ${stratum.date}: too few of its units changed since`;
  const { cells, hidden, failures, required } = report;
  const share = cells === 0 ? 0 : Math.round((100 * hidden) / cells);
  const verdict = failures.length === 0 ? `passed (at least ${required} values for each)` : 'failed';
  return `  ${formatCount(cells)} cells${where}, ${share} % hidden; audit ${verdict}`;
};

/** The options of `tributary release`. */
export interface ReleaseOptions {
  /** null: all that have a disclosure.json. */
  readonly catalogue: string | null;
  readonly dryRun: boolean;
  readonly newSeries: boolean;
}

/** What `tributary release --help` prints. */
const releaseUsage = `Usage: tributary release [--catalogue ID] [--dry-run] [--new-series]

Computes what callers who may not see records learn of a catalogue, as its disclosure.json says, audits it, and publishes
it. A running server answers from it within seconds. Nothing is published when the audit fails, when the slot of
releaseEvery has its release already, or when too few units changed since the one before; the one before stays.

  --catalogue ID   only this catalogue, as base.json or its folder names it
  --dry-run        print dimensions, cells, hidden share and audit, and publish nothing
  --new-series     publish although dimensions were changed in ways that make releases comparable
  --help           this text

Exit code: 0 when everything was published (or could be, with --dry-run), 1 when something was not, 2 for an invalid
command line.
`;

/**
 * The command line as options; null when help was requested.
 * @throws TributaryError INPUT_INVALID naming the argument
 */
const releaseOptions = (argv: readonly string[]): ReleaseOptions | null => {
  const options = {
    catalogue: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    'new-series': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseCommandLine(argv, { options });
  if (values.help === true) return null;
  return {
    catalogue: values.catalogue ?? null,
    dryRun: values['dry-run'],
    newSeries: values['new-series'],
  };
};
