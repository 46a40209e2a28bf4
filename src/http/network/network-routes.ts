import type Koa from 'koa';
import { errorCodes, TributaryError } from '../../errors/errors.ts';
import { networkBody, partOfNetwork, summedNetwork } from './network-body.ts';
import { networkPage, networkPagePolicy, signInPage } from './network-page.ts';
import type { HttpContext } from '../koa/http-context.ts';
import { closedNodes } from '../callers/require-access.ts';
import type { NetworkParts, ServedNetwork } from './served-network.ts';
import { requireNetwork, servedNetwork } from './served-network.ts';

/**
 * GET /network, GET /{catalogue}/network. Without a network it is an ordinary path.
 * @param name of the catalogue; null: the server's network, or that of its only catalogue
 */
export const describeNetwork = async (
  context: HttpContext,
  next: Koa.Next,
  name: string | null,
  parts: NetworkParts,
): Promise<void> => {
  const served = servedNetwork(name, parts);
  if (served === null) return next();
  await answer(context, served, parts);
};

/** Requires the same access as queries: field names are data too. */
const answer = async (context: HttpContext, served: ServedNetwork, parts: NetworkParts): Promise<void> => {
  const { network } = served;
  context.set('cache-control', 'no-store');
  context.vary('accept');
  const isPage = context.accepts(['json', 'html']) === 'html';
  try {
    await requireNetwork(context, served, parts);
  } catch (error) {
    if (!isPage || !isRefusal(error)) throw error;
    return showSignIn(context, error);
  }
  const closed = await closedNodes(context, network, parts);
  const body = networkBody(network.state(), new Set(closed.keys()));
  if (isPage) showHtml(context, networkPage(body, Date.now()));
  else {
    const nodeIds = [context.query['node'] ?? []].flat();
    context.body = nodeIds.length > 0 ? partOfNetwork(body, nodeIds) : summedNetwork(body);
  }
};

/** Errors that the caller can fix. */
const isRefusal = (error: unknown): error is TributaryError =>
  error instanceof TributaryError && (error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN');

/** Shows browsers a page where programs get the error. */
const showSignIn = (context: HttpContext, error: TributaryError): void => {
  context.status = errorCodes[error.code].status;
  if (context.status === 401) context.set('www-authenticate', 'Bearer');
  showHtml(context, signInPage(error.message, context.path));
};

const showHtml = (context: HttpContext, page: string): void => {
  context.set('content-security-policy', networkPagePolicy);
  context.set('x-content-type-options', 'nosniff');
  context.type = 'text/html; charset=utf-8';
  context.body = page;
};
