import type Koa from 'koa';
import { errorCodes, TributaryError } from '../../errors.ts';
import type { Network } from '../../federation/network.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import { findCatalogue, onlyCatalogue } from '../catalogue/find-catalogue.ts';
import type { GraphQLParts } from '../graphql/graphql-routes.ts';
import { networkBody } from './network-body.ts';
import { networkPage, networkPagePolicy, signInPage } from './network-page.ts';
import type { RequestContext } from '../koa/request-context.ts';
import { closedNodes, requireAccess } from '../callers/require-access.ts';

type NetworkParts = Pick<GraphQLParts, 'registry' | 'network' | 'catalogueNetworks' | 'accessFilter'>;

/** GET /network: the server's network, or that of its only catalogue. Without a network it is an ordinary path. */
export const describeNetwork = async (
  context: RequestContext,
  next: Koa.Next,
  parts: NetworkParts,
): Promise<void> => {
  const states = parts.registry.states();
  const only = onlyCatalogue(states);
  const network = parts.network ?? (only && parts.catalogueNetworks.get(only.config.catalogueId)) ?? null;
  if (network === null) return next();
  await answer(context, network, states, parts);
};

/** GET /{catalogue}/network: of a catalogue that has a network of its own. */
export const describeCatalogueNetwork = async (
  context: RequestContext,
  next: Koa.Next,
  name: string,
  parts: NetworkParts,
): Promise<void> => {
  const found = findCatalogue(parts.registry.states(), name);
  const network = found.kind === 'found' && parts.catalogueNetworks.get(found.state.config.catalogueId);
  if (!network || found.kind !== 'found') return next();
  await answer(context, network, [found.state], parts);
};

/** Requires the same access as queries: field names are data too. */
const answer = async (
  context: RequestContext,
  network: Network,
  states: readonly CatalogueState[],
  parts: NetworkParts,
): Promise<void> => {
  context.set('cache-control', 'no-store');
  context.vary('accept');
  const isPage = context.accepts(['json', 'html']) === 'html';
  try {
    await requireAccess(context, states, parts);
  } catch (error) {
    if (!isPage || !isRefusal(error)) throw error;
    return showSignIn(context, error);
  }
  const closed = await closedNodes(context, network, parts);
  const body = networkBody(network.state(), new Set(closed.keys()));
  if (isPage) showHtml(context, networkPage(body, Date.now()));
  else context.body = body;
};

/** Errors that the caller can fix. */
const isRefusal = (error: unknown): error is TributaryError =>
  error instanceof TributaryError && (error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN');

/** Shows browsers a page where programs get the error. */
const showSignIn = (context: RequestContext, error: TributaryError): void => {
  context.status = errorCodes[error.code].status;
  if (context.status === 401) context.set('www-authenticate', 'Bearer');
  showHtml(context, signInPage(error.message, context.path));
};

const showHtml = (context: RequestContext, page: string): void => {
  context.set('content-security-policy', networkPagePolicy);
  context.set('x-content-type-options', 'nosniff');
  context.type = 'text/html; charset=utf-8';
  context.body = page;
};
