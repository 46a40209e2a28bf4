import type { ExecutionResult } from 'graphql';
import { graphql } from 'graphql';
import type { Engine } from '../../../src/engines/engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { CatalogueConfig } from '../../../src/introspection/fields/catalogue-config.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import type { Catalogue } from '../../../src/search/catalogue.ts';
import { openCatalogue } from '../../../src/local/open-catalogue.ts';
import type { RequestContext } from '../../../src/search/request-context.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import { openSets, type OpenSets } from '../../../src/local/sets/open-sets.ts';
import { openNaiveEngine } from '../../engines/naive.ts';
import { bookConfig, bookProperties, books, contextWith } from '../catalogue-fixture.ts';

export interface Library {
  readonly engine: Engine;
  readonly sets: OpenSets;
  readonly open: (config?: Partial<CatalogueConfig>) => Promise<Catalogue>;
}

/** All books, also the one that an engine refuses as it is written in the fixture. */
const wholeBooks: Readonly<Record<string, JsonObject>> = { ...books, b4: { ...books['b4'], price: 3 } };

/** The books in an engine that also keeps sets. */
export const library = async (documents = wholeBooks, properties = bookProperties): Promise<Library> => {
  const engine = openNaiveEngine();
  await engine.manage({ kind: 'create', index: 'books', mapping: { properties } });
  const operations = Object.entries(documents).map(([id, document]) => {
    return { kind: 'upsert', id, document } as const;
  });
  await engine.write('books', operations);
  const sets = openSets(engine, 'kept-sets');
  return {
    engine,
    sets,
    open: async (config = {}) => {
      const state = await openCatalogue(bookConfig(config), engine, { sets });
      if (state.status === 'failed') throw state.error;
      return state.catalogue;
    },
  };
};

export interface Answer {
  readonly data: unknown;
  readonly codes: readonly string[];
  readonly errors: readonly string[];
}

/** Runs one GraphQL operation against a catalogue. */
export const run = async (
  catalogue: Catalogue,
  source: string,
  variableValues: Readonly<Record<string, unknown>> = {},
  contextValue: RequestContext = contextWith(),
): Promise<Answer> => {
  const schema = buildCatalogueSchema(catalogue);
  const { data, errors = [] }: ExecutionResult = await graphql({
    schema,
    source,
    variableValues,
    contextValue,
  });
  return {
    data: JSON.parse(JSON.stringify(data ?? null)),
    errors: errors.map(({ message }) => message),
    codes: errors.map(({ originalError }) =>
      originalError instanceof TributaryError ? originalError.code : 'none',
    ),
  };
};

/** Saves a set by GraphQL. @returns its id */
export const save = async (
  catalogue: Catalogue,
  path: string,
  sqon: unknown = {},
  context: RequestContext = contextWith(),
): Promise<string> => {
  const source =
    'mutation($sqon: JSON!, $path: String!) { saveSet(type: book, path: $path, sqon: $sqon) { setId } }';
  const { data, errors } = await run(catalogue, source, { sqon, path }, context);
  if (errors.length > 0) throw new Error(errors.join());
  return (data as { saveSet: { setId: string } }).saveSet.setId;
};
