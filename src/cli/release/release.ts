import type { Config } from '../../server/config/config.ts';
import { secretIn } from '../../server/config/environment.ts';
import { loadConfig } from '../../server/config/load.ts';
import { auditSetsApart } from '../../capabilities/disclosure/release/audit-sets.ts';
import { openReleaseStore, type ReleaseStore } from '../../capabilities/disclosure/release/release-store.ts';
import type { WaitingChanges } from '../../capabilities/disclosure/release/choose-table.ts';
import type {
  PublishOptions,
  ReleaseOutcome,
} from '../../capabilities/disclosure/release/publish-release.ts';
import type { Engine } from '../../engines/engine.ts';
import { openEngines } from '../../server/node/catalogue-engines.ts';
import { invalidConfig, invalidInput } from '../../lib/errors/errors.ts';
import type { CatalogueConfig, DisclosureConfig } from '../../introspection/fields/catalogue-config.ts';
import { catalogueFields } from '../../introspection/mapping/mapping.ts';
import { sharedIndexProblems } from '../../server/node/networks.ts';
import { audit } from '../../capabilities/audit/capability.ts';
import { openTrail } from '../../server/node/open-audit.ts';
import {
  publishAudited,
  writeRelease,
  type Releaser,
} from '../../capabilities/disclosure/release/publish-audited.ts';
import { serverKey } from '../../lib/runtime/server-key.ts';
import { releasesAsCsv, releasesAsHtml } from './print-release.ts';
import { describeError, parseCommandLine, runCommand, type Command } from '../terminal/command-line.ts';
import type { AuditReport } from '../../capabilities/disclosure/audit/audit.ts';
import { maxColumns, maxListed } from '../../capabilities/disclosure/audit/joint-tables.ts';
import type { Draft } from '../../capabilities/disclosure/release/make-release.ts';
import { stratumLabel, type Stratum } from '../../capabilities/disclosure/release/release.ts';
import { countOf, formatCount, plural } from '../../lib/text/plural.ts';
import { problemsError, problemText } from '../../lib/text/problem.ts';

/**
 * The command `tributary release`: computes, audits and publishes releases for guarded callers.
 * @returns the exit code: 0 everything was published, or could be; 1 something was not; 2 for an invalid command line
 */
export const runRelease: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'release',
    about: aboutRelease,
    rows: options,
    exit: '0 when everything was published (or could be, with --dry-run; or is, with --status), 1 when something was not',
    optionsOf: releaseOptions,
    work: releaseAll,
  });

const releaseAll = async (options: ReleaseOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  const config = loadConfig(env);
  config.warnings.forEach((warning) => console.error(`warning: ${problemText(warning)}`));
  const chosen = guardedCatalogues(config, options);
  const { dataPath } = config;
  const warn = (_: object, message: string): void => console.error(`warning: ${message}`);
  const log = { warn, error: warn };
  const server = serverKey(config.serverKeyPath, dataPath, log);
  const stores = chosen.map((catalogue) => ({
    catalogue,
    store: openReleaseStore(dataPath, catalogue.catalogueId),
  }));
  if (options.action.kind === 'status') return forEach(stores, showStatus);
  if (options.action.kind === 'print') return printReleases(options.action.format, stores);
  const trail = options.publish.dryRun === true ? null : openTrail(config, { key: server, log }, [audit]);
  const releaser = { trail, by: 'command' } as const;
  try {
    if (options.action.kind === 'withdraw') return withdraw(options.action.id, stores, releaser);
    return await publishAll(config, stores, options, { releaser, secret: (name) => secretIn(env, name) });
  } finally {
    trail?.close();
  }
};

const publishAll = async (
  { engine: engineConfig }: Config,
  stores: readonly Opened[],
  options: ReleaseOptions,
  {
    releaser,
    secret,
  }: { readonly releaser: Releaser; readonly secret: (name: string) => string | undefined },
): Promise<number> => {
  const engines = await openEngines(engineConfig, secret);
  try {
    return await forEach(stores, async ({ catalogue, store }) => {
      const engine = await engines.engineOf(catalogue);
      return releaseOne(catalogue, engine, { store, releaser }, options);
    });
  } finally {
    await engines.close();
  }
};

interface Opened {
  readonly catalogue: Guarded;
  readonly store: ReleaseStore;
}

/** Runs for each catalogue; a failure does not stop the others. @returns 0 if all succeeded */
const forEach = async (
  stores: readonly Opened[],
  work: (one: Opened) => boolean | Promise<boolean>,
): Promise<number> => {
  let code = 0;
  for (const one of stores)
    try {
      if (!(await work(one))) code = 1;
    } catch (error) {
      console.error(`tributary release: ${one.catalogue.catalogueId}: ${describeError(error)}`);
      code = 1;
    }
  return code;
};

