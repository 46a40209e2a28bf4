import type { GraphQLResolveInfo } from 'graphql';
import { buildSchema } from 'graphql';
import type { SearchFn } from '../../../src/search/query.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { parseSqon } from '../../../src/sqon/parse.ts';
import { contextOf } from '../node-fixtures.ts';
import type { RemoteServer } from '../remote-server.ts';
import { serveSchema } from '../remote-server.ts';
import type { FacetArguments } from './facets.ts';
import { aggregationsOf } from './facets.ts';
import { asItSends, engineError, itsError } from './filter-quirks.ts';
import { refusals } from './limits.ts';
import type { EngineOfIt, SortArgument } from './pages.ts';
import { rowsBehind, shownSearchAfter } from './pages.ts';
import type { Properties } from './type-definitions.ts';
import { formatsByPath, nodeValues, typeDefinitions, typesByPath } from './type-definitions.ts';
import { testCatalogue } from '../../builders.ts';

export interface EstablishedSetup {
  readonly documentType: string;
  readonly properties: Properties;
  /** By document key. */
  readonly documents: Readonly<Record<string, JsonObject>>;
  /** Whether its engine sorts by `_id`; newer ones do not by default. */
  readonly sortsById?: boolean;
  readonly engine?: EngineOfIt;
  /** Its limit on the levels of a query, which its operator may raise. */
  readonly maxDepth?: number;
  /** Whether its operator lets it show its mapping. */
  readonly showsMapping?: boolean;
}

export interface EstablishedServer extends RemoteServer {
  /** Errors that its next searches answer with, one each. */
  readonly failures: string[];
}

/**
 * The established server over real documents: it filters, counts, sorts and pages as that one does, and refuses what
 * that one refuses, in its words. What it gets wrong it gets wrong here too.
 */
export const serveEstablishedServer = async (setup: EstablishedSetup): Promise<EstablishedServer> => {
  const { documentType, properties } = setup;
  const schema = buildSchema(typeDefinitions(documentType, properties));
  const failures: string[] = [];
  const answers = answersOf(setup, await searchOf(setup), failures);
  Object.assign(schema.getQueryType()!.getFields()[documentType]!, { resolve: () => answers });
  const remote = await serveSchema(schema);
  remote.fault = refusals(setup.maxDepth ?? 7);
  return Object.assign(remote, { failures });
};

const searchOf = async (setup: EstablishedSetup): Promise<SearchFn> => {
  const { documentType, documents, properties } = setup;
  const { search } = await testCatalogue({ documentType, documents, properties: properties as never });
  return search;
};

const answersOf = (setup: EstablishedSetup, search: SearchFn, failures: string[]) => {
  const types = typesByPath(setup.properties);
  const failOnce = (): void => {
    const message = failures.shift();
    if (message !== undefined) throw itsError(message);
  };
  return {
    configs: { extended: () => extendedOf(types) },
    mapping: setup.showsMapping === true ? setup.properties : null,
    hits: (args: HitsArguments) => {
      failOnce();
      return hitsOf(args, setup, types, search);
    },
    aggregations: (args: FacetArguments, _context: unknown, info: GraphQLResolveInfo) => {
      failOnce();
      return aggregationsOf(args, info, types, search);
    },
  };
};

/** One entry for each mapped path, in the order of the alphabet; the document's own `id` is none of them. */
const extendedOf = (types: ReadonlyMap<string, string>) =>
  [...types]
    .filter(([path]) => path !== 'id')
    .map(([fieldName, type]) => ({
      displayName: fieldName,
      displayType: type,
      displayValues: {},
      fieldName,
      isActive: false,
      isArray: false,
      primaryKey: false,
      quickSearchEnabled: false,
      rangeStep: 0,
      type,
      unit: null,
    }))
    .sort((a, b) => (a.fieldName < b.fieldName ? -1 : 1));

interface HitsArguments {
  readonly filters?: unknown;
  readonly sort?: readonly SortArgument[] | null;
  readonly first?: number | null;
  readonly offset?: number | null;
  readonly searchAfter?: readonly unknown[] | null;
}

const hitsOf = async (
  { filters, sort: requested, first, offset, searchAfter }: HitsArguments,
  { properties, documents, engine = 'opensearch', sortsById = true }: EstablishedSetup,
  types: ReadonlyMap<string, string>,
  search: SearchFn,
) => {
  const sort = requested ?? [];
  for (const { fieldName } of sort) assertSortable(fieldName, types, sortsById);
  const answer = await search(
    {
      filters: parseSqon(asItSends(filters, types, formatsByPath(properties))),
      filterThemselves: false,
      includeMissing: true,
      facets: [],
      hits: {
        first: 10_000,
        offset: 0,
        sort: sort.map((key) => ({
          fieldName: key.fieldName,
          order: key.order ?? 'asc',
          missing: key.missing ?? (key.order === 'desc' ? 'last' : 'first'),
        })),
        searchAfter: null,
        trackTotal: true,
        fields: null,
      },
    },
    contextOf(),
  );
  const rows = searchAfter?.length ? rowsBehind(answer.hits, searchAfter, sort, types, engine) : answer.hits;
  return {
    total: answer.total,
    edges: rows.slice(offset ?? 0, (offset ?? 0) + (first ?? 10)).map((hit) => ({
      searchAfter: shownSearchAfter(hit, sort, types),
      node: { ...nodeValues(documents[hit.id]!, properties), id: hit.source['id'] ?? hit.id },
    })),
  };
};

const assertSortable = (field: string, types: ReadonlyMap<string, string>, sortsById: boolean): void => {
  if (field === '_id' && !sortsById)
    throw engineError(
      'illegal_argument_exception',
      'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: indices.id_field_data.enabled',
    );
  if (field !== '_id' && !types.has(field))
    throw engineError('query_shard_exception', `No mapping found for [${field}] in order to sort on`);
};
