import { join } from 'node:path';
import type { Config } from '../../server/config/config.ts';
import { loadConfig } from '../../server/config/load.ts';
import type { EngineSettings } from '../../engines/open/open-engine.ts';
import { secretIn } from '../../server/config/environment.ts';
import { lookAlikes } from '../../indexing/look-alikes.ts';
import { mappingGaps } from '../../indexing/mapping-gaps.ts';
import { openEngines, type CatalogueEngines } from '../../server/node/catalogue-engines.ts';
import type { Registry } from '../../local/registry.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import { aboutProblems, hiddenDoors, writeAbout } from './check-about.ts';
import { hierarchyLines } from './check-hierarchies.ts';
import { networkLines } from './check-lines.ts';
import { checkNetwork, type CheckedNetwork } from './check-network.ts';
import { checkReleases } from './check-releases.ts';
import { writeNetwork, type WrittenNetwork } from './check-write.ts';
import { liveNetwork } from '../reload/live-states.ts';
import { unusableBy } from '../joining/blocked-by.ts';
import { guardOf, type Capability } from '../../server/http/capability.ts';
import { serverNetworkId } from '../../server/http/callers/served.ts';
import { formerKey } from '../../lib/runtime/server-key.ts';
import { hubsIn } from '../../capabilities/joining/hubs-file.ts';
import { problemsOf, problemText, type Problem } from '../../lib/text/problem.ts';
import { asTributaryError } from '../../lib/errors/errors.ts';
import { describeError, parseCommandLine, runCommand } from '../terminal/command-line.ts';
import { sound } from '../../server/node/networks.ts';
import { openCatalogues, readServed } from '../../server/node/open-server.ts';
import { openVerifier } from '../../capabilities/access/open-access.ts';
import { catalogueLines, lookLines, unmappedLines, type ShownNetwork } from '../start/node-lines.ts';
import { DataFolder } from '../../engines/embedded/threads/data-folder.ts';
import { openRepository } from '../../indexing/repositories/open-repository.ts';
import type { RepositoryConfig } from '../../indexing/repositories/repository.ts';
import { countOf } from '../../lib/text/plural.ts';

/** Line width if the output is not a terminal. */
const widthOfFiles = 120;

export interface Finding {
  readonly lines: readonly string[];
  readonly fine: boolean;
  /** Faults of a file, for programs; they are among the lines. */
  readonly problems?: readonly Problem[];
}

interface Found {
  readonly states: readonly CatalogueState[];
  /** All findings except the networks. */
  readonly findings: readonly Finding[];
  readonly networks: readonly CheckedNetwork[];
  /** The network of nodes.json, into which `--write` writes. */
  readonly server: CheckedNetwork | null;
}

/**
 * The command `tributary check`: tests the configuration, every catalogue, repository and node as `start` would,
 * without serving, and reports everything it found. `--json` prints it as JSON, `--write` writes the
 * fields found, their labels, table and facets into nodes.json. `--token` says what a token opens instead.
 * @returns the exit code: 0 when everything can be searched as configured, 1 when something is wrong, 2 for an invalid
 *   command line
 */
export const runCheck = (
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  capabilities: readonly Capability[] = [],
): Promise<number> =>
  runCommand(argv, env, {
    name: 'check',
    about: aboutCheck,
    rows: options,
    exit: '0 when everything can be searched as configured, 1 when something is wrong',
    optionsOf: () => parseCommandLine(argv, options).values,
    work: (chosen) => report(chosen, env, capabilities),
  });

interface CheckOptions {
  readonly json: boolean;
  readonly write: boolean;
  readonly token?: string;
}

const report = async (
  { json, write, token }: CheckOptions,
  env: NodeJS.ProcessEnv,
  capabilities: readonly Capability[],
): Promise<number> => {
  try {
    const config = loadConfig(env);
    if (token !== undefined) return await (await import('./check-token.ts')).checkToken(config, token);
    const { findings, networks, server, states } = await check(config, env, capabilities);
    const all: readonly Finding[] = write
      ? [...findings, { lines: await writeAbout(states), fine: true }, await writtenNetwork(config, server)]
      : findings;
    const fine = [...all, ...networks].every((one) => one.fine);
    const lines = all.flatMap((finding) => finding.lines);
    const messages = lines.map((line) => line.trim());
    const problems = all.flatMap((finding) => finding.problems ?? []);
    const names = capabilities.map(({ name }) => name);
    const width = process.stdout.columns ?? widthOfFiles;
    console.log(
      json
        ? JSON.stringify(
            { fine, messages, problems, networks: networks.map(asJson), capabilities: names },
            null,
            2,
          )
        : [
            `capabilities: ${names.join(', ') || 'none'}`,
            ...lines,
            ...networks.flatMap((network) => networkLines(network, width)),
          ].join('\n'),
    );
    return fine ? 0 : 1;
  } catch (error) {
    return unreadable(error, json);
  }
};

