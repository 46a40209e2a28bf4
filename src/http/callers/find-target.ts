import { z } from 'zod';
import { failureCodes, TributaryError } from '../../errors/errors.ts';
import type { Network } from '../../federation/network.ts';
import type { CatalogueConfig, CatalogueSwitches } from '../../introspection/fields/catalogue-config.ts';
import { isJsonObject } from '../../json/json.ts';
import type { Registry } from '../../local/registry.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import type { AccessFilter, NetworkAccess, HttpContext } from '../koa/http-context.ts';
import type { HttpSettings, QueryLimits } from '../koa/settings.ts';
import { requireAccess } from './require-access.ts';

export type FoundCatalogue =
  | { readonly kind: 'found'; readonly state: CatalogueState }
  | { readonly kind: 'ambiguous'; readonly documentType: string; readonly catalogueIds: readonly string[] }
  | { readonly kind: 'unknown' };

/**
 * Serves the catalogue of a path. Answers 409 for a document type shared by several catalogues.
 * @param name a catalogue's id or document type; null: the only catalogue
 * @param serve called with null if there is no such catalogue
 */
export const serveCatalogue = async (
  context: HttpContext,
  name: string | null,
  { registry }: { readonly registry: Registry },
  serve: (state: CatalogueState | null) => Promise<void> | void,
): Promise<void> => {
  const states = registry.states();
  if (name === null) return serve(onlyCatalogue(states));
  const found = findCatalogue(states, name);
  if (found.kind !== 'ambiguous') return serve(found.kind === 'found' ? found.state : null);
  context.status = 409;
  context.body = ambiguousBody(found.documentType, found.catalogueIds);
};

/** The body of 409: a document type shared by several catalogues. */
const ambiguousBody = (documentType: string, catalogueIds: readonly string[]) => ({
  documentType,
  error: {
    code: 'ambiguous_document_type',
    message: `documentType "${documentType}" is that of several catalogues: use a catalogue's id instead`,
  },
  matchingCatalogueIds: catalogueIds,
});

/** The catalogue that a path segment names: by its id, else by its document type, ignoring case. */
export const findCatalogue = (states: readonly CatalogueState[], name: string): FoundCatalogue => {
  const wanted = name.toLowerCase();
  const byId = states.find(({ config }) => config.catalogueId.toLowerCase() === wanted);
  if (byId !== undefined) return { kind: 'found', state: byId };
  const byType = states.filter(({ config }) => config.documentType.toLowerCase() === wanted);
  if (byType.length === 1 && wanted !== '') return { kind: 'found', state: byType[0]! };
  if (byType.length === 0 || wanted === '') return { kind: 'unknown' };
  return {
    kind: 'ambiguous',
    documentType: byType[0]!.config.documentType,
    catalogueIds: byType.map(({ config }) => config.catalogueId).sort(),
  };
};

/** The only catalogue, whose routes have no prefix; null unless there is exactly one. */
export const onlyCatalogue = (states: readonly CatalogueState[]): CatalogueState | null =>
  states.length === 1 ? states[0]! : null;

export type FailedState = Extract<CatalogueState, { status: 'failed' }>;

/** Answers every path of a failed catalogue except its introspection. */
export const answerFailed = (context: HttpContext, state: FailedState): void => {
  context.status = 404;
  if (state.retryMs !== undefined) context.set('retry-after', String(Math.ceil(state.retryMs / 1_000)));
  context.body = failedElsewhere(state);
};

/** The body of every path of a failed catalogue except its introspection. */
const failedElsewhere = (state: FailedState) => ({
  ...failedDetail(state),
  details: `/introspection/${encodeURIComponent(state.config.catalogueId)}`,
});

/** The body of a failed catalogue's introspection. */
export const failedDetail = ({ config, error }: FailedState) => ({
  catalogueId: config.catalogueId,
  ...(config.description === undefined ? {} : { description: config.description }),
  documentType: config.documentType,
  error: failure(error),
  status: 'failed' as const,
});

/** Why a catalogue failed, as introspection shows it. */
export const failure = (error: TributaryError) =>
  failureCodes.has(error.code)
    ? { code: error.code, message: error.message }
    : { code: 'unknown_error', message: 'an unexpected error occurred while this catalogue was loaded' };

/** A node that has used its invitation and waits to be accepted. */
export interface WaitingMember {
  /** ISO 8601: when it last dialled. */
  readonly dialled: string;
  /** How many names and values it proposes. */
  readonly fields: number;
  readonly values: number;
}

