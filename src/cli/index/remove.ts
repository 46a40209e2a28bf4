import { createReadStream } from 'node:fs';
import { engineOfCatalogue } from '../../server/config/catalogue/catalogue-engine.ts';
import { secretIn } from '../../server/config/environment.ts';
import { loadConfig } from '../../server/config/load.ts';
import type { Engine } from '../../engines/engine.ts';
import { openEngine } from '../../engines/open/open-engine.ts';
import { invalidConfig, invalidInput, TributaryError } from '../../lib/errors/errors.ts';
import type { DeletionFilters } from '../../indexing/delete-documents.ts';
import { countMatching, deleteMatching, filtersOfKeys } from '../../indexing/delete-documents.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { readFields } from '../../introspection/mapping/mapping.ts';
import { compileSqon, validateSqon } from '../../sqon/compile.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { countOf, formatCount, plural } from '../../lib/text/plural.ts';
import { problemText } from '../../lib/text/problem.ts';
import {
  isConfirmed,
  linesIn,
  runCommand,
  type Command,
  parseCommandLine,
  wrongCommandLine,
} from '../terminal/command-line.ts';

/**
 * The command `tributary index remove`: deletes documents of a catalogue by their keys or by a filter.
 * @returns the exit code: 0 the documents are deleted, 1 they are not, 2 for an invalid command line
 */
export const runRemove: Command = (argv, env) =>
  runCommand(argv, env, {
    name: 'index remove',
    about: aboutRemove,
    rows: options,
    exit: '0 when the documents are gone, 1 when they could not be deleted or the answer was no',
    optionsOf: removeOptions,
    work: removeFrom,
  });

const removeFrom = async (options: RemoveOptions, env: NodeJS.ProcessEnv): Promise<number> => {
  const config = loadConfig(env);
  config.warnings.forEach((warning) => console.error(`warning: ${problemText(warning)}`));
  const catalogue = catalogueNamed(config.catalogues, options.catalogue);
  const engine = await openEngine(engineOfCatalogue(catalogue, config.engine, (name) => secretIn(env, name)));
  try {
    const { index, documents, condemned, keys } = await target(engine, catalogue, options);
    const count = await countMatching(engine, index, condemned);
    if (count > 0 && count < keys)
      console.error(
        `${formatCount(keys - count)} of the ${formatCount(keys)} keys ${plural(keys - count, 'matches', 'match')} no document`,
      );
    if (count === 0) {
      console.log(`no document of ${catalogue.catalogueId} matches: nothing is deleted`);
      return 0;
    }
    const what = `${formatCount(count)} of the ${countOf(documents, 'document')} of ${catalogue.catalogueId}`;
    const instead = `this would delete ${what}: there is no terminal to ask, so give --yes to delete them`;
    if (!options.yes && !(await isConfirmed(`Delete ${what}?`, instead))) {
      console.log('nothing is deleted');
      return 1;
    }
    const deleted = await deleteMatching(engine, index, condemned);
    console.log(`deleted ${countOf(deleted, 'document')} of ${catalogue.catalogueId}`);
    return 0;
  } finally {
    await engine.close();
  }
};

/** Ignores case, as the server's paths do. */
const catalogueNamed = (catalogues: readonly CatalogueConfig[], id: string): CatalogueConfig => {
  const found = catalogues.find(({ catalogueId }) => catalogueId.toLowerCase() === id.toLowerCase());
  const known = catalogues.map(({ catalogueId }) => catalogueId).join(', ') || 'none';
  if (found === undefined) throw invalidInput(`there is no catalogue ${id}: CONFIGS_PATH has ${known}`);
  const [problem] = found.problems;
  if (problem !== undefined)
    throw invalidConfig(`the configuration of ${found.catalogueId} is broken: ${problemText(problem)}`);
  return found;
};

interface Target {
  /** The one index behind the catalogue's name. */
  readonly index: string;
  readonly documents: number;
  readonly condemned: DeletionFilters;
  /** The number of keys; 0 for a filter. */
  readonly keys: number;
}

