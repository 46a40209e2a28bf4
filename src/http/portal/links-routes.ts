import { TributaryError } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';
import { requireAccess } from '../callers/require-access.ts';
import { readBody } from '../koa/request-body.ts';
import type { HttpContext } from '../koa/http-context.ts';
import { mayUse, requireNetwork, servedNetwork, type NetworkParts } from '../network/served-network.ts';
import type { LinksStore } from './links-store.ts';

const maxViewBytes = 1024 * 1024;

/**
 * POST /portal/links: keeps a view of the portal; who may search may keep one.
 * @throws TributaryError BAD_USER_INPUT, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, UNAUTHENTICATED, FORBIDDEN
 */
export const keepLink = async (
  context: HttpContext,
  links: LinksStore,
  parts: NetworkParts,
): Promise<void> => {
  await requireSearcher(context, parts);
  if (!context.is('application/json'))
    throw new TributaryError('UNSUPPORTED_MEDIA_TYPE', 'the view of a link is application/json');
  const view = parsed(await readBody(context.req, maxViewBytes));
  context.status = 201;
  context.set('cache-control', 'no-store');
  context.body = { id: links.keep(JSON.stringify(view)) };
};

/** GET /portal/links/{id}. @throws TributaryError NOT_FOUND, UNAUTHENTICATED, FORBIDDEN */
export const showLink = async (
  context: HttpContext,
  id: string,
  links: LinksStore,
  parts: NetworkParts,
): Promise<void> => {
  await requireSearcher(context, parts);
  const view = links.find(id);
  if (view === null)
    throw new TributaryError('NOT_FOUND', 'this short link is no longer stored here: make a new one');
  context.set('cache-control', 'no-store');
  context.body = JSON.parse(view) as unknown;
};

/** Who may use the network, or some catalogue. */
const requireSearcher = async (context: HttpContext, parts: NetworkParts): Promise<void> => {
  const states = parts.registry.states();
  const served = servedNetwork(null, parts);
  if (served !== null && states.length === 0) return requireNetwork(context, served, parts);
  if (served !== null && (await mayUse(context, served, parts))) return;
  await requireAccess(context, states, parts);
};

const parsed = (text: string): unknown => {
  try {
    const view: unknown = JSON.parse(text);
    if (isJsonObject(view)) return view;
  } catch (error) {
    throw new TributaryError('BAD_USER_INPUT', 'the view of a link is not JSON', { cause: error });
  }
  throw new TributaryError('BAD_USER_INPUT', 'the view of a link is a JSON object');
};