/** Prints every problem of a configuration that cannot be read. @throws errors of other kinds */
const unreadable = (error: unknown, json: boolean): number => {
  const problems = problemsOf(error);
  if (json)
    console.log(JSON.stringify({ fine: false, messages: problems.map(problemText), problems }, null, 2));
  else console.error(problems.map((problem) => `tributary check: ${problemText(problem)}`).join('\n'));
  return 1;
};

const isConfigError = (error: unknown): boolean => asTributaryError(error).code === 'CONFIG_INVALID';

const asJson = ({ portal, ...network }: CheckedNetwork) => ({ ...network, configs: portal.configs });

/** Reads and opens as the start does, but writes nothing and listens nowhere. */
const check = async (
  config: Config,
  env: NodeJS.ProcessEnv,
  capabilities: readonly Capability[],
): Promise<Found> => {
  const read = await tried(() => readServed(config));
  // invalid nodes must not prevent checking the catalogues
  const networks = read.value ?? (await readServed({ ...config, nodes: null }));
  const warnings = [...config.warnings, ...networks.warnings];
  const engines = await openEngines(config.engine, (name) => secretIn(env, name));
  try {
    const guard = guardOf(capabilities, { dataPath: config.dataPath });
    const { registry } = await openCatalogues(
      networks,
      { ...engines, catalogues: { guard, setsOf: () => undefined }, openAccess: () => null, log: unlogged },
      { before: null },
    );
    try {
      const live = await liveNetwork(config.dataPath);
      const settings = { env, maxDepth: config.http.network.maxDepth, live };
      const networkIds = [...networks.networks.keys()];
      const answers = await Promise.all(
        [...networks.networks.values()].map((network) =>
          tried(() => checkNetwork(network, registry, settings)),
        ),
      );
      const checked = answers.flatMap(({ value }) => value ?? []);
      const sounds = await tried(() => rejectUnsound(config, capabilities));
      const hubs = await tried(() => checkHubs(config));
      const findings = [
        {
          lines: warnings.map((warning) => `warning: ${problemText(warning)}`),
          fine: true,
          problems: warnings,
        },
        sounds.finding,
        await checkedCatalogues(registry, engines.engineOf),
        checkedLook(
          config,
          registry,
          answers.map(({ value }, at) => ({
            id: networkIds[at]!,
            fields: value?.portal.fields ?? new Map(),
            isWhole: value?.nodes.every(({ state }) => state === 'ok') ?? false,
          })),
        ),
        { lines: hiddenDoors(registry.states(), config.http.doors), fine: true },
        checkReleases(registry, config.dataPath),
        checkStores(config.engine),
        await checkRepositories(config.indexing.repositories),
        (await tried(() => readKeys(config))).finding,
        besides(read.finding, sounds.finding),
        ...(hubs.value === null ? [] : [hubs.value]),
        ...answers.map(({ finding }) => finding),
      ];
      const states = registry.states();
      return {
        states,
        findings,
        networks: checked,
        server: answers[networkIds.indexOf(serverNetworkId)]?.value ?? null,
      };
    } finally {
      registry.close();
    }
  } finally {
    await engines.close();
  }
};

/** @throws TributaryError CONFIG_INVALID for what the files of the server say, besides those of its catalogues */
const rejectUnsound = (config: Config, capabilities: readonly Capability[]): void => {
  openVerifier(sound(config, capabilities), unobserved);
};

/** Whether the fields and the source that portal.json names are somewhere here. */
const checkedLook = (config: Config, registry: Registry, networks: readonly ShownNetwork[]): Finding => {
  const lines = lookLines(config.http.portal?.look, registry.states(), networks);
  return { lines, fine: lines.length === 0 };
};

/** @throws TributaryError CONFIG_INVALID for a file that is not a server's key */
const readKeys = ({ serverKeyPath }: Config): void => void formerKey(serverKeyPath);

/** Whether the hubs of hubs.json can use the catalogues that they query; `join --check` tests the connection. */
const checkHubs = ({ hubs, catalogues }: Config): Finding => {
  const lines = hubsIn(hubs).flatMap(({ name, catalogue }) => {
    const problem = unusableBy(catalogue, catalogues);
    return problem === null ? [] : [`  hub ${name}: ${problem}`];
  });
  return { lines, fine: lines.length === 0 };
};

/** What a reading finds that another did not: a fault of nodes.json is found by two. */
const besides = ({ lines, fine, problems = [] }: Finding, other: Finding): Finding => ({
  lines: lines.filter((line) => !other.lines.includes(line)),
  fine,
  problems: problems.filter((problem) => !other.lines.includes(`  ${problemText(problem)}`)),
});

const unlogged = { warn: () => undefined };

const unobserved = { fetchFailed: () => undefined };

