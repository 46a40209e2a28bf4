import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { problemText } from '../../lib/text/problem.ts';
import { loadSettings } from '../../server/config/load.ts';
import { DataFolder, type IndexSummary } from '../../engines/embedded/threads/data-folder.ts';
import { openEngine, type EngineSettings } from '../../engines/open/open-engine.ts';
import { asTributaryError, invalidConfig } from '../../lib/errors/errors.ts';
import { indexBody, readDocuments, type StoredText } from '../../indexing/read-documents.ts';
import { mappedFields, propertiesOf } from '../../introspection/mapping/mapping.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { describeError, runCommand, wrongCommandLine } from '../terminal/command-line.ts';
import type { Capability } from '../../server/http/capability.ts';
import { leftText } from '../load/load-claim.ts';
import { textTable } from '../terminal/text-table.ts';
import { formatCount, plural } from '../../lib/text/plural.ts';

const about = `
NAME may be an alias. All of these work while a server is running. They are for the embedded engine; export and mapping
also read from a search server.`;

const rows = {
  list: 'the indexes of DATA_PATH: documents, sizes, snapshots, aliases',
  'info NAME': 'one index, and its fields',
  'verify [NAME]': 'compare files, snapshot and columns with the documents; all without NAME',
  'compact [NAME]': 'reclaim the space of deleted documents; in all without NAME',
  'export NAME': 'all documents on standard output, as action lines that load accepts',
  'mapping NAME': 'the mapping on standard output, as load --mapping accepts it',
  'delete NAME': 'an index with all its documents, by its own name; damaged ones too',
  remove: 'documents of a catalogue, by their keys or by a filter; see remove --help',
  'schema [CATALOGUE]': 'the GraphQL schema of a catalogue on standard output, for code generators',
};

/** What acts on a catalogue and its index, with options of its own. */
const ofCatalogues = {
  remove: async (argv: readonly string[], env: NodeJS.ProcessEnv) =>
    (await import('./remove.ts')).runRemove(argv, env),
  schema: async (argv: readonly string[], env: NodeJS.ProcessEnv, capabilities: Capabilities) =>
    (await import('./schema.ts')).runSchema(argv, env, await capabilities()),
};

/** Those of the program, loaded once they are needed. */
type Capabilities = () => Promise<readonly Capability[]>;

const exit = '0 when it is done, 1 when something is wrong or it could not be done';

/** Runs a command on the folder and an index; resolves to the exit code. */
type Action = (folder: DataFolder, name: string) => Promise<number> | number;

interface Command {
  /** Without a name: an error, or the command runs for every index, or the command takes no name. */
  readonly name: 'required' | 'all' | 'none';
  readonly run: Action;
}

const commands: Readonly<Record<string, Command>> = {
  list: { name: 'none', run: (folder) => list(folder) },
  info: { name: 'required', run: (folder, name) => print(detailLines(folder.summary(name), Date.now())) },
  verify: { name: 'all', run: (folder, name) => verify(folder, name) },
  compact: { name: 'all', run: (folder, name) => compact(folder, name) },
  export: { name: 'required', run: (folder, name) => writeDocuments(folder.documents(name)) },
  delete: {
    name: 'required',
    run: (folder, name) => {
      folder.delete(name);
      return print([`${name}: deleted`]);
    },
  },
  mapping: { name: 'required', run: (folder, name) => printBody(bodyOf(folder.summary(name).mapping)) },
};

/**
 * The command `tributary index`: manages the embedded engine's indexes.
 * @param argv the arguments after `index`
 * @returns the exit code: 0 done, 1 something is wrong or could not be done, 2 for an invalid command line
 */
export const runIndex = async (
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  capabilities: Capabilities,
): Promise<number> => {
  const [what = '', ...rest] = argv;
  if (what === 'remove' || what === 'schema') return ofCatalogues[what](rest, env, capabilities);
  return runCommand(what === 'help' ? ['--help'] : argv, env, {
    name: 'index',
    about,
    rows,
    needsWord: true,
    exit,
    optionsOf: chosen,
    work,
  });
};