/** @returns whether the catalogue answers from a release and its last attempt was not withheld */
const showStatus = ({ catalogue: { catalogueId }, store }: Opened): boolean => {
  const [id, withdrawn, attempt] = [store.currentId(), store.withdrawnId(), store.lastAttempt()];
  const reasons = attempt?.reasons ?? [];
  const state =
    withdrawn !== null
      ? `its release ${withdrawn} was withdrawn: guarded callers get nothing`
      : id === null
        ? 'nothing is released yet: guarded callers get no answer'
        : `answers from the release of ${store.read(id).date}, ${id}`;
  console.log(
    [
      `${catalogueId}: ${state}`,
      ...(attempt === null || reasons.length === 0
        ? []
        : [`  the release for the slot of ${attempt.date}, tried ${attempt.at}, is withheld:`]),
      ...reasons.map((reason) => `    ${reason}`),
    ].join('\n'),
  );
  return id !== null && reasons.length === 0;
};

const withdraw = (id: string, stores: readonly Opened[], releaser: Releaser): number => {
  const found = stores.find(({ store }) => [store.currentId(), store.withdrawnId()].includes(id));
  if (found === undefined) {
    console.error(
      `tributary release: no catalogue answers from the release ${id}: tributary release --status names those that do`,
    );
    return 1;
  }
  writeRelease(releaser, found.catalogue.catalogueId, { outcome: 'withdrawn', id, date: null });
  found.store.withdraw(id);
  console.log(
    `${found.catalogue.catalogueId}: withdrawn; guarded callers get nothing until the next release, which has to differ enough from this one too`,
  );
  return 0;
};

const printReleases = (format: PrintFormat, stores: readonly Opened[]): number => {
  const releases = stores.flatMap(({ store }) => {
    const id = store.currentId();
    return id === null ? [] : [store.read(id)];
  });
  console.log(format === 'csv' ? releasesAsCsv(releases) : releasesAsHtml(releases));
  return releases.length === stores.length ? 0 : 1;
};

type Guarded = CatalogueConfig & { readonly disclosure: DisclosureConfig; readonly esIndex: string };

/** @throws TributaryError INPUT_INVALID, CONFIG_INVALID */
const guardedCatalogues = ({ catalogues }: Config, { catalogue: id }: ReleaseOptions): readonly Guarded[] => {
  const named = catalogues.filter(
    ({ catalogueId }) => id === null || catalogueId.toLowerCase() === id.toLowerCase(),
  );
  const known = catalogues.map(({ catalogueId }) => catalogueId).join(', ') || 'none';
  if (named.length === 0) throw invalidInput(`there is no catalogue ${id ?? ''}: CONFIGS_PATH has ${known}`);
  const [problem] = [
    ...sharedIndexProblems(catalogues).values(),
    ...named.flatMap(({ problems }) => problems),
  ];
  if (problem !== undefined) throw problemsError([problem]);
  const guarded = named.filter((one): one is Guarded => one.disclosure !== undefined && one.esIndex !== null);
  if (guarded.length === 0)
    throw invalidConfig(`no catalogue has a disclosure.json, of ${known}: nothing is to be released`);
  return guarded;
};

/** @returns whether it was published, or could be */
const releaseOne = async (
  catalogue: Guarded,
  engine: Engine,
  { store, releaser }: { readonly store: ReleaseStore; readonly releaser: Releaser },
  { publish }: ReleaseOptions,
): Promise<boolean> => {
  const { catalogueId, esIndex, disclosure } = catalogue;
  if (publish.newSeries === true)
    console.error(
      `warning: ${catalogueId}: whoever keeps a release of the old series can compare it with the new one, whose cells may cut the old ones`,
    );
  const { properties } = await engine.describe(esIndex);
  const { fields } = catalogueFields(properties, catalogue);
  const source = { engine, index: esIndex, catalogueId, fields, disclosure, auditSets: auditSetsApart };
  const outcome = await publishAudited(source, store, { ...publish, nowMs: Date.now() }, releaser);
  console.log(releaseLines(catalogueId, outcome, store.currentId() !== null).join('\n'));
  return outcome.kind === 'published' || outcome.reasons.length === 0;
};

/** The output of `tributary release` for a catalogue, only for its operator. @param answers whether it has a release */
const releaseLines = (catalogueId: string, outcome: ReleaseOutcome, answers: boolean): readonly string[] => {
  const { release, audits, units, withoutUnit, waiting } = outcome.draft;
  const counted = release.unit === 'record' ? 'records' : `values of ${release.unit}`;
  const [first] = release.strata;
  return [
    `${catalogueId}: ${formatCount(units)} ${counted}, release of ${release.date}`,
    ...(withoutUnit === 0
      ? []
      : withoutUnit === 1
        ? [`  1 record has no ${release.unit} and is not counted`]
        : [
            `  ${countOf(withoutUnit, 'record')} ${plural(withoutUnit, 'has', 'have')} no ${release.unit} and ${plural(withoutUnit, 'is', 'are')} not counted`,
          ]),
    ...(first?.table.dimensions ?? []).map(
      ({ fieldName, cells, isMulti }) =>
        `  ${fieldName}: ${countOf(cells.length, 'cell')}${isMulti ? ', of which a unit can have several' : ''}`,
    ),
    ...audits.map((report, index) => auditLine(report, release.strata[index]!, release)),
    ...waiting.map((one) => waitingLine(one, release)),
    ...(outcome.kind === 'published'
      ? [`  published as ${outcome.id}`]
      : outcome.reasons.length === 0
        ? ['  could be published']
        : [
            `  withheld, ${answers ? 'the previous release stays' : 'guarded callers get nothing'}:`,
            ...outcome.reasons.map((reason) => `    ${reason}`),
          ]),
  ];
};