/** A part of the configuration, or null, with its problems. */
interface Tried<Part> {
  readonly value: Part | null;
  readonly finding: Finding;
}

/** Reads a part of the configuration that can fail independently. */
const tried = async <Part>(read: () => Part | Promise<Part>): Promise<Tried<Part>> => {
  try {
    return { value: await read(), finding: { lines: [], fine: true } };
  } catch (error) {
    const problems = isConfigError(error) ? problemsOf(error) : [];
    const lines = problems.length === 0 ? [describeError(error)] : problems.map(problemText);
    return { value: null, finding: { lines: lines.map((line) => `  ${line}`), fine: false, problems } };
  }
};

/** A network.json is in the established form, which declares no fields: the results only fit into nodes.json. */
const writtenNetwork = async ({ nodes }: Config, server: CheckedNetwork | null): Promise<Finding> => {
  if (nodes === null || server === null) {
    const why =
      nodes === null
        ? 'there is no nodes.json; a network.json cannot declare fields'
        : 'its network could not be opened';
    return { lines: [`nothing was written: ${why}`], fine: false };
  }
  const written = await writeNetwork(nodes.file, server.portal);
  return { lines: [`${nodes.file} ${writtenText(written)}`], fine: true };
};

const writtenText = ({ declared, described }: WrittenNetwork): string =>
  [
    declared.length === 0
      ? 'declares all fields found already'
      : `declares ${countOf(declared.length, 'more field')} now`,
    ...(described.length === 0 ? [] : [`describes ${described.length} more`]),
  ].join(', ');

const checkedCatalogues = async (
  registry: Registry,
  engineOf: CatalogueEngines['engineOf'],
): Promise<Finding> => {
  const states = registry.states();
  const isFine = (state: CatalogueState): boolean =>
    state.status === 'available' && unmappedLines(state).length === 0 && aboutLines(state).length === 0;
  const lines = await Promise.all(
    states.map(async (state) => [
      ...catalogueLines([state]),
      ...unmappedLines(state),
      ...(state.status === 'available'
        ? [
            ...state.catalogue.warnings,
            ...aboutLines(state),
            ...(await gapLines(state, engineOf)),
            ...(await hierarchyLines(state.catalogue)),
          ].map((line) => `    ${line}`)
        : []),
    ]),
  );
  return { lines: lines.flat(), fine: states.every(isFine), problems: states.flatMap(faultsOf) };
};

/** With the folder, by which programs find the file. */
const faultsOf = ({ config: { folder, problems } }: CatalogueState): readonly Problem[] =>
  problems.map((one) => (one.file === null ? one : { ...one, file: join(folder, one.file) }));

const gapLines = async (
  { config }: CatalogueState,
  engineOf: CatalogueEngines['engineOf'],
): Promise<readonly string[]> => {
  if (config.esIndex === null) return [];
  const engine = await engineOf(config);
  return [...(await mappingGaps(engine, config.esIndex)), ...(await lookAlikes(engine, config.esIndex))];
};

const aboutLines = (state: CatalogueState): readonly string[] =>
  state.status === 'available' ? aboutProblems(state.config.about ?? {}, state.catalogue.fields) : [];

/** Problems in the files of the embedded engine; an index may work from memory while its file is damaged. */
export const checkStores = (engine: EngineSettings): Finding => {
  if (engine.kind !== 'embedded') return { lines: [], fine: true };
  const folder = new DataFolder(engine.dataPath);
  const lines = folder.names().flatMap((name) => {
    const damage = damageOf(folder, name);
    return damage === null ? [] : [`  index ${name}: ${damage}`];
  });
  return { lines, fine: lines.length === 0 };
};

const damageOf = (folder: DataFolder, name: string): string | null => {
  try {
    return folder.damage(name);
  } catch (error) {
    return describeError(error);
  }
};

/** One line for each repository, and whether all of them answer, each within its own timeout. */
export const checkRepositories = async (configs: readonly RepositoryConfig[]): Promise<Finding> => {
  const checked = await Promise.all(configs.map(checkRepository));
  return { lines: checked.map(({ line }) => line), fine: checked.every(({ fine }) => fine) };
};

const checkRepository = async (config: RepositoryConfig): Promise<{ line: string; fine: boolean }> => {
  const { code, kind, indexName } = config;
  const what = `  repository ${code} (${kind}-based, index ${indexName})`;
  try {
    await openRepository(config).probe(new AbortController().signal);
    return { line: `${what}: answers`, fine: true };
  } catch (error) {
    return { line: `${what}: ${describeError(error)}`, fine: false };
  }
};

const options = {
  '--json': 'print what was found as JSON',
  '--write': "write the nodes' fields and their labels into nodes.json",
  '--token FILE': 'only say what the token in a file (-: from standard input) opens, and why not more',
};

const aboutCheck = `
Tests the configuration, every catalogue, repository and node as start would, without serving, and reports each problem
with its file and key.`;
