import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Entrance, Visit } from '../../http/doors/door.ts';
import { documentKey, type Field } from '../../introspection/fields/field.ts';
import type { JsonObject } from '../../json/json.ts';
import { countOnly, plainQuery, type CatalogueResult } from '../../search/query.ts';
import { boundsOf } from '../../search/nodes-answer.ts';
import { describeFields, sqonSchema } from '../../sqon/describe.ts';
import { MISSING } from '../../sqon/ast.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { citedAs, type ToolAnswer } from './citation.ts';
import { buildSqon, builtInput, builtOutput } from './build-sqon.ts';
import { bucketsOf, coverageText, totalText } from './sentences.ts';
import { annotations, answered, unchanging, version } from './tools.ts';
import { fieldCalled } from './where.ts';

const instructions =
  'Searches catalogues of records. Call list_catalogues, then get_catalogue_fields: never guess names of fields or values. ' +
  'Write filters with build_sqon and pass its sqon on to execute_query unchanged. Numbers may be bounds: repeat "message".';

/** The tools, resources and prompt of the established server for agents, with the same names and inputs. */
export const createEstablishedTools = (entrance: Entrance): McpServer => {
  const capabilities = { tools: unchanging, resources: unchanging, prompts: unchanging };
  const server = new McpServer({ name: 'tributary', version: version() }, { instructions, capabilities });
  const tool = <Input extends z.ZodObject>(
    name: string,
    description: string,
    inputSchema: Input,
    answer: (sent: z.output<Input>) => Promise<Readonly<Record<string, unknown>>>,
    outputSchema?: z.ZodObject,
  ): void => {
    const config = { description, inputSchema: inputSchema as z.ZodObject, outputSchema, annotations };
    server.registerTool(name, config, (sent) =>
      answered(async () => asJson(await answer(sent as z.output<Input>)), true),
    );
  };
  tool('list_catalogues', 'Lists the catalogues.', z.object({}), () => listCatalogues(entrance));
  tool('get_sqon_schema', 'The grammar of filters (SQON).', z.object({}), async () => sqonSchema());
  const named = z.object({ catalogueId: z.string().max(200) });
  tool(
    'get_catalogue_fields',
    'The fields of a catalogue, with types and operators.',
    named,
    async ({ catalogueId }) => catalogueFields(await entrance.open(catalogueId)),
  );
  tool(
    'build_sqon',
    'Writes a filter from conditions, for execute_query.',
    builtInput,
    async (sent) => buildSqon(sent, (await entrance.open(sent.catalogueId)).catalogue.fields),
    builtOutput,
  );
  tool(
    'execute_query',
    'Runs a query of one catalogue.',
    executed,
    (sent) => executeQuery(entrance, sent),
    executedOutput,
  );
  addResources(server, entrance);
  server.registerPrompt('query_arranger', promptConfig, async ({ goal }) => ({
    messages: [
      instructions,
      `Catalogues: ${JSON.stringify(await listCatalogues(entrance))}`,
      `Researcher's goal: ${goal}`,
    ].map((text) => ({ role: 'user' as const, content: { type: 'text' as const, text } })),
  }));
  return server;
};

const asJson = (data: Readonly<Record<string, unknown>>): ToolAnswer => ({
  text: JSON.stringify(data),
  data,
});

const promptConfig = {
  title: 'Query Arranger',
  description: 'From a question in words to a query, with the catalogues that are here.',
  argsSchema: z.object({ goal: z.string().min(1).max(2_000).describe('The data that is wanted, in words.') }),
};

const pathOf = (id: string): string => `/${id.split('/').map(encodeURIComponent).join('/')}`;

/** Lists catalogues like GET /introspection. */
const listCatalogues = async ({ list, open }: Entrance): Promise<JsonObject> => {
  const entries = await Promise.all(
    list.map(async ({ id, title }) => {
      const { catalogue } = await open(id);
      const path = pathOf(id);
      const paths = { graphql: `${path}/graphql`, introspection: `${path}/introspection` };
      return [
        id,
        { description: title, documentType: catalogue.config.documentType, paths, status: 'available' },
      ] as const;
    }),
  );
  return {
    catalogCount: entries.length,
    mode: entries.length === 1 ? 'single' : 'multiple',
    sqonSchemaPath: '/introspection/sqon',
    catalogs: Object.fromEntries(entries),
  };
};

/** Describes a catalogue like GET /introspection/{id}. */
const catalogueFields = ({ catalogue }: Visit): Readonly<Record<string, unknown>> => {
  const { catalogueId, description, documentType, extended } = catalogue.config;
  return {
    ...{ catalogId: catalogueId, description, documentType },
    ...describeFields(catalogue.fields, extended),
    generatedAt: catalogue.generatedAt,
  };
};