interface Chosen {
  readonly commandName: string;
  readonly command: Command;
  readonly name: string | undefined;
}

const work = async ({ commandName, command, name }: Chosen, env: NodeJS.ProcessEnv): Promise<number> => {
  const { engine, warnings } = loadSettings(env);
  warnings.forEach((warning) => console.error(`warning: ${problemText(warning)}`));
  if (engine.kind !== 'embedded') return runOnCluster(engine, commandName, name ?? '');
  return run(command, new DataFolder(engine.dataPath), name);
};

const chosen = ([commandName = '', name, ...others]: readonly string[]): Chosen => {
  const command = Object.hasOwn(commands, commandName) ? commands[commandName] : undefined;
  if (command === undefined)
    throw wrongCommandLine(
      commandName === ''
        ? 'the command is missing'
        : `${commandName} is not known: one of ${Object.keys({ ...commands, ...ofCatalogues }).join(', ')} expected`,
    );
  if (command.name === 'required' && name === undefined)
    throw wrongCommandLine(`${commandName} needs the NAME of an index`);
  if (command.name === 'none' && name !== undefined) throw wrongCommandLine(`${commandName} takes no NAME`);
  if (others.length > 0) throw wrongCommandLine(`${others.join(' ')} is too much: one index at a time`);
  return { commandName, command, name };
};

/** @throws TributaryError CONFIG_INVALID for a command that only the embedded engine has */
const runOnCluster = async (settings: EngineSettings, commandName: string, name: string): Promise<number> => {
  if (commandName !== 'export' && commandName !== 'mapping')
    throw invalidConfig(
      `the configured search engine is a separate server with tools of its own: ${commandName} is for SEARCH_ENGINE=embedded`,
    );
  const engine = await openEngine(settings);
  try {
    const description = await engine.describe(name);
    if (commandName === 'mapping') return printBody(indexBody(description));
    return await writeDocuments(readDocuments(engine, name));
  } finally {
    await engine.close();
  }
};

/** Processes the indexes one by one, continuing after failures. */
const run = async (command: Command, folder: DataFolder, name: string | undefined): Promise<number> => {
  const isForAll = name === undefined && command.name === 'all';
  const names = isForAll ? folder.names() : [name ?? ''];
  let worst = 0;
  for (const one of names) {
    try {
      worst = Math.max(worst, await command.run(folder, one));
    } catch (error) {
      if (!isForAll || asTributaryError(error).code === 'INTERNAL_SERVER_ERROR') throw error;
      console.error(`${one}: ${describeError(error)}`);
      worst = 1;
    }
  }
  return worst;
};

const print = (lines: readonly string[]): number => {
  console.log(lines.join('\n'));
  return 0;
};

/** An unreadable index gets a line with the reason. */
const list = (folder: DataFolder): number => {
  const broken: string[] = [];
  const unfinished = folder.unfinished();
  const summaries = folder.names().flatMap((name) => {
    try {
      return [folder.summary(name)];
    } catch (error) {
      // the process that was creating it may have been killed before its file was complete
      if (!unfinished.some(({ index }) => index === name)) broken.push(`${name}: ${describeError(error)}`);
      return [];
    }
  });
  print(listLines(summaries, Date.now()));
  for (const { index, claim } of unfinished) console.log(`${index}: ${leftText(claim, index)}`);
  for (const name of folder.halfDeleted())
    console.log(`${name}: its deletion was interrupted; to remove its files: tributary index delete ${name}`);
  broken.forEach((line) => console.error(line));
  for (const file of folder.strangers())
    console.error(`${file}: not a valid index file name; move it away, or export and reload it`);
  return broken.length === 0 ? 0 : 1;
};

const verify = (folder: DataFolder, name: string): number => {
  const problems = folder.verify(name);
  print(problems.length === 0 ? [`${name}: fine`] : problems.map((problem) => `${name}: ${problem}`));
  return problems.length === 0 ? 0 : 1;
};

