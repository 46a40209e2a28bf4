import { failureCodes, TributaryError } from '../../../lib/errors/errors.ts';
import { catalogueNodes } from '../../../federation/config/nodes.ts';
import type { Network } from '../../../federation/network.ts';
import { findServed, isTarget, type Place, type Served, type Target } from './served.ts';
import {
  carriedCaller,
  nothingAt,
  originOf,
  type HttpContext,
  type Middleware,
} from '../koa/http-context.ts';
import type { HttpSettings } from '../koa/settings.ts';
import type { WithheldStatement } from '../../../introspection/fields/catalogue-config.ts';
import type { Registry } from '../../../local/registry.ts';
import type { AuditTarget } from '../../../search/audited-search.ts';
import {
  assertRecords,
  servedTo,
  statementFor,
  type Catalogue,
  type CatalogueState,
} from '../../../search/catalogue.ts';

/** How a route answers in place of what a path names. */
interface Otherwise {
  /** A failed catalogue; default: 404 with the reason. */
  readonly failed?: (state: FailedState) => Promise<void> | void;
  /** Nothing of that name. */
  readonly missing: () => Promise<void> | void;
}

/** Passes on what a path leads to. Answers 409 for a document type shared by several catalogues. */
export const serveAt = async (
  context: HttpContext,
  place: Place,
  { served }: Pick<TargetParts, 'served'>,
  serve: (target: Target) => Promise<void> | void,
  { failed = (state) => answerFailed(context, state), missing }: Otherwise,
): Promise<void> => {
  const found = findServed(served(), place);
  switch (found.kind) {
    case 'unknown':
      return missing();
    case 'ambiguous':
      context.status = 409;
      context.body = ambiguousBody(found.documentType, found.catalogueIds);
      return;
    case 'found':
      return isTarget(found.served) ? serve(found.served) : failed(found.served.state as FailedState);
  }
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

export type FailedState = Extract<CatalogueState, { status: 'failed' }>;

/** Answers every path of a failed catalogue except its introspection. */
export const answerFailed = (context: HttpContext, state: FailedState): void => {
  context.status = 404;
  if (state.retryMs !== undefined) context.set('retry-after', String(Math.ceil(state.retryMs / 1_000)));
  const details = `/introspection/${encodeURIComponent(state.config.catalogueId)}`;
  context.body = { ...failedDetail(state), details };
};

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

export interface TargetParts {
  /** Everything that is served, at the time of a request. */
  readonly served: () => readonly Served[];
  readonly registry: Registry;
  /** What an invited node of the network of nodes.json proposes; null: it has not dialled; unset: there are no invitations. */
  readonly waiting?: ((nodeId: string) => WaitingMember | null) | undefined;
  readonly settings: HttpSettings;
}

/** Refuses callers who may not use a catalogue or a network. @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_READY */
export const requireTarget = async (context: HttpContext, target: Served): Promise<void> => {
  if (target.kind === 'catalogue') {
    await requireAccess(context, [target.state]);
    if (target.catalogue !== null) await viewFor(context, target.catalogue);
    return;
  }
  const { networkAccess } = carriedCaller(context);
  await networkAccess?.();
  if (networkAccess === undefined || target.isOfCatalogue) await requireAccess(context, target.states);
};

/** What a caller is served: where records are withheld, the substitute; of a network, the fields of the nodes open to them. */
interface TargetView {
  readonly catalogue: Catalogue;
  /** Whether it has all fields. */
  readonly isWhole: boolean;
}

/**
 * @throws TributaryError as requireTarget; NOT_FOUND for a network without a common document type; NOT_READY in the first
 *   moments of its discovery
 */
export const viewOf = async (
  context: HttpContext,
  target: Target,
  parts: Pick<TargetParts, 'registry'>,
): Promise<TargetView> => {
  await requireTarget(context, target);
  if (target.kind === 'catalogue')
    return { catalogue: await viewFor(context, target.catalogue), isWhole: true };
  const { network } = target;
  assertOpen(network);
  const { catalogue } = target;
  if (catalogue === null) throw nothingAt(context.path);
  const closed = await closedNodes(context, network, parts);
  const isWhole = closed.size === 0;
  return { isWhole, catalogue: isWhole ? catalogue : openPart(catalogue, network, closed) };
};

/** The catalogue without the fields that only closed nodes have; warnings are about fields too. */
const openPart = (
  catalogue: Catalogue,
  network: Network,
  closed: ReadonlyMap<string, unknown>,
): Catalogue => {
  const open = new Set(
    network
      .state()
      .fields.filter(({ nodes }) =>
        nodes.some(({ nodeId, state }) => state === 'covered' && !closed.has(nodeId)),
      )
      .map(({ path }) => path),
  );
  const isAbove = (path: string): boolean => [...open].some((one) => one.startsWith(`${path}.`));
  const fields = new Map([...catalogue.fields].filter(([path]) => open.has(path) || isAbove(path)));
  return { ...catalogue, fields, warnings: [] };
};

/** What the audit calls a catalogue or a network. */
export const auditTargetOf = ({ kind, id, title }: Served): AuditTarget =>
  kind === 'network' ? { catalogueId: null, network: title } : { catalogueId: id, network: null };

/**
 * For descriptions of a network's fields: another server that discovers this one must not miss the fields of a node that
 * is merely a moment late, nor wait for this one while this one waits for it. Queries wait.
 * @throws TributaryError NOT_READY in the first moments of discovery
 */
export const assertOpen = (network: Network): void => {
  if (!network.isOpen())
    throw new TributaryError('NOT_READY', 'the nodes of the network are still being discovered');
};

/**
 * For queries that were found invalid: they may name what only a node has whose engine has been away from the start.
 * @throws TributaryError NOT_READY
 */
export const assertFieldsKnown = (network: Network): void => {
  const { unopened } = network.state();
  if (unopened.length > 0)
    throw new TributaryError(
      'NOT_READY',
      `the fields of ${unopened.map((nodeId) => `node "${nodeId}"`).join(', ')} are not known yet: its search engine has not been reachable since the start`,
    );
};

/**
 * Refuses a caller who has access to none of these catalogues: field names are as confidential as data.
 * @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_READY
 */
export const requireAccess = async (
  context: HttpContext,
  states: readonly CatalogueState[],
): Promise<void> => {
  const refusals = await Promise.all(states.map((state) => refusalOf(filterOf(context, state))));
  const refused = refusals.filter((refusal) => refusal !== null);
  if (refused.length > 0 && refused.length === states.length) throw refused[0];
};

/** Whether an access check passes. @throws any error other than a refusal */
export const passes = async (check: Promise<void>): Promise<boolean> => (await refusalOf(check)) === null;

/**
 * Refuses a caller who has no access to some catalogue of a network, as the network's schema reveals all of them.
 * @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_READY
 */
export const requireOpenNodes = async (
  context: HttpContext,
  network: Network,
  parts: Pick<TargetParts, 'registry'>,
): Promise<void> => {
  for (const refusal of (await closedNodes(context, network, parts)).values()) throw refusal;
};

/** The network's local nodes that a caller has no access to, by id, with the reason. */
export const closedNodes = async (
  context: HttpContext,
  network: Network,
  { registry }: Pick<TargetParts, 'registry'>,
): Promise<ReadonlyMap<string, TributaryError>> => {
  const closed = new Map<string, TributaryError>();
  for (const [nodeId, catalogueId] of catalogueNodes(network.config)) {
    const state = registry.byId(catalogueId);
    const refusal = state === undefined ? null : await refusalOf(openTo(context, state));
    if (refusal !== null) closed.set(nodeId, refusal);
  }
  return closed;
};

/** Whether a node withholds its records from a caller, and what it discloses; null: it withholds none. */
export interface NodeDisclosure {
  readonly withheld: boolean;
  readonly disclosure: WithheldStatement | null;
}

/** What this server's own catalogues in a network disclose to a caller, by node. */
export const disclosedNodes = async (
  context: HttpContext,
  network: Network,
  { registry }: Pick<TargetParts, 'registry'>,
): Promise<ReadonlyMap<string, NodeDisclosure>> => {
  const disclosed = new Map<string, NodeDisclosure>();
  for (const [nodeId, catalogueId] of catalogueNodes(network.config)) {
    const state = registry.byId(catalogueId);
    if (state?.status !== 'available' || state.catalogue.substitute === undefined) continue;
    const reading = async (): Promise<void> => {
      const disclosure = await disclosureOf(context, await viewFor(context, state.catalogue));
      disclosed.set(nodeId, { withheld: disclosure !== null, disclosure });
    };
    if ((await refusalOf(reading())) !== null) disclosed.set(nodeId, { withheld: true, disclosure: null });
  }
  return disclosed;
};

/** Why a check fails: no valid token, no rule, or unavailable keys; null when it passes. */
export const refusalOf = async (check: unknown): Promise<TributaryError | null> => {
  try {
    await check;
    return null;
  } catch (error) {
    if (error instanceof TributaryError && refusals.has(error.code)) return error;
    throw error;
  }
};

/** @throws TributaryError for a caller who may see and learn nothing of a catalogue */
const openTo = async (context: HttpContext, state: CatalogueState): Promise<void> => {
  await filterOf(context, state);
  if (state.status === 'available') await viewFor(context, state.catalogue);
};

/** The access filter of a catalogue; errors become rejections. */
const filterOf = async (context: HttpContext, { config }: CatalogueState) =>
  carriedCaller(context).accessFilter(config.catalogueId);

const refusals: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_READY']);

/** What a caller is served for a catalogue: itself, or its substitute. @throws TributaryError UNAUTHENTICATED, FORBIDDEN */
export const viewFor = async (context: HttpContext, catalogue: Catalogue): Promise<Catalogue> =>
  servedTo(catalogue, carriedCaller(context));

/**
 * Refuses a caller who may not see the records of a catalogue.
 * @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_DISCLOSED
 */
export const requireRecords = async (context: HttpContext, catalogue: Catalogue): Promise<void> => {
  const access = carriedCaller(context);
  await access.accessFilter(catalogue.id);
  await assertRecords(catalogue, access);
};

/** The contents of `extensions.disclosure`, `meta.disclosure` and `configs { disclosure }`; null for records. */
export const disclosureOf = async (
  context: HttpContext,
  view: Catalogue,
): Promise<WithheldStatement | null> => statementFor(view, carriedCaller(context));

export interface ChallengeParts {
  /** The issuers whose tokens are valid here; unset: none. */
  readonly issuers?: (() => readonly string[]) | undefined;
  readonly settings: Pick<HttpSettings, 'publicOrigin'>;
  /** The paths that are protected resources, in addition to the server itself. */
  readonly resources: readonly string[];
}

const metadataPath = '/.well-known/oauth-protected-resource';

/** Adds a challenge for a token to 401 responses, naming where tokens come from (RFC 6750, RFC 9728). */
export const challengeCallers =
  ({ issuers = () => [], settings, resources }: ChallengeParts): Middleware =>
  async (context, next) => {
    await next();
    if (context.status !== 401) return;
    const path = resources.find((one) => context.path === one) ?? '';
    const metadata = `${originOf(context, settings)}${metadataPath}${path}`;
    context.set(
      'www-authenticate',
      issuers().length === 0 ? 'Bearer' : `Bearer resource_metadata="${metadata}"`,
    );
  };

/** GET /.well-known/oauth-protected-resource, and below it the path of a resource (RFC 9728). */
export const showResource = (
  context: HttpContext,
  { issuers = () => [], settings, resources }: ChallengeParts,
): void => {
  const path = context.path.slice(metadataPath.length);
  if (issuers().length === 0 || !['', ...resources].includes(path)) throw nothingAt(context.path);
  context.body = {
    resource: `${originOf(context, settings)}${path}`,
    authorization_servers: issuers(),
    bearer_methods_supported: ['header'],
  };
};
