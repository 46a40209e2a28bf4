import { printSchema } from 'graphql';
import { secretIn } from '../../server/config/environment.ts';
import { loadConfig } from '../../server/config/load.ts';
import { invalidInput } from '../../lib/errors/errors.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { openCatalogue } from '../../local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../local/schema/schema.ts';
import { guardOf, type Capability } from '../../server/http/capability.ts';
import { openEngines } from '../../server/node/catalogue-engines.ts';
import { parseCommandLine, runCommand } from '../terminal/command-line.ts';

/**
 * The command `tributary index schema`: prints the GraphQL schema of a catalogue.
 * @returns the exit code: 0 it is printed, 1 the catalogue cannot be served, 2 for an invalid command line
 */
export const runSchema = (
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  capabilities: readonly Capability[],
): Promise<number> =>
  runCommand(argv, env, {
    name: 'index schema',
    about: aboutSchema,
    rows: options,
    exit: '0 the schema is printed, 1 the catalogue cannot be served',
    optionsOf: schemaOptions,
    work: async ({ catalogue }) => {
      console.log(await schemaText(catalogue, env, capabilities));
      return 0;
    },
  });

/** @throws TributaryError if the catalogue cannot be served */
const schemaText = async (
  name: string | undefined,
  env: NodeJS.ProcessEnv,
  capabilities: readonly Capability[],
): Promise<string> => {
  const config = loadConfig(env);
  const catalogue = named(config.catalogues, name);
  const engines = await openEngines(config.engine, (variable) => secretIn(env, variable));
  try {
    const guard = guardOf(capabilities, { dataPath: config.dataPath });
    const state = await openCatalogue(catalogue, engines.engine, { engineOf: engines.engineOf, guard });
    if (state.status === 'failed') throw state.error;
    return printSchema(buildCatalogueSchema(state.catalogue));
  } finally {
    await engines.close();
  }
};

/** Ignores case, like the server's paths; the name may be omitted if there is only one catalogue. */
const named = (catalogues: readonly CatalogueConfig[], name: string | undefined): CatalogueConfig => {
  const found = catalogues.filter(
    ({ catalogueId }) => name === undefined || catalogueId.toLowerCase() === name.toLowerCase(),
  );
  if (found.length === 1) return found[0]!;
  const ids = catalogues.map(({ catalogueId }) => catalogueId).join(', ');
  const problem = name === undefined ? 'name a catalogue' : `there is no catalogue ${JSON.stringify(name)}`;
  throw invalidInput(`${problem}: the configuration has ${ids || 'none'}`);
};

interface SchemaOptions {
  readonly catalogue: string | undefined;
}

const schemaOptions = (argv: readonly string[]): SchemaOptions => {
  const { positionals } = parseCommandLine(argv, options);
  if (positionals.length > 1) throw invalidInput(`one catalogue expected, not ${positionals.length}`);
  return { catalogue: positionals[0] };
};

const options = { CATALOGUE: 'the only one needs no name' };

const aboutSchema = `
Prints the GraphQL schema of a catalogue in the schema definition language, for code generators:
  tributary index schema donors > donors.graphql`;