export interface NetworkParts {
  readonly registry: Registry;
  /** The network of nodes.json. */
  readonly network: Network | null;
  /** Networks declared by catalogues, by catalogue id. */
  readonly catalogueNetworks: ReadonlyMap<string, Network>;
  readonly accessFilter: AccessFilter;
  /** Who may use networks; unset: everyone with access to some catalogue. */
  readonly networkAccess?: NetworkAccess | undefined;
  /** What an invited node of the network of nodes.json proposes; null: it has not dialled; unset: there are no invitations. */
  readonly waiting?: ((nodeId: string) => WaitingMember | null) | undefined;
  readonly settings: HttpSettings;
}

/** A network served at a path, with its settings. */
export interface ServedNetwork {
  readonly network: Network;
  /** The common prefix of its paths. */
  readonly base: string;
  /** Access to one of these catalogues gives access to the network, unless it has its own rules. */
  readonly states: readonly CatalogueState[];
  /** Whether it belongs to a catalogue, whose access rules also apply to it. */
  readonly isOfCatalogue: boolean;
  readonly switches: CatalogueSwitches;
  readonly limits: QueryLimits;
  readonly pageRows: number;
}

/**
 * The network at /network, or at /{catalogue}/network.
 * @param name the catalogue's name; null: the server's network, or that of its only catalogue
 */
export const servedNetwork = (name: string | null, parts: NetworkParts): ServedNetwork | null =>
  name === null ? ofServer(parts) : ofCatalogue(name, parts);

/** Refuses callers who may not use a network. @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_READY */
export const requireNetwork = async (
  context: HttpContext,
  { states, isOfCatalogue }: Pick<ServedNetwork, 'states' | 'isOfCatalogue'>,
  parts: Pick<NetworkParts, 'accessFilter' | 'networkAccess'>,
): Promise<void> => {
  await parts.networkAccess?.(context);
  if (parts.networkAccess === undefined || isOfCatalogue) await requireAccess(context, states, parts);
};

/**
 * For descriptions of a network's fields: another server that discovers this one must not miss the fields of a node that
 * is merely a moment late. Queries do not wait for that, see Network.opened.
 * @throws TributaryError NOT_READY in the first moments of discovery
 */
export const assertDiscovered = (network: Network): void => {
  if (!network.state().ready)
    throw new TributaryError('NOT_READY', 'the nodes of the network are still being discovered');
};

/**
 * Whether a query was found invalid in the first moments of discovery: it may name what only an undiscovered node has, and
 * must be answered again once the network has settled.
 * @param body the answer
 */
export const isInvalidForNow = (network: Network, body: unknown): boolean => {
  if (network.state().ready) return false;
  const errors = [body].flat().flatMap((one: unknown) => (isJsonObject(one) ? one['errors'] : []));
  return errors.some((error) => invalid.safeParse(error).success);
};

const invalid = z.object({ extensions: z.object({ code: z.literal('GRAPHQL_VALIDATION_FAILED') }) });

const ofServer = (parts: NetworkParts): ServedNetwork | null => {
  const { network, registry, settings } = parts;
  const states = registry.states();
  const only = onlyCatalogue(states);
  if (network === null) {
    const own = only && ofState(only, parts);
    return own && { ...own, base: '/network', isOfCatalogue: false };
  }
  const { switches, downloadBufferRows = defaultPageRows } = settings.network;
  return {
    network,
    base: '/network',
    states,
    isOfCatalogue: false,
    switches,
    limits: limitsOf(network, settings.network),
    pageRows: downloadBufferRows,
  };
};

const ofCatalogue = (name: string, parts: NetworkParts): ServedNetwork | null => {
  const found = findCatalogue(parts.registry.states(), name);
  return found.kind === 'found' ? ofState(found.state, parts) : null;
};

const ofState = (state: CatalogueState, { catalogueNetworks }: NetworkParts): ServedNetwork | null => {
  const { catalogueId, switches, downloadBufferRows } = state.config;
  const network = catalogueNetworks.get(catalogueId);
  if (network === undefined) return null;
  return {
    network,
    base: `/${encodeURIComponent(catalogueId)}/network`,
    states: [state],
    isOfCatalogue: true,
    switches,
    limits: limitsOf(network, catalogueLimits(state.config)),
    pageRows: downloadBufferRows,
  };
};

/** The limits of a catalogue's documents. */
export const catalogueLimits = ({
  maxAliases,
  maxDepth,
  disableGraphQLIntrospection,
}: CatalogueConfig): QueryLimits => ({
  maxAliases,
  maxDepth,
  introspectionDisabled: disableGraphQLIntrospection,
});

const defaultPageRows = 200;

const limitsOf = (network: Network, usual: QueryLimits): QueryLimits => {
  const limits = network.limits();
  return {
    maxAliases: limits.maxAliases ?? usual.maxAliases,
    maxDepth: limits.maxDepth ?? usual.maxDepth,
    introspectionDisabled: limits.disableGraphQLIntrospection ?? usual.introspectionDisabled,
  };
};
