import { TributaryError } from '../../../lib/errors/errors.ts';
import type { Catalogue } from '../../../search/catalogue.ts';
import type { RequestContext } from '../../../search/request-context.ts';
import type { SendJson } from '../answers/send-json.ts';
import {
  answerFailed,
  assertFieldsKnown,
  assertOpen,
  auditTargetOf,
  requireTarget,
  viewFor,
  closedNodes,
  disclosureOf,
  passes,
  requireOpenNodes,
  type TargetParts,
} from '../callers/require-access.ts';
import { isTarget, type Target } from '../callers/served.ts';
import { describes, filters, introspects, selectsRoot } from './graphql-request.ts';
import type { graphqlEndpoints } from './graphql-endpoint.ts';
import {
  catalogueQuery,
  networkQuery,
  showPage,
  wantsPage,
  sendPageFile,
  wantsPageFile,
} from './graphql-page.ts';
import type { GraphQLRequest, PersistedQueries } from './graphql-request.ts';
import { readGraphQLRequest } from './graphql-request.ts';
import { nameSchema, withDisclosure, withNode, reject } from './graphql-results.ts';
import { methodNotAllowed, requestContextOf, type HttpContext } from '../koa/http-context.ts';
import { auditOf, noteOperations } from '../koa/request-record.ts';
import type { BodyLimits } from '../koa/request-body.ts';
import { auditedRefusal } from '../../../search/audited-search.ts';
import type { AllowanceOf } from '../callers/gate.ts';

export interface GraphQLParts extends TargetParts {
  readonly endpoints: ReturnType<typeof graphqlEndpoints>;
  readonly persisted: PersistedQueries;
  readonly allowanceOf: AllowanceOf;
  readonly body: BodyLimits;
  readonly sendJson: SendJson;
  /** The key by which other servers know this server. */
  readonly serverKey?: string | undefined;
}

/** /graphql below a catalogue or a network: the page for browsers and its files, or an operation. */
export const queryTarget = async (
  context: HttpContext,
  target: Target,
  parts: GraphQLParts,
): Promise<void> => {
  const hasOperation = context.method === 'POST' || context.URL.searchParams.has('query');
  if (!hasOperation && !target.switches.disablePlayground) {
    if (wantsPageFile(context)) return sendPageFile(context);
    if (wantsPage(context)) return showPage(context, await firstQuery(context, target, parts));
  }
  await answerOperation(context, target, parts).catch((error: unknown) => reject(context, error));
};

/** The initial query in the editor; names fields only to callers with access. */
const firstQuery = async (context: HttpContext, target: Target, parts: GraphQLParts): Promise<string> => {
  const isOpen = await passes(requireTarget(context, target));
  if (target.kind === 'network') {
    const isWhole = isOpen && (await closedNodes(context, target.network, parts)).size === 0;
    return networkQuery(isWhole ? target.network.state().fields : null);
  }
  const fields = isOpen ? (await viewFor(context, target.catalogue)).fields : null;
  return catalogueQuery(target.state.config.documentType, fields);
};

