import { errorCodes, TributaryError } from '../../errors/errors.ts';
import type { Network } from '../../federation/network.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import type { CatalogueSwitches } from '../../introspection/fields/catalogue-config.ts';
import type { SendJson } from '../answers/send-json.ts';
import { ambiguousBody, failedElsewhere, type FailedState } from '../catalogue/catalogue-bodies.ts';
import { usesFilters } from './disabled-filters.ts';
import { findCatalogue, onlyCatalogue } from '../catalogue/find-catalogue.ts';
import type { GraphQLEndpoint } from './graphql-endpoint.ts';
import type { GraphQLEndpoints } from './graphql-endpoints.ts';
import { catalogueQuery, networkQuery, showPage, wantsPage } from './graphql-page.ts';
import { sendPageFile, wantsPageFile } from './page-files.ts';
import { readGraphQLRequest, type GraphQLRequest } from './graphql-request.ts';
import { nameSchema, withDisclosure, withNode } from './node-extension.ts';
import type { PersistedQueries } from './persisted-queries.ts';
import { requestContextOf, type HttpContext } from '../koa/http-context.ts';
import type { AllowanceOf } from '../callers/request-allowances.ts';
import { viewFor, type CatalogueView } from '../callers/guarded-view.ts';
import { closedNodes, mayAsk, requireAccess, requireOpenNodes } from '../callers/require-access.ts';
import {
  assertDiscovered,
  isInvalidForNow,
  mayUse,
  requireNetwork,
  servedNetwork,
  type NetworkParts,
  type ServedNetwork,
} from '../network/served-network.ts';
import { reject } from './refusal.ts';
import { rootFieldNames } from './root-fields.ts';

export interface GraphQLParts extends NetworkParts {
  readonly endpoints: GraphQLEndpoints;
  readonly persisted: PersistedQueries;
  readonly allowanceOf: AllowanceOf;
  readonly sendJson: SendJson;
  /** The key of this server, by which other servers know it. */
  readonly serverKey?: string | undefined;
}

/** /graphql: the only catalogue. */
export const queryOnly = async (context: HttpContext, parts: GraphQLParts): Promise<void> => {
  const only = onlyCatalogue(parts.registry.states());
  if (only === null) return answerNoEndpoint(context, parts);
  await queryState(context, only, parts);
};

/** /{catalogue}/graphql, by id or document type. */
export const queryNamed = async (context: HttpContext, name: string, parts: GraphQLParts): Promise<void> => {
  const found = findCatalogue(parts.registry.states(), name);
  switch (found.kind) {
    case 'found':
      return queryState(context, found.state, parts);
    case 'ambiguous':
      context.status = 409;
      context.body = ambiguousBody(found.documentType, found.catalogueIds);
      return;
    case 'unknown':
      return answerNoEndpoint(context, parts);
  }
};

/**
 * /network/graphql and /{catalogue}/network/graphql.
 * @param name of the catalogue; null: the server's network, or that of its only catalogue
 */
export const queryNetwork = async (
  context: HttpContext,
  name: string | null,
  parts: GraphQLParts,
): Promise<void> => {
  const served = servedNetwork(name, parts);
  if (served === null) return answerNoEndpoint(context, parts);
  const { network, switches, limits } = served;
  await answer(
    context,
    { ...parts, switches },
    async () => networkQuery((await maySeeAll(context, served, parts)) ? network.state().fields : null),
    async (request) => {
      await requireNetwork(context, served, parts);
      if (introspects(request)) await requireOpenNodes(context, network, parts);
      if (describes(request)) assertDiscovered(network);
      await network.opened;
      const endpoint = parts.endpoints.ofNetwork(network, limits);
      return { endpoint, view: null, catalogue: () => network.catalogue(), network };
    },
  );
};

/** Whether the caller has access here and to every catalogue of the network. */
const maySeeAll = async (
  context: HttpContext,
  served: ServedNetwork,
  parts: GraphQLParts,
): Promise<boolean> =>
  (await mayUse(context, served, parts)) && (await closedNodes(context, served.network, parts)).size === 0;

const queryState = async (
  context: HttpContext,
  state: CatalogueState,
  parts: GraphQLParts,
): Promise<void> => {
  if (state.status === 'failed') return answerFailed(context, state);
  const network = networkOf(state, parts);
  await answer(
    context,
    { ...parts, switches: state.config.switches },
    async () => {
      const isOpen = await mayAsk(context, [state], parts);
      const fields = isOpen ? (await viewFor(context, state.catalogue)).catalogue.fields : null;
      return catalogueQuery(state.config.documentType, fields);
    },
    async (request) => {
      await requireAccess(context, [state], parts);
      if (network !== null && introspects(request)) await requireOpenNodes(context, network, parts);
      const isAsked = network?.state().ready === false && selectsNetwork(request);
      if (isAsked) await network.opened;
      const view = await viewFor(context, state.catalogue);
      const endpoint = parts.endpoints.ofCatalogue(view.catalogue, network);
      return { endpoint, view, catalogue: () => view.catalogue, network: isAsked ? network : null };
    },
  );
};