const target = async (engine: Engine, config: CatalogueConfig, options: RemoveOptions): Promise<Target> => {
  if (config.esIndex === null) throw invalidConfig(`base.json of ${config.catalogueId} names no esIndex`);
  const { indices, documents, properties } = await engine.describe(config.esIndex);
  const [index, second] = indices;
  if (index === undefined || second !== undefined)
    throw new TributaryError(
      'CONFLICT',
      `${config.esIndex} is an alias of several indexes (${indices.join(', ')}), of which documents cannot be deleted`,
    );
  const { what } = options;
  if (what.kind === 'ids') {
    const keys = await keysIn(what.file);
    return { index, documents, condemned: filtersOfKeys(keys), keys: keys.size };
  }
  const { fields } = readFields(properties, { nestingPrefix: config.nestingPrefix });
  const sqon = parseSqon(jsonOf(what.text));
  // a filter that is not fully understood must not delete anything
  validateSqon(sqon, fields, { strict: true });
  const filter = compileSqon(sqon, fields);
  if (filter.kind === 'all')
    throw invalidInput(
      'the filter matches every document: empty the index with load --replace, or delete it',
    );
  return { index, documents, condemned: [filter], keys: 0 };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidInput(`--filter is not JSON: ${(cause as Error).message}`, { cause });
  }
};

/** One key per line; empty lines are skipped. */
const keysIn = async (file: string): Promise<ReadonlySet<string>> => {
  const keys = new Set<string>();
  try {
    const input = file === '-' ? process.stdin : createReadStream(file);
    for await (const line of linesIn(input))
      if (line.trim() !== '') keys.add(line.replace(/^\uFEFF/, '').trim());
  } catch (cause) {
    throw invalidInput(`cannot read the keys in ${file}: ${(cause as Error).message}`, { cause });
  }
  if (keys.size === 0) throw invalidInput(`there are no keys in ${file}`);
  return keys;
};

/** The options of `tributary index remove`. */
export interface RemoveOptions {
  readonly catalogue: string;
  readonly what:
    | { readonly kind: 'ids'; /** A path, or `-` for standard input. */ readonly file: string }
    | { readonly kind: 'filter'; /** JSON. */ readonly text: string };
  /** Without confirmation. */
  readonly yes: boolean;
}

const options = {
  '--catalogue ID': 'the catalogue, as base.json or its folder names it',
  '--ids FILE': "the documents' keys, one on each line (- is standard input, which needs --yes)",
  '--filter SQON':
    'the documents that match this filter, JSON as clients send it: \'{"op":"in","content":{"fieldName":"donor_id","value":["D1","D2"]}}\'',
  '-y, --yes': 'delete without asking; required without a terminal',
};

const aboutRemove = `
Deletes documents of a catalogue's index, after showing how many there are and asking for confirmation. A server that
uses the same index no longer shows them. --catalogue is needed, and either --ids or --filter.`;

/**
 * The command line as options.
 * @throws TributaryError INPUT_INVALID naming the argument
 */
const removeOptions = (argv: readonly string[]): RemoveOptions => {
  const { catalogue, ids, filter, yes } = parseCommandLine(argv, options).values;
  if (catalogue === undefined) throw wrongCommandLine('give --catalogue ID');
  if (ids !== undefined && filter === undefined)
    return { catalogue, what: { kind: 'ids', file: ids }, yes: yesWith(ids, yes) };
  if (filter !== undefined && ids === undefined)
    return { catalogue, what: { kind: 'filter', text: filter }, yes };
  throw wrongCommandLine('give either --ids FILE or --filter SQON');
};

/** Standard input cannot supply both the keys and the confirmation. */
const yesWith = (file: string, yes: boolean): boolean => {
  if (file === '-' && !yes)
    throw wrongCommandLine('--ids - reads the keys from standard input, so give --yes too');
  return yes;
};