/** @throws TributaryError for requests that are refused before execution */
const answerOperation = async (context: HttpContext, target: Target, parts: GraphQLParts): Promise<void> => {
  const { switches } = target;
  const { searchTimeoutMs: timeoutMs } = parts.settings;
  const { allowanceOf, persisted, body } = parts;
  const refused = auditedRefusal(auditOf(context), auditTargetOf(target));
  if (!['GET', 'HEAD', 'POST'].includes(context.method)) throw methodNotAllowed(context, 'GET', 'POST');
  // decided before the body is read
  await requireTarget(context, target).catch(refused);
  const batching = switches.enableGraphQLBatching;
  const request = await readGraphQLRequest(context, { body, batching, persisted });
  if (switches.disableFilters && filters(request)) return refuseFilters(context);
  const requestContext = requestContextOf(context, { allowance: allowanceOf(context), timeoutMs });
  const { endpoint, view } = await requireIntrospected(context, request, target, parts)
    .then(() => chooseEndpoint(context, request, target, parts))
    .catch(refused);
  if (context.method === 'HEAD') return headersOnly(context);
  const isFromNode = context.get('tributary-node') === '1';
  if (isFromNode) nameSchema(context, schemaSource(view, target));
  const answer = await endpoint(request, requestContext, context.get('accept'));
  if (answer.outcomes.includes('GRAPHQL_VALIDATION_FAILED')) {
    const queried = target.kind === 'network' || selectsRoot(request, 'network') ? target.network : null;
    if (queried !== null) assertFieldsKnown(queried);
  }
  rejectWithoutMemory(requestContext);
  noteOperations(context, answer.outcomes);
  context.status = answer.status;
  context.set(answer.headers);
  const disclosure = view && (await disclosureOf(context, view));
  const result = withDisclosure(answer.body, disclosure);
  const isNamed = isFromNode && view !== null;
  const { trace } = requestContext;
  await parts.sendJson(context, isNamed ? withNode(result, view, parts.serverKey, trace) : result);
};

/** An answer that is not sent is not computed either: its length stays unknown. */
const headersOnly = (context: HttpContext): void => {
  context.status = 200;
  context.set('content-type', 'application/json; charset=utf-8');
};

/** Rejects an answer whose parts did not fit in memory. @throws TributaryError NOT_READY */
const rejectWithoutMemory = ({ signal }: RequestContext): void => {
  const reason: unknown = signal?.reason;
  if (reason instanceof TributaryError && reason.code === 'NOT_READY') throw reason;
};

/** In the wording and shape of the established server. */
const refuseFilters = (context: HttpContext): void => {
  context.status = 400;
  context.body = { error: 'Filters are disabled for this server.' };
};

/** A network's schema reveals all of its nodes. @throws TributaryError as requireTarget */
const requireIntrospected = async (
  context: HttpContext,
  request: GraphQLRequest,
  target: Target,
  parts: GraphQLParts,
): Promise<void> => {
  const { network } = target;
  if (network !== null && introspects(request)) await requireOpenNodes(context, network, parts);
};

/**
 * The endpoint for a request, with the catalogue as served to its caller; null: a network. A catalogue's root field
 * `network` exists once the network is open; queries without it do not wait, as two nodes may be waiting for each other's
 * schema.
 * @throws TributaryError NOT_READY
 */
const chooseEndpoint = async (
  context: HttpContext,
  request: GraphQLRequest,
  target: Target,
  { endpoints }: GraphQLParts,
) => {
  if (target.kind === 'network') {
    const { network, limits } = target;
    if (describes(request)) assertOpen(network);
    await network.opened;
    return { endpoint: endpoints.ofNetwork(network, limits), view: null };
  }
  const { catalogue, network, limits } = target;
  if (network?.isOpen() === false && selectsRoot(request, 'network')) await network.opened;
  const view = await viewFor(context, catalogue);
  return { endpoint: endpoints.ofCatalogue(view, network, limits), view };
};

/** The catalogue whose fields may be named; null: the caller sees no records, or the network is not served as a catalogue. */
const schemaSource = (view: Catalogue | null, target: Target): Catalogue | null => {
  if (view === null) return target.catalogue;
  return view.disclosure === undefined ? view : null;
};

/** @throws TributaryError NOT_FOUND listing the existing endpoints, unless the only catalogue failed */
export const answerNoEndpoint = (context: HttpContext, { served }: Pick<TargetParts, 'served'>): void => {
  const all = served();
  const [only, ...others] = all.filter((one) => one.kind === 'catalogue');
  if (only?.state.status === 'failed' && others.length === 0) return answerFailed(context, only.state);
  // a network without a common document type has an endpoint too
  const reachable = all.filter(isTarget);
  throw new TributaryError('NOT_FOUND', 'there is no such GraphQL endpoint', {
    details: { endpoints: reachable.map(({ path }) => `${path}/graphql`) },
  });
};