const addResources = (server: McpServer, entrance: Entrance): void => {
  const add = (name: string, path: string, read: () => Promise<unknown>): void => {
    const address = `arranger://introspection/${path}`;
    const mimeType = 'application/json';
    server.registerResource(name, address, { mimeType }, async (uri) => ({
      contents: [{ uri: uri.href, mimeType, text: JSON.stringify(await read()) }],
    }));
  };
  add('arranger_server_introspection', 'server', () => listCatalogues(entrance));
  add('arranger_sqon_schema', 'sqon', async () => sqonSchema());
  for (const { id } of entrance.list)
    add(`arranger_catalog_${id}`, `catalog/${encodeURIComponent(id)}`, async () =>
      catalogueFields(await entrance.open(id)),
    );
};

/** The maximum number of rows, and of values of an aggregation. */
const maxFirst = 100;
const maxBuckets = 1_000;

const fieldNames = z.array(z.string().min(1).max(500)).max(30);

const executed = z.object({
  catalogueId: z.string().max(200),
  sqon: z.unknown().optional().describe('From build_sqon, unchanged; none: everything.'),
  queryType: z.enum(['hits', 'aggregations', 'both']).default('hits'),
  fields: fieldNames.default([]).describe('None: only the total.'),
  first: z.int().min(0).max(maxFirst).default(20),
  offset: z.int().min(0).max(10_000).default(0),
  sort: z
    .array(z.object({ fieldName: z.string().max(500), order: z.enum(['asc', 'desc']).default('asc') }))
    .max(5)
    .default([]),
  aggregationFields: fieldNames.default([]),
  includeMissing: z.boolean().default(true),
  aggregationsFilterThemselves: z.boolean().default(false),
});

const record = z.record(z.string(), z.unknown());
const executedOutput = z.object({
  catalogueId: z.string(),
  documentType: z.string(),
  queryType: z.enum(['hits', 'aggregations', 'both']),
  executed: z.boolean(),
  endpoint: z.string(),
  total: z.number().optional(),
  hits: z.array(record).optional(),
  aggregations: record.optional(),
  message: z.string().optional(),
});

/** @throws TributaryError as a search; NOT_DISCLOSED for rows that the caller may not see */
const executeQuery = async (
  entrance: Entrance,
  sent: z.output<typeof executed>,
): Promise<Readonly<Record<string, unknown>>> => {
  const { catalogueId, queryType, sqon = null } = sent;
  const visit = await entrance.open(catalogueId);
  const { fields, config } = visit.catalogue;
  const named = (name: string): Field => fieldCalled(name, fields);
  const hasHits = queryType !== 'aggregations';
  const paths = hasHits ? sent.fields.map((name) => named(name).path) : [];
  const first = paths.length === 0 ? 0 : sent.first;
  const facets = queryType === 'hits' ? [] : sent.aggregationFields.map(named);
  const sort =
    first === 0 ? [] : sent.sort.map(({ fieldName, order }) => ({ fieldName: named(fieldName).path, order }));
  const result = await visit.search({
    ...plainQuery,
    filters: parseSqon(sqon as JsonObject | null),
    filterThemselves: sent.aggregationsFilterThemselves,
    includeMissing: sent.includeMissing,
    facets: facets.map(({ path, kind }) => ({
      field: path,
      bounded: true,
      measure:
        kind === 'number' ? ({ kind: 'stats' } as const) : ({ kind: 'terms', max: maxBuckets } as const),
    })),
    hits: { ...countOnly, first, offset: sent.offset, sort, fields: paths, bounded: true },
  });
  const { cite } = citedAs(entrance, visit, { result, sqon: sqon as JsonObject | null, id: catalogueId });
  return {
    ...{
      catalogueId,
      documentType: config.documentType,
      queryType,
      executed: true,
      endpoint: `${pathOf(catalogueId)}/graphql`,
    },
    ...(result.total !== null && { total: result.total }),
    ...(hasHits && { hits: result.hits.map(({ id, source }) => ({ ...source, [documentKey.path]: id })) }),
    ...(facets.length > 0 && {
      aggregations: Object.fromEntries(
        facets.map(({ path }, at) => [path.replaceAll('.', '__'), aggregationOf(result.facets[at]!)]),
      ),
    }),
    message: [totalText(result), coverageText(result), cite].filter((part) => part !== '').join(' '),
  };
};

/** In the form of GraphQL, with the upper bound of a count that is not exact. */
const aggregationOf = (facet: CatalogueResult['facets'][number]): unknown => {
  if (facet.kind === 'failed') return { error: facet.error.message };
  if (facet.kind === 'stats') {
    const { kind: _, ...stats } = facet;
    return { stats };
  }
  if (facet.kind !== 'terms') return {};
  const buckets = bucketsOf(facet, MISSING).map((bucket) => {
    const { lower, upper } = boundsOf(bucket.count, bucket)!;
    return { key: bucket.key, doc_count: lower, ...(upper !== lower && { upper_bound: upper }) };
  });
  return { bucket_count: facet.distinct + buckets.length - facet.buckets.length, buckets };
};
