import { TributaryError } from '../../lib/errors/errors.ts';
import type { DoorModule, Visit } from '../../server/http/doors/door.ts';
import { methodNotAllowed, type HttpContext } from '../../server/http/koa/http-context.ts';
import { documentKey } from '../../introspection/fields/field.ts';
import { limited } from '../../introspection/limit.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { packageVersion } from '../../lib/runtime/server-version.ts';
import { countOnly, plainQuery } from '../../search/query.ts';
import { parseSqon } from '../../sqon/parse.ts';
import { describeFields } from '../../sqon/describe.ts';
import { filterText, readFilters } from './beacon-filters.ts';
import { fromAddress, fromBody, type BeaconRequest, type Granularity } from './beacon-request.ts';
import { answerOf, type BeaconAnswer } from './beacon-results.ts';
import {
  apiVersion,
  configurationBody,
  entryTypesBody,
  identityOf,
  infoBody,
  mapBody,
  returnedSchemas,
  reversed,
  serviceInfoBody,
  type BeaconIdentity,
} from './describe-beacon.ts';
import { fieldsWithPrefix, filteringTerms, resourcesOf } from './filtering-terms.ts';

/** GA4GH Beacon v2: a catalogue or a network as one beacon. */
export const { serve, errorBody }: DoorModule<Visit> = {
  serve: async (context, visit) => {
    const beacon = identityOf(visit);
    const [name = 'info', id, part, ...more] = visit.path;
    const version = packageVersion();
    const { plural } = beacon.entryType;
    const described: Readonly<Record<string, (() => object) | undefined>> = {
      info: () => infoBody(beacon, visit, version),
      'service-info': () => serviceInfoBody(beacon, visit, version),
      configuration: () => configurationBody(beacon, context.get('authorization') === ''),
      map: () => mapBody(beacon, visit),
      entry_types: () => entryTypesBody(beacon),
    };
    const describe = Object.hasOwn(described, name) ? described[name] : undefined;
    if (more.length > 0 || (part !== undefined && (name !== 'datasets' || part !== plural)))
      throw nothing(visit);
    if (describe !== undefined && id === undefined) {
      if (context.method !== 'GET' && context.method !== 'HEAD') throw methodNotAllowed(context, 'GET');
      context.body = describe();
    } else if (name === 'filtering_terms' && id === undefined)
      context.body = await filteringTermsBody(context, visit, beacon);
    else if (name === plural) context.body = await recordsBody(context, visit, beacon, { entry: id });
    else if (name === 'datasets' && part !== undefined)
      context.body = await recordsBody(context, visit, beacon, { dataset: id });
    else if (name === 'datasets') context.body = await datasetsBody(context, visit, beacon, id);
    else throw nothing(visit);
  },
  errorBody: ({ code, message }, status, url) => ({
    meta: {
      ...{ beaconId: reversed(url), apiVersion, returnedSchemas: [], returnedGranularity: 'boolean' },
      receivedRequestSummary: {
        ...{ apiVersion, requestedSchemas: [], pagination: {}, requestedGranularity: 'boolean' },
      },
    },
    error: { errorCode: status, errorMessage: `${message} (${code})` },
  }),
};

const nothing = ({ url }: Visit): TributaryError =>
  new TributaryError('NOT_FOUND', `there is nothing here: ${url}/map lists what is`);

const requestOf = async (context: HttpContext, { readBody }: Visit): Promise<BeaconRequest> => {
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      return fromAddress(context.URL.searchParams);
    case 'POST':
      return fromBody(await readBody());
    default:
      throw methodNotAllowed(context, 'GET', 'POST');
  }
};

const filteringTermsBody = async (
  context: HttpContext,
  visit: Visit,
  beacon: BeaconIdentity,
): Promise<object> => {
  const { skip, limit } = await requestOf(context, visit);
  const all = await filteringTerms(visit, beacon.entryType.id, beacon.config.terms);
  // without paging parameters, the list is complete
  const isPaged = context.method === 'GET' && context.URL.searchParams.has('limit') && limit > 0;
  const page = isPaged ? all.slice(skip * limit, (skip + 1) * limit) : all;
  return {
    meta: { beaconId: beacon.id, apiVersion, returnedSchemas: returnedSchemas(beacon) },
    response: { filteringTerms: page, resources: resourcesOf(all) },
  };
};

/** The records requested: a single one, or those of one institution. */
interface Part {
  readonly entry?: string | undefined;
  readonly dataset?: string | undefined;
}

const recordsBody = async (
  context: HttpContext,
  visit: Visit,
  beacon: BeaconIdentity,
  part: Part,
): Promise<object> => {
  const request = await requestOf(context, visit);
  const sqon = await readQuestion(request, visit, beacon);
  const granularity = lesser(request.granularity, most(visit, beacon));
  const answer = await answerTo({ request, sqon, granularity, part }, visit, beacon);
  return {
    meta: metaOf(beacon, request, granularity),
    responseSummary: answer.responseSummary,
    ...(answer.resultSets !== null && { response: { resultSets: answer.resultSets } }),
    ...(answer.info !== null && { info: answer.info }),
  };
};

