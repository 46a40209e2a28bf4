import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load.ts';
import { openReleaseStore } from '../../disclosure/release/release-store.ts';
import { publishRelease } from '../../disclosure/release/publish-release.ts';
import type { Engine } from '../../engines/engine.ts';
import { openEngine } from '../../engines/open/open-engine.ts';
import { TributaryError } from '../../errors/errors.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import type { DisclosureConfig } from '../../introspection/fields/disclosure-config.ts';
import { readFields } from '../../introspection/mapping/mapping.ts';
import { sharedIndexProblems } from '../../node/shared-index.ts';
import { releaseLines } from './release-lines.ts';
import { releaseOptions, releaseUsage, type ReleaseOptions } from './release-options.ts';
import { runCommand } from '../terminal/run-command.ts';

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