const waitingLine = (
  { stratum, fieldName, units, required }: WaitingChanges,
  release: Draft['release'],
): string => {
  const where = release.stratumField === null ? '' : stratumLabel({ value: stratum }, release);
  const kind = fieldName === null ? 'added or removed' : `with another ${fieldName}`;
  return `  ${countOf(units, 'unit')}${where} ${kind} ${plural(units, 'waits', 'wait')} until they are ${formatCount(required)}`;
};

const auditLine = (report: AuditReport | null, stratum: Stratum, release: Draft['release']): string => {
  const where = stratumLabel(stratum, release);
  if (report === null)
    return `  cells${where} stay those of ${stratum.date}: too few of its units changed since`;
  const { cells, hidden, failures } = report;
  const share = cells === 0 ? 0 : Math.round((100 * hidden) / cells);
  const verdict = failures.length === 0 ? `passed: ${passedText(report)}` : 'failed';
  return `  ${countOf(cells, 'cell')}${where}, ${share} % hidden; audit ${verdict}`;
};

/** What the audit proved, and what was not computed. */
const passedText = ({ required, joint }: AuditReport): string => {
  const bySums = `at least ${required} values for each hidden cell by the sums of all tables`;
  if (joint === undefined) return bySums;
  if (joint.kind === 'unsolved') return `${bySums} (sets of four were not solved: ${joint.why})`;
  const { size, sets, unsolved } = joint;
  const solved = `${bySums}, and jointly in ${formatCount(sets - unsolved)} of ${formatCount(sets)} sets of ${size}`;
  const limits = `a list of more than ${maxListed} values, or more than ${formatCount(maxColumns)} ways in which a unit can have the characteristics`;
  return unsolved === 0 ? solved : `${solved} (not in the others, which have ${limits})`;
};

/** The options of `tributary release`. */
export interface ReleaseOptions {
  /** null: all catalogues with a disclosure.json. */
  readonly catalogue: string | null;
  readonly action:
    | { readonly kind: 'publish' | 'status' }
    | { readonly kind: 'withdraw'; readonly id: string }
    | { readonly kind: 'print'; readonly format: PrintFormat };
  readonly publish: Omit<PublishOptions, 'nowMs'>;
}

type PrintFormat = 'html' | 'csv';

const options = {
  '--catalogue ID': 'only this catalogue, as base.json or its folder names it',
  '--dry-run': 'print dimensions, cells, hidden share and audit, and publish nothing',
  '--new-series': 'publish although dimensions were changed in ways that make releases comparable',
  '--first':
    "publish although earlier releases are missing, or are another catalogue's, so that it cannot be compared with them",
  '--correct': 'take the next slot early, since the current release is wrong',
  '--slot DATE': 'confirm a slot that is more than one interval after the last one',
  '--status': 'print which release answers, and why the last attempt was withheld',
  '--withdraw RELEASE': 'let guarded callers get nothing until the next release',
  print: 'print every cell of the releases that answer, as HTML',
  '--csv': 'of print: as CSV',
};

/** What `tributary release --help` prints. */
const aboutRelease = `
Computes what callers who may not see records learn of a catalogue, as its disclosure.json says, audits it, and publishes
it. A running server answers from it within seconds. Nothing is published when the audit fails, when the slot of
releaseEvery has its release already, or when too few units changed since one that is kept; the one before stays.`;

/**
 * The command line as options.
 * @throws TributaryError INPUT_INVALID naming the argument
 */
const releaseOptions = (argv: readonly string[]): ReleaseOptions => {
  const isPrint = argv[0] === 'print';
  const { values } = parseCommandLine(isPrint ? argv.slice(1) : argv, options);
  return {
    catalogue: values.catalogue ?? null,
    action: isPrint
      ? { kind: 'print', format: values.csv ? 'csv' : 'html' }
      : values.withdraw !== undefined
        ? { kind: 'withdraw', id: values.withdraw }
        : { kind: values.status ? 'status' : 'publish' },
    publish: {
      dryRun: values['dry-run'],
      newSeries: values['new-series'],
      first: values.first,
      correct: values.correct,
      ...(values.slot !== undefined && { slot: values.slot }),
    },
  };
};
