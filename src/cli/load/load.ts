import { existsSync } from 'node:fs';
import { mappingNotes } from '../../indexing/mapping-notes.ts';
import { basename } from 'node:path';
import { loadSettings } from '../../server/config/load.ts';
import { engineOfCatalogue } from '../../server/config/catalogue/catalogue-engine.ts';
import { secretIn } from '../../server/config/environment.ts';
import { lookAlikes } from '../../indexing/look-alikes.ts';
import { mappingGaps } from '../../indexing/mapping-gaps.ts';
import type { Engine } from '../../engines/engine.ts';
import { openEngine, type EngineSettings } from '../../engines/open/open-engine.ts';
import type { ImportFormat } from '../../indexing/file-import/records/detect-format.ts';
import type { ImportReport, ImportRequest } from '../../indexing/file-import/import-file.ts';
import { importFile, loaded } from '../../indexing/file-import/import-file.ts';
import { openRejectsFile } from '../../indexing/file-import/rejects-file.ts';
import { openSources, type LoadSource } from './load-source.ts';
import type { ImportPlan, PlanRequest } from '../../indexing/file-import/plan-import.ts';
import { optionText } from '../../indexing/file-import/inference/proposals.ts';
import { summarizeFields, type FieldSummary } from '../../indexing/file-import/inference/summarize-fields.ts';
import { assertAliases, existingIndex, type ExistingIndex } from '../../indexing/index-target.ts';
import { countOf } from '../../lib/text/plural.ts';
import {
  inferredLines,
  printReport,
  printTrial,
  proposedCommand,
  presentLine,
  printFailure,
  loadProgress,
} from './load-report.ts';
import { claimName, isIncomplete } from './load-claim.ts';
import { keepMapping, loadDestination, type Destination } from './load-destination.ts';
import { loadOptions, loadRows, aboutLoad, type LoadOptions } from './load-options.ts';
import { runningServers } from '../reload/reload.ts';
import { facetChoices, unknownFieldsIn, writeStarterFolder } from './starter-folder.ts';
import { runCommand, type Command } from '../terminal/command-line.ts';
import { constants } from 'node:os';
import { codebookBeside } from './codebook-beside.ts';
import type { FieldNotes } from './load-codebook.ts';
import { mappingType } from '../../indexing/mapping-body.ts';
import { propertiesOf } from '../../introspection/mapping/mapping.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { asTributaryError, invalidInput } from '../../lib/errors/errors.ts';
import { problemText } from '../../lib/text/problem.ts';

/**
 * The command `tributary load`: loads a file into an index, of a catalogue or named.
 * @returns the exit code: 0 every record was taken; 3 some were rejected; 1 nothing could be loaded or the load stopped
 *   early; 2 an invalid command line; 130 or 143 ended by a signal
 */
export const runLoad: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'load',
    about: aboutLoad,
    rows: loadRows,
    exit: '0 every record was loaded, 3 some were rejected, 1 nothing was loaded or the load stopped early, 130 or 143 stopped by Ctrl-C or a signal',
    optionsOf: loadOptions,
    work: loadUntilInterrupted,
  });

const loadUntilInterrupted = async (options: LoadOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  const interrupted = interruption();
  try {
    const code = await load(options, env, interrupted.signal);
    return interrupted.exitCode() ?? code;
  } catch (error) {
    const code = interrupted.exitCode();
    printFailure(error, options.argv, code !== null);
    return code ?? 1;
  } finally {
    interrupted.stop();
  }
};

