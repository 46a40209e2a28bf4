import { access, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { loadSettings } from '../config/load.ts';
import { openEngine } from '../engines/open.ts';
import { asTributaryError, TributaryError } from '../errors.ts';
import { detectFormat } from '../indexing/file-import/detect-format.ts';
import type { ImportReport } from '../indexing/file-import/import-file.ts';
import { importFile, loaded } from '../indexing/file-import/import-file.ts';
import type { MappingBody } from '../indexing/mapping-body.ts';
import { readMappingBody } from '../indexing/mapping-body.ts';
import { openSource } from '../indexing/file-import/open-source.ts';
import type { RejectsFile } from '../indexing/file-import/rejects-file.ts';
import { openRejectsFile } from '../indexing/file-import/rejects-file.ts';
import type { CatalogueTarget } from './catalogue-target.ts';
import { catalogueTarget } from './catalogue-target.ts';
import type { LoadOptions } from './load-options.ts';
import { loadOptions, loadUsage } from './load-options.ts';
import { grouped } from './grouped.ts';
import { loadProgress } from './load-progress.ts';
import { writeStarterFolder } from './starter-folder.ts';

/**
 * The command `tributary load`: loads a file into an index, of a catalogue or named.
 * @param argv what follows `load`
 * @returns the exit code: 0 when documents were loaded, also with rejected lines; 1 when nothing could be loaded or the
 *   load stopped early; 2 for a wrong command line
 */
export const runLoad = async (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  let options: LoadOptions | null;
  try {
    options = loadOptions(argv);
  } catch (error) {
    console.error(`tributary load: ${asTributaryError(error).message}\n\n${loadUsage}`);
    return 2;
  }
  if (options === null) {
    console.log(loadUsage);
    return 0;
  }
  try {
    return await load(options, env);
  } catch (error) {
    console.error(`tributary load: ${messageOf(error)}`);
    return 1;
  }
};

interface Destination {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly mapping: MappingBody | null;
  readonly catalogue: CatalogueTarget | null;
}

const load = async (options: LoadOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  const settings = loadSettings(env);
  settings.warnings.forEach((warning) => console.error(`warning: ${warning}`));
  const destination = await destinationOf(options, env, settings.configsPath);
  const source = await openSource(options.file, process.stdin);
  const format = options.format ?? detectFormat(source.head);
  const rejects = await openRejectsFile(options.file);
  const engine = await openEngine(settings.engine);
  const progress = loadProgress(source.size, source.bytesRead, process.stderr);
  const started = performance.now();
  try {
    const report = await importFile(
      engine,
      {
        chunks: source.chunks,
        format,
        name: destination.name,
        aliases: destination.aliases,
        mapping: destination.mapping?.mapping ?? null,
        settings: destination.mapping?.settings,
        idField: options.idField,
        replace: options.replace,
        mayBeEmpty: options.mappingFile !== undefined,
      },
      rejects,
      (counts) => progress.update(counts),
    );
    progress.stop();
    await rejects.close();
    await writeStarter(destination, report);
    return sayReport(report, rejects, destination.name, performance.now() - started);
  } finally {
    progress.stop();
    await rejects.close();
    await engine.close();
  }
};

const destinationOf = async (
  options: LoadOptions,
  env: NodeJS.ProcessEnv,
  configsPath: string,
): Promise<Destination> => {
  const { into } = options;
  const catalogue = into.kind === 'catalogue' ? catalogueTarget(into.id, env, configsPath) : null;
  const mapping = await mappingFor(options.mappingFile, catalogue);
  const name = into.kind === 'index' ? into.name : (catalogue?.esIndex ?? '');
  const named = into.kind === 'index' ? into.aliases : [];
  const aliases = new Set([...named, ...(mapping?.aliases ?? [])]);
  aliases.delete(name);
  return { name, aliases: [...aliases], mapping, catalogue };
};

/** The mapping file that was named, else the catalogue's mapping.json if it has one. */
const mappingFor = async (
  named: string | undefined,
  catalogue: CatalogueTarget | null,
): Promise<MappingBody | null> => {
  if (named !== undefined) return readMappingBody(await readJson(named), named);
  if (catalogue === null) return null;
  const own = join(catalogue.folder, 'mapping.json');
  try {
    await access(own);
  } catch {
    return null;
  }
  return readMappingBody(await readJson(own), own);
};

const readJson = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new TributaryError('INPUT_INVALID', `cannot read the mapping ${file}: ${messageOf(cause)}`, {
      cause,
    });
  }
};

const writeStarter = async ({ catalogue }: Destination, report: ImportReport): Promise<void> => {
  if (catalogue === null || !catalogue.isNew || loaded(report.counts) === 0) return;
  const idField = report.idRule.kind === 'field' ? report.idRule.path : undefined;
  const { mapping, sample } = report;
  const files = await writeStarterFolder({ ...catalogue, mapping, sample, idField });
  if (files.written.length > 0)
    console.log(`wrote ${files.written.map((file) => basename(file)).join(', ')} in ${catalogue.folder}: a start to edit`); // prettier-ignore
  if (files.kept.length > 0)
    console.log(`left as they are: ${files.kept.map((file) => basename(file)).join(', ')}`);
  if (catalogue.others === 1)
    console.log('this is the second catalogue: from now on paths begin with the id, as in /{id}/graphql');
};

const sayReport = (report: ImportReport, rejects: RejectsFile, name: string, elapsedMs: number): number => {
  const { created, updated, deleted, rejected } = report.counts;
  const rate = Math.round((1000 * loaded(report.counts)) / Math.max(1, elapsedMs));
  const removed = deleted === 0 ? '' : `, ${grouped(deleted)} deleted`;
  const index = report.index === name ? name : `${name} (${report.index})`;
  if (report.failure === null && report.newIndex && loaded(report.counts) === 0) {
    console.log(`made the index ${index} with its mapping; the file holds no documents`);
    return 0;
  }
  console.log(
    `loaded ${grouped(created + updated)} documents into ${index}: ${grouped(created)} created, ` +
      `${grouped(updated)} updated${removed}, ${grouped(rejected)} rejected; ` +
      `${(elapsedMs / 1000).toFixed(1)} s, ${grouped(rate)} documents/s`,
  );
  if (report.madeKeys)
    console.log(
      'the documents have no id or _id: keys are made of line number and content (--id-field names one)',
    );
  if (rejected > 0)
    console.error(`${grouped(rejected)} rejected lines, with their reasons, are in ${rejects.path}`);
  if (report.failure === null) return 0;
  const part = loaded(report.counts) === 0 ? '' : 'stopped before the end of the file: ';
  console.error(`tributary load: ${part}${messageOf(report.failure)}`);
  return 1;
};

/** On the terminal an unexpected error says what it is. */
const messageOf = (error: unknown): string => {
  if (
    error instanceof TributaryError &&
    error.code === 'INTERNAL_SERVER_ERROR' &&
    error.cause instanceof Error
  )
    return error.cause.message;
  return error instanceof Error ? error.message : String(error);
};