/** @throws TributaryError BAD_USER_INPUT for unknown filters */
const readQuestion = (
  request: BeaconRequest,
  visit: Visit,
  beacon: BeaconIdentity,
): Promise<JsonObject | null> => {
  const { id, plural } = beacon.entryType;
  const { fields: described } = describeFields(visit.catalogue.fields, visit.catalogue.config.extended);
  return readFilters(request, {
    fields: visit.catalogue.fields,
    unitOf: (path) => described[path]?.unit ?? undefined,
    config: beacon.config,
    scopes: [id, plural],
    fieldsWith: (prefix) => fieldsWithPrefix(visit, prefix),
  });
};

/** The highest granularity for this caller. */
const most = ({ withheld }: Visit, { config }: BeaconIdentity): Granularity => {
  if (withheld?.tier === 'boolean') return 'boolean';
  return withheld === null && config.records === true ? 'record' : 'count';
};

const order = { boolean: 0, count: 1, record: 2 } as const;
const lesser = (one: Granularity, other: Granularity): Granularity =>
  order[one] < order[other] ? one : other;

interface Question {
  readonly request: BeaconRequest;
  /** The filters as a SQON in JSON; null: no restriction. */
  readonly sqon: JsonObject | null;
  readonly granularity: Granularity;
  readonly part: Part;
}

/** The maximum rows of a page, unless the catalogue's window is smaller. */
const maxRows = 1_000;

const answerTo = async (
  { request, sqon, granularity, part }: Question,
  { catalogue, network, search, warnings }: Visit,
  beacon: BeaconIdentity,
): Promise<BeaconAnswer> => {
  const { entry, dataset } = part;
  if (dataset !== undefined && network === null && dataset !== catalogue.id) throw noDataset(dataset);
  const isKey = { op: 'is', content: { fieldName: documentKey.path, value: [entry ?? ''] } };
  const content = [...(sqon === null ? [] : [sqon]), ...(entry === undefined ? [] : [isKey])];
  const allowed = Math.min(maxRows, catalogue.config.table.maxResultsWindow);
  const first = limited(request.limit || null, allowed);
  const page = { ...countOnly, first, offset: request.skip * first, fields: fieldsOf(beacon) };
  const result = await search({
    ...plainQuery,
    filters:
      content.length === 0 ? null : parseSqon({ op: 'and', content: content as readonly JsonObject[] }),
    hits: { ...(granularity === 'record' ? page : countOnly), bounded: true },
    ...(dataset !== undefined && network !== null && { nodes: { only: [dataset], required: [] } }),
  });
  // a data set is a node of the network
  if (dataset !== undefined && result.nodes?.statuses.every(({ state }) => state === 'excluded'))
    throw noDataset(dataset);
  return answerOf(result, {
    ...{ request, granularity, config: beacon.config, datasetId: catalogue.id },
    hasSets: request.granularity === 'record' || network !== null,
    warnings: warnings(),
  });
};

const noDataset = (id: string | undefined): TributaryError =>
  new TributaryError('NOT_FOUND', `there is no data set ${id}`);

const fieldsOf = ({ config: { projection } }: BeaconIdentity): readonly string[] | null =>
  projection === undefined ? null : Object.values(projection);

const metaOf = (beacon: BeaconIdentity, request: BeaconRequest, returned: Granularity, entity?: string) => ({
  beaconId: beacon.id,
  apiVersion,
  returnedSchemas: returnedSchemas(beacon, entity),
  returnedGranularity: returned,
  receivedRequestSummary: {
    apiVersion: request.apiVersion,
    requestedSchemas: request.requestedSchemas,
    filters: request.filters.map(filterText),
    pagination: { skip: request.skip, limit: request.limit },
    requestedGranularity: request.granularity,
    includeResultsetResponses: request.include,
    testMode: request.testMode,
  },
  testMode: request.testMode,
});

/** GET /datasets: a catalogue is a single data set; a network lists those of its nodes. */
const datasetsBody = async (
  context: HttpContext,
  visit: Visit,
  beacon: BeaconIdentity,
  id: string | undefined,
): Promise<object> => {
  const request = await requestOf(context, visit);
  const { catalogue, network } = visit;
  const own = {
    id: catalogue.id,
    name: beacon.name,
    ...(beacon.description && { description: beacon.description }),
  };
  const all =
    network === null
      ? [own]
      : network.state().nodes.map(({ nodeId, displayName }) => ({ id: nodeId, name: displayName }));
  const collections = id === undefined ? all : all.filter((one) => one.id === id);
  if (collections.length === 0) throw noDataset(id);
  return {
    meta: metaOf(beacon, request, 'record', 'dataset'),
    responseSummary: { exists: true, numTotalResults: collections.length },
    response: { collections },
  };
};