const load = async (options: LoadOptions, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> => {
  const configured = loadSettings(env);
  configured.warnings.forEach((warning) => console.error(`warning: ${problemText(warning)}`));
  const destination = await loadDestination(options, env, configured.configsPath);
  const engine = engineOfCatalogue(destination.catalogue ?? {}, configured.engine, (name) =>
    secretIn(env, name),
  );
  const settings = { ...configured, engine };
  const { mapping } = destination;
  const notes =
    mapping === null ? [] : mappingNotes(mapping, engine.kind, options.mappingFile ?? 'mapping.json');
  [...destination.warnings, ...notes].forEach((warning) => console.error(`warning: ${warning}`));
  if (options.files.length === 0) return describeOnly(options, destination, settings);
  const opened = await openInput(options, destination, settings, signal).catch((error: unknown) => ({
    error,
  }));
  if ('error' in opened) return refuse(opened.error, options, destination, settings, signal);
  const { source, request, notes: fieldNotes } = opened;
  const described = { ...destination, ...(fieldNotes && { notes: fieldNotes }) };
  return options.dryRun
    ? tryOut(options, described, request, settings)
    : write(options, described, source, request, settings, signal);
};

/** Reads the whole file, prints what a load would do, and writes nothing. */
const tryOut = async (
  options: LoadOptions,
  destination: Destination,
  request: PlanRequest,
  settings: LoadSettings,
): Promise<number> => {
  const { engine } = settings;
  const existing = await indexBefore(engine, destination);
  const indexSettings = options.replace ? undefined : existing?.settings;
  const server =
    engine.kind === 'embedded'
      ? null
      : { kind: engine.kind, settings: indexSettings ?? destination.mapping?.settings };
  const { tryImport } = await import('../../indexing/file-import/try-import.ts');
  const trial = await tryImport(request, existing, server);
  const fields = plannedFields(trial.plan, destination.notes);
  printPlan(fields, trial.plan, 'all', request.format);
  printFacets(destination, trial.plan);
  printProposals(fields, trial.plan, options, existing !== null);
  return printTrial(trial, options.mappingFile !== undefined && existing === null && !options.replace);
};

const openInput = async (
  options: LoadOptions,
  destination: Destination,
  settings: LoadSettings,
  signal: AbortSignal,
) => {
  const source = await openSources(options, signal);
  const planned: PlanRequest = {
    ...source.request,
    mapping: destination.mapping?.mapping ?? null,
    idField: options.idField,
    replace: options.replace,
    append: options.append,
    reading: options.reading,
  };
  return { source, ...(await withCodebook(options, planned, destination, settings)) };
};

/** Ends a load whose input cannot be read; the last line says how many records are there, as after any load. */
const refuse = async (
  error: unknown,
  { argv, dryRun }: LoadOptions,
  { name }: Destination,
  { engine }: LoadSettings,
  signal: AbortSignal,
): Promise<number> => {
  printFailure(error, argv, signal.aborted);
  if (!dryRun) console.log(await presentLine(engine, name));
  return 1;
};

/** The request with the types and codes of the codebook, and its labels; without a codebook, mentions a file that may be it. */
const withCodebook = async (
  { codebookFile, files, replace }: LoadOptions,
  request: PlanRequest,
  destination: Destination,
  settings: LoadSettings,
): Promise<{ readonly request: PlanRequest; readonly notes: FieldNotes | null }> => {
  if (codebookFile === undefined) {
    const isAlone = destination.catalogue !== null && files[0] !== '-';
    const proposal = isAlone ? await codebookBeside(files[0]!) : null;
    if (proposal !== null) console.log(proposal);
    return { request, notes: null };
  }
  const { readCodebook } = await import('../../indexing/codebook/read-codebook.ts');
  const { readWith, uncodedLines } = await import('./load-codebook.ts');
  const book = await readCodebook(codebookFile);
  const existing = replace ? null : await indexBefore(settings.engine, destination);
  const mappings = [existing?.properties ?? {}, propertiesOf(destination.mapping?.mapping ?? {})];
  const { reading, notes } = await readWith(book, { ...request, reread: request.reread! }, mappings);
  new Set(mappings.flatMap((known) => uncodedLines(notes, known))).forEach((line) => console.log(line));
  return { request: { ...request, reading }, notes };
};

/** Updates the labels of a catalogue, and no data. */
const describeOnly = async (
  { codebookFile }: LoadOptions,
  destination: Destination,
  settings: LoadSettings,
): Promise<number> => {
  const { readCodebook } = await import('../../indexing/codebook/read-codebook.ts');
  const notes = await readCodebook(codebookFile!);
  const existing = await indexBefore(settings.engine, destination);
  if (existing === null) throw invalidInput(`there is no index ${destination.name} yet: load its data first`);
  const { absentLines, uncodedLines } = await import('./load-codebook.ts');
  const lines = [...absentLines(notes, existing.properties), ...uncodedLines(notes, existing.properties)];
  lines.forEach((line) => console.log(line));
  await describeFields({ ...destination, notes }, existing.properties);
  return 0;
};

/** Writes what a codebook says into extended.json. */
const describeFields = async ({ catalogue, notes }: Destination, properties: JsonObject): Promise<void> => {
  if (catalogue === null || notes === undefined) return;
  const { writeNotes } = await import('./load-codebook.ts');
  const { file, fields } = await writeNotes(
    catalogue.folder,
    notes,
    (path) => mappingType(properties, path) !== null,
  );
  console.log(`wrote ${file}: the codebook describes ${countOf(fields, 'field')}`);
};

/**
 * The existing index with the name, unless the load would start it over. The embedded engine would create its folder, so
 * it is only opened if the folder exists.
 */
const indexBefore = async (
  settings: EngineSettings,
  { name, aliases }: Destination,
): Promise<ExistingIndex | null> => {
  if (settings.kind === 'embedded' && !existsSync(settings.dataPath)) return null;
  const engine = await openEngine(settings);
  try {
    await assertAliases(engine, aliases);
    const index = await existingIndex(engine, name);
    return index !== null && isIncomplete(settings, name, index) ? null : index;
  } finally {
    await engine.close();
  }
};

type LoadSettings = ReturnType<typeof loadSettings>;

const write = async (
  options: LoadOptions,
  destination: Destination,
  source: LoadSource,
  request: PlanRequest,
  settings: LoadSettings,
  signal: AbortSignal,
): Promise<number> => {
  const engine = await openEngine(settings.engine);
  try {
    return await claimAndFill(options, destination, source, { ...request, signal }, engine, settings);
  } catch (error) {
    printFailure(error, options.argv, signal.aborted);
    return 1;
  } finally {
    const present = await presentLine(settings.engine, destination.name, engine);
    // closing may warn, and the number of records is the last line
    await engine.close().finally(() => console.log(present));
  }
};

const claimAndFill = async (
  options: LoadOptions,
  destination: Destination,
  source: LoadSource,
  request: PlanRequest & Pick<ImportRequest, 'signal'>,
  engine: Engine,
  settings: LoadSettings,
): Promise<number> => {
  const claim = await claimName(settings.engine, engine, destination.name, options.replace, console.log);
  const claimed = { ...request, willFill: claim.willFill };
  return fill(options, destination, source, claimed, engine, settings.dataPath).finally(claim.release);
};

const fill = async (
  options: LoadOptions,
  destination: Destination,
  source: LoadSource,
  request: PlanRequest & Pick<ImportRequest, 'signal' | 'willFill'>,
  engine: Engine,
  dataPath: string,
): Promise<number> => {
  const rejects = await openRejectsFile(source.request.file === undefined ? options.files[0]! : null);
  const progress = loadProgress(source.size, source.bytesRead, process.stderr);
  const started = performance.now();
  try {
    const report = await importFile(
      engine,
      {
        ...request,
        name: destination.name,
        aliases: destination.aliases,
        settings: destination.mapping?.settings,
        mayBeEmpty: options.mappingFile !== undefined,
        onPlan: (plan) => {
          if (!plan.inferred) return;
          const fields = plannedFields(plan, destination.notes);
          printPlan(fields, plan, plan.complete ? 'all' : 'first', request.format);
          printProposals(fields, plan, options, true);
        },
      },
      rejects,
      (counts) => progress.update(counts),
    );
    // the next steps may take long, but the documents are complete
    request.willFill?.([]);
    const code = printReport(report, rejects, destination.name, performance.now() - started);
    await printGaps(report, engine);
    await writeFiles(options, destination, report);
    if (loaded(report.counts) > 0) await describeFields(destination, propertiesOf(report.mapping));
    await printHierarchies(destination, engine);
    printNext(destination, report, dataPath);
    return code;
  } finally {
    await rejects.close();
  }
};

/** The fields with what would give them better types; none for what a codebook says are codes. */
const plannedFields = (plan: ImportPlan, notes: Destination['notes']): readonly FieldSummary[] =>
  summarizeFields(plan.evidence, plan.properties, plan.columns).map((field) =>
    (notes?.get(field.path)?.values.size ?? 0) > 0 ? { ...field, proposal: null } : field,
  );

/** Prints the types inferred for the columns or fields. */
const printPlan = (
  fields: readonly FieldSummary[],
  plan: ImportPlan,
  seen: 'all' | 'first',
  format: ImportFormat,
): void => {
  if (fields.length === 0) return;
  const count = countOf(plan.evidence.documents(), 'record');
  const isTable = plan.columns !== null;
  const records =
    seen === 'first' ? `the first ${count}` : plan.evidence.documents() === 1 ? count : `all ${count}`;
  inferredLines(fields, `${records} (${format})`, isTable).forEach((line) => console.log(line));
};

/** Prints the command that accepts the proposals, unless it would empty an index that other files were loaded into. */
const printProposals = (
  fields: readonly FieldSummary[],
  plan: ImportPlan,
  { argv, replace }: LoadOptions,
  exists: boolean,
): void => {
  if (!plan.inferred && !replace) return;
  const [looked, all] = [plan.documents.length, plan.evidence.documents()];
  // key candidates are only checked in the first documents
  const command = proposedCommand(fields, argv, looked < all ? [] : plan.keyCandidates, exists);
  const [key] = plan.keyCandidates;
  if (key !== undefined) {
    const option = optionText({ name: 'id-field', value: key });
    console.log(
      looked < all
        ? `question: ${option}: it has a different value in each of the first ${countOf(looked, 'record')}; if it does in all of them, a corrected file updates them`
        : `proposed: ${option}: it has a different value in each record, so a corrected file updates them`,
    );
  }
  if (command !== null) console.log(`as one command: ${command}`);
};

const writeFiles = async (
  { mappingFile, replace }: LoadOptions,
  { catalogue, mapping, notes }: Destination,
  report: ImportReport,
): Promise<void> => {
  if (catalogue === null) return;
  const isRenewed = replace && mapping === null && report.failure === null;
  // a file without records fills an index that its mapping describes
  const isThere = loaded(report.counts) > 0 || (mappingFile !== undefined && report.failure === null);
  const isStarted = (catalogue.isNew || isRenewed) && isThere;
  const kept = isStarted ? await writeStarter(catalogue, report, hiddenIn(notes)) : ['mapping.json'];
  if (
    mappingFile !== undefined &&
    mapping !== null &&
    report.failure === null &&
    kept.includes('mapping.json')
  )
    console.log(`wrote ${keepMapping(catalogue, mapping, report.mapping)}: the mapping of the index`);
};

/** @returns the names of existing files, which are left unchanged */
const writeStarter = async (
  catalogue: NonNullable<Destination['catalogue']>,
  report: ImportReport,
  hidden: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const idField = report.idRule.kind === 'field' ? report.idRule.path : undefined;
  const { mapping, sample, lists, header } = report;
  const starter = { ...catalogue, mapping, sample, lists, header, idField, hidden };
  const files = await writeStarterFolder(starter);
  const kept = files.kept.map((file) => basename(file));
  if (files.written.length > 0)
    console.log(
      `wrote ${files.written.map((file) => basename(file)).join(', ')} in ${catalogue.folder}: a starting point to edit`,
    );
  if (kept.length > 0) console.log(`kept unchanged: ${kept.join(', ')}`);
  for (const [file, fields] of await unknownFieldsIn(starter, kept))
    console.log(`${file} names ${fields.join(', ')}, which the index does not have`);
  if (catalogue.isNew && catalogue.others === 1)
    console.log('this is the second catalogue: from now on paths begin with the id, as in /{id}/graphql');
  return kept;
};

/** The fields that identify people, by the codebook: a new catalogue does not show them. */
const hiddenIn = (notes: Destination['notes']): ReadonlySet<string> =>
  new Set([...(notes ?? [])].flatMap(([path, { isIdentifier }]) => (isIdentifier ? [path] : [])));

/** Prints which fields a new catalogue would have as facets. */
const printFacets = ({ catalogue, notes }: Destination, plan: ImportPlan): void => {
  if (catalogue === null || !plan.inferred) return;
  const idField = plan.idRule.kind === 'field' ? plan.idRule.path : undefined;
  const sample = plan.documents.map(({ document }) => document);
  const choices = facetChoices({
    ...catalogue,
    mapping: { properties: plan.properties },
    sample,
    header: plan.header,
    hidden: hiddenIn(notes),
    idField,
  });
  const active = choices.filter(({ why }) => why === null).map(({ path }) => path);
  const others = choices.flatMap(({ path, why }) => (why === null ? [] : [`${path} (${why})`]));
  console.log(
    `facets: ${active.length === 0 ? 'none' : active.join(', ')}${others.length === 0 ? '' : `; inactive: ${others.join(', ')}`}`,
  );
};

/**
 * Prints fields of the mapping that no document has, paths of documents that the mapping lacks, and values that look
 * alike.
 */
const printGaps = async ({ counts, index }: ImportReport, engine: Engine): Promise<void> => {
  if (loaded(counts) === 0) return;
  try {
    for (const line of await mappingGaps(engine, index)) console.log(line);
    for (const line of await lookAlikes(engine, index)) console.log(line);
  } catch (error) {
    console.log(`the mapping was not compared with the documents: ${asTributaryError(error).message}`);
  }
};

/** Prints which values are missing in the hierarchies of an existing catalogue. */
const printHierarchies = async ({ catalogue }: Destination, engine: Engine): Promise<void> => {
  const configured = catalogue?.config;
  if (configured?.hierarchies === undefined) return;
  const [{ openCatalogue }, { withHierarchies }, { hierarchyLines }] = await Promise.all([
    import('../../local/open-catalogue.ts'),
    import('../../server/node/named-files.ts'),
    import('../check/check-hierarchies.ts'),
  ]);
  const [config] = await withHierarchies([configured]);
  // users who load the records may see them
  const { disclosure: _, ...open } = config!;
  const state = await openCatalogue(open, engine, {});
  const lines = state.status === 'available' ? await hierarchyLines(state.catalogue) : [state.error.message];
  lines.forEach((line) => console.log(line));
};

/** Prints where the documents are served, and what would improve the catalogue. */
const printNext = ({ catalogue }: Destination, { counts, idRule }: ImportReport, dataPath: string): void => {
  if (catalogue === null || loaded(counts) === 0) return;
  const servers = runningServers(dataPath).map(({ url }) => url);
  for (const url of servers)
    console.log(
      catalogue.isNew
        ? `the server at ${url} serves the new catalogue within seconds, if it reads ${catalogue.folder}`
        : `the server at ${url} answers with the new documents within a second`,
    );
  if (!catalogue.isNew) return;
  if (servers.length === 0) console.log('next: tributary start, and open the address that it prints');
  const better = [
    ...(idRule.kind === 'generated' ? ['a field with the key of each record (--id-field)'] : []),
    `facets, labels and units (facets.json and extended.json in ${catalogue.folder})`,
    'joining a network (docs/institution.md)',
  ];
  console.log(`better with: ${better.join('; ')}; \`tributary check\` finds mistakes`);
};

/** Interrupts a command, and gives its exit code. */
export interface Interruption {
  /** Aborted by the first Ctrl-C or SIGTERM, with an error that names the signal. */
  readonly signal: AbortSignal;
  /** 128 plus the signal's number; null if there was no signal. */
  exitCode(): number | null;
  /** Restores the default signal handling. */
  stop(): void;
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Handles signals from here on; a second one ends the process immediately, as by default. */
const interruption = (): Interruption => {
  const controller = new AbortController();
  let code: number | null = null;
  const end = (name: NodeJS.Signals): void => {
    stop();
    code = 128 + constants.signals[name];
    controller.abort(invalidInput(`ended by ${name === 'SIGINT' ? 'Ctrl-C' : name}`));
  };
  const stop = (): void => signals.forEach((name) => void process.removeListener(name, end));
  for (const name of signals) process.on(name, end);
  return { signal: controller.signal, exitCode: () => code, stop };
};