const compact = (folder: DataFolder, name: string): number => {
  const before = folder.summary(name);
  folder.compact(name);
  const after = folder.summary(name);
  return print([compactLine(before, after)]);
};

/** The body of an embedded index, which keeps the settings of its normalizers with its mapping. */
const bodyOf = ({ settings, ...mappings }: JsonObject): JsonObject => ({
  ...(settings !== undefined && { settings }),
  mappings,
});

const printBody = (body: JsonObject): number => print([JSON.stringify(body, null, 2)]);

const writeDocuments = async (
  documents: Iterable<StoredText> | AsyncIterable<StoredText>,
): Promise<number> => {
  try {
    await pipeline(Readable.from(bulkLines(documents)), process.stdout, { end: false });
  } catch (error) {
    // the reader may have closed the pipe
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
  return 0;
};

/** Length of text written at once. */
const pieceLength = 65_536;

/** A table of indexes with a header; a single line if there are none. */
export const listLines = (summaries: readonly IndexSummary[], nowMs: number): readonly string[] => {
  if (summaries.length === 0) return ['no indexes: load documents first'];
  const rows = summaries.map((summary) => [
    summary.name,
    formatCount(summary.documents),
    sizeOf(summary.documentBytes),
    sizeOf(summary.snapshotBytes),
    ageOf(summary.snapshotAt, nowMs),
    summary.aliases.join(', '),
  ]);
  return textTable([['index', 'documents', 'on disk', 'snapshot', 'written', 'aliases'], ...rows]);
};

/** One index and its fields: path and type, in the mapping's order. */
export const detailLines = (summary: IndexSummary, nowMs: number): readonly string[] => [
  ...textTable([
    ['index', summary.name],
    ['aliases', summary.aliases.join(', ') || 'none'],
    ['documents', formatCount(summary.documents)],
    ['on disk', sizeOf(summary.documentBytes)],
    ['snapshot', `${sizeOf(summary.snapshotBytes)}, ${ageOf(summary.snapshotAt, nowMs)}`],
    ['dynamic', String(summary.mapping['dynamic'] ?? 'true')],
  ]),
  'fields',
  ...textTable(fieldRows(summary.mapping)).map((line) => `  ${line}`),
];

/** How much space was reclaimed. The snapshot is rewritten and may not have existed before. */
export const compactLine = (before: IndexSummary, after: IndexSummary): string => {
  const snapshot = `the new snapshot takes ${sizeOf(after.snapshotBytes)}`;
  const [was, is] = [sizeOf(before.documentBytes), sizeOf(after.documentBytes)];
  return after.documentBytes < before.documentBytes && was !== is
    ? `${after.name}: ${was} before, ${is} now; ${snapshot}`
    : `${after.name}: nothing to give back of ${is}; ${snapshot}`;
};

/** Action lines and documents, in chunks; `load` and the bulk API of a cluster accept them. */
export async function* bulkLines(
  documents: Iterable<StoredText> | AsyncIterable<StoredText>,
): AsyncGenerator<string> {
  let piece = '';
  for await (const { id, src } of documents) {
    piece += `${JSON.stringify({ index: { _id: id } })}\n${src}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Bytes in the largest unit that keeps them above 1, with one decimal below 10. */
export const sizeOf = (bytes: number): string => {
  let size = bytes;
  let unit = 0;
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${unit > 0 && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]!}`;
};

const ages: readonly (readonly [string, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

const ageOf = (atMs: number | null, nowMs: number): string => {
  if (atMs === null) return 'never';
  const [unit, length] = ages.find(([, min]) => nowMs - atMs >= min) ?? ['', 0];
  if (length === 0) return 'just now';
  const count = Math.floor((nowMs - atMs) / length);
  return `${count} ${plural(count, unit)} ago`;
};

const fieldRows = (mapping: JsonObject): readonly (readonly string[])[] =>
  mappedFields(propertiesOf(mapping), true).map(({ path, definition }) => [
    path,
    String(definition['type'] ?? 'object'),
  ]);
