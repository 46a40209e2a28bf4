import { failureCodes, TributaryError } from '../../errors/errors.ts';
import type { Network } from '../../federation/network.ts';
import type { Registry } from '../../local/registry.ts';
import type { Catalogue, CatalogueState } from '../../search/catalogue.ts';
import { nothingAt, type AccessFilter, type HttpContext, type NetworkAccess } from '../koa/http-context.ts';
import type { HttpSettings } from '../koa/settings.ts';
import type { AuditTarget } from '../../search/audited-search.ts';
import { closedNodes, requireAccess, viewFor, type CatalogueView } from './require-access.ts';
import { findServed, isTarget, type Place, type Served, type Target } from './served.ts';

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

export interface TargetParts {
  /** Everything that is served, at the time of a request. */
  readonly served: () => readonly Served[];
  readonly registry: Registry;
  readonly accessFilter: AccessFilter;
  /** Who may use networks; unset: everyone with access to some catalogue. */
  readonly networkAccess?: NetworkAccess | undefined;
  /** What an invited node of the network of nodes.json proposes; null: it has not dialled; unset: there are no invitations. */
  readonly waiting?: ((nodeId: string) => WaitingMember | null) | undefined;
  readonly settings: HttpSettings;
}

/** Refuses callers who may not use a catalogue or a network. @throws TributaryError UNAUTHENTICATED, FORBIDDEN, NOT_READY */
export const requireTarget = async (
  context: HttpContext,
  target: Served,
  parts: Pick<TargetParts, 'accessFilter' | 'networkAccess'>,
): Promise<void> => {
  if (target.kind === 'catalogue') {
    await requireAccess(context, [target.state], parts);
    if (target.catalogue !== null) await viewFor(context, target.catalogue);
    return;
  }
  await parts.networkAccess?.(context);
  if (parts.networkAccess === undefined || target.isOfCatalogue)
    await requireAccess(context, target.states, parts);
};

/** What a caller is served: at a guarded tier, the release; of a network, the fields of the nodes open to them. */
interface TargetView extends CatalogueView {
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
  parts: TargetParts,
): Promise<TargetView> => {
  await requireTarget(context, target, parts);
  if (target.kind === 'catalogue') return { ...(await viewFor(context, target.catalogue)), isWhole: true };
  const { network } = target;
  assertOpen(network);
  const { catalogue } = target;
  if (catalogue === null) throw nothingAt(context.path);
  const closed = await closedNodes(context, network, parts);
  const isWhole = closed.size === 0;
  return { tier: 'records', isWhole, catalogue: isWhole ? catalogue : openPart(catalogue, network, closed) };
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
