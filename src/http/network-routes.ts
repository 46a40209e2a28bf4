import type Koa from 'koa';
import type { Network } from '../federation/network.ts';
import type { CatalogueState } from '../local/catalogue.ts';
import { findCatalogue, onlyCatalogue } from './find-catalogue.ts';
import type { GraphQLParts } from './graphql-routes.ts';
import { requireToken } from './graphql-routes.ts';
import { networkBody } from './network-body.ts';
import { networkPage, networkPagePolicy } from './network-page.ts';
import type { RequestContext } from './request-context.ts';

type NetworkParts = Pick<GraphQLParts, 'registry' | 'network' | 'catalogueNetworks' | 'accessFilter'>;

/** GET /network: the server's network, or that of its only catalogue. Without any it is a path like every other. */
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

/** The same token as its queries take: field names are data too. */
const answer = async (
  context: RequestContext,
  network: Network,
  states: readonly CatalogueState[],
  parts: NetworkParts,
): Promise<void> => {
  await requireToken(context, states, parts);
  const body = networkBody(network.state());
  context.set('cache-control', 'no-store');
  context.vary('accept');
  if (context.accepts(['json', 'html']) !== 'html') {
    context.body = body;
    return;
  }
  context.set('content-security-policy', networkPagePolicy);
  context.set('x-content-type-options', 'nosniff');
  context.type = 'text/html; charset=utf-8';
  context.body = networkPage(body, Date.now());
};