/** A catalogue's own network, or the server's when the catalogue is the only one. */
const networkOf = (state: CatalogueState, parts: GraphQLParts): Network | null =>
  parts.catalogueNetworks.get(state.config.catalogueId) ??
  (parts.registry.states().length === 1 ? parts.network : null);

/**
 * Whether a query uses the root field `network`, which exists once the network is open. Other queries do not wait: two
 * nodes may be waiting for each other's schema.
 */
const selectsNetwork = ({ params }: GraphQLRequest): boolean =>
  // only during discovery; most queries do not contain the word and need not be parsed
  [params].flat().some(({ query }) => /\bnetwork\b/.test(query) && rootFieldNames(query).has('network'));

type EndpointFor = (request: GraphQLRequest) => Promise<Served>;

/** What answers a request: of a catalogue, as its caller is served it; of a network, the view is null. */
interface Served {
  readonly endpoint: GraphQLEndpoint;
  readonly view: CatalogueView | null;
  /** null: a network that is served as none. Called for queries of other nodes only: it looks at every node of one. */
  readonly catalogue: () => Catalogue | null;
  /** Whose nodes are asked. */
  readonly network: Network | null;
}

type SwitchedParts = GraphQLParts & { readonly switches: CatalogueSwitches };

/** Whether a query reads what the fields are: the schema, or the configuration made of it. */
const describes = (request: GraphQLRequest): boolean =>
  introspects(request) || [request.params].flat().some(({ query }) => /\bconfigs\b/.test(query));

/** Whether a query reads the schema, at any level: a root field may return the root again. */
const introspects = ({ params }: GraphQLRequest): boolean =>
  [params].flat().some(({ query }) => /__(schema|type)\b/.test(query));

const answer = async (
  context: HttpContext,
  parts: SwitchedParts,
  firstQuery: () => Promise<string>,
  endpointFor: EndpointFor,
): Promise<void> => {
  if (!parts.switches.disablePlayground) {
    if (wantsPageFile(context)) return sendPageFile(context);
    if (wantsPage(context)) return showPage(context, await firstQuery());
  }
  try {
    await answerOperation(context, parts, endpointFor);
  } catch (error) {
    if (!(error instanceof TributaryError) || !errorCodes[error.code].safe) throw error;
    reject(context, error);
  }
};

/** @throws TributaryError for what is refused before execution */
const answerOperation = async (
  context: HttpContext,
  parts: SwitchedParts,
  endpointFor: EndpointFor,
): Promise<void> => {
  const { switches, persisted } = parts;
  const { bodyLimitBytes, searchTimeoutMs: timeoutMs } = parts.settings;
  const batching = switches.enableGraphQLBatching;
  const request = await readGraphQLRequest(context, { bodyLimitBytes, batching, persisted });
  if (switches.disableFilters && [request.params].flat().some(usesFilters)) {
    context.status = 400;
    // The established server's wording and shape.
    context.body = { error: 'Filters are disabled for this server.' };
    return;
  }
  const { accessFilter, networkAccess, allowanceOf } = parts;
  const requestContext = requestContextOf(context, {
    accessFilter,
    networkAccess,
    allowance: allowanceOf(context),
    timeoutMs,
  });
  const { endpoint, view, catalogue, network } = await endpointFor(request);
  const isFromNode = context.get('tributary-node') === '1';
  if (isFromNode && (view?.tier ?? 'records') === 'records') nameSchema(context, catalogue());
  let answered = await endpoint.answer(request, requestContext, context.get('accept'));
  if (network !== null && isInvalidForNow(network, answered.body)) {
    await network.settled;
    const whole = await endpointFor(request);
    answered = await whole.endpoint.answer(request, requestContext, context.get('accept'));
  }
  const { status, headers, body } = answered;
  context.status = status;
  context.set(headers);
  const result = withDisclosure(body, view);
  const origin =
    isFromNode && view !== null ? { catalogue: view.catalogue, serverKey: parts.serverKey } : null;
  await parts.sendJson(context, origin === null ? result : withNode(result, origin, requestContext.trace));
};

/** @throws TributaryError NOT_FOUND listing the existing endpoints, unless the only catalogue failed */
const answerNoEndpoint = (context: HttpContext, { registry, network }: GraphQLParts): void => {
  const states = registry.states();
  const only = onlyCatalogue(states);
  if (only?.status === 'failed') return answerFailed(context, only);
  const paths = states.map(({ config }) => `/${encodeURIComponent(config.catalogueId)}/graphql`);
  throw new TributaryError('NOT_FOUND', 'there is no such GraphQL endpoint', {
    details: { endpoints: [...paths, ...(network === null ? [] : ['/network/graphql'])] },
  });
};

/** Every path of a failed catalogue except its introspection. */
export const answerFailed = (context: HttpContext, state: FailedState): void => {
  context.status = 404;
  context.body = failedElsewhere(state);
};
