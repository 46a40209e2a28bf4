import { TributaryError } from '../../errors/errors.ts';
import { maxImageBytes } from '../../images/fetch-image.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { transportFailure } from './graphql-over-http.ts';
import type { NodeConnection } from './http-client.ts';

/** Longer than a node of this software takes to fetch a picture. */
const imageMs = 15_000;

/**
 * A picture as a node serves it. Not cached: the node decides each time what its caller may see.
 * @param path below the node's `images`
 * @returns its bytes, still untrusted
 * @throws TributaryError NODE_TIMEOUT, NODE_UNREACHABLE, NODE_BAD_RESPONSE, NOT_FOUND, UPSTREAM_FAILED
 */
export const getImage = async (
  node: NodeConnection,
  path: string,
  headers: Readonly<Record<string, string>>,
  { signal: left, memory }: RequestContext,
): Promise<Buffer> => {
  // such a name cannot be encoded: a server may resolve it to a different path, which would get the credential
  if (path.split('/').some((name) => name === '.' || name === '..')) throw nothingThere();
  const signal = AbortSignal.any([AbortSignal.timeout(imageMs), ...(left ? [left] : [])]);
  const isRead = (status: number): boolean => status === 200;
  const { status, body } = await node
    .get(`/images/${path}`, { headers, signal, memory, maxBytes: maxImageBytes, isRead })
    .catch((error: unknown) => {
      throw error instanceof TributaryError ? error : transportFailure(error, signal);
    });
  if (body !== null) return body;
  if (status === 404) throw nothingThere();
  if (status === 401 || status === 403)
    throw new TributaryError('NODE_REFUSED', `refused the picture (HTTP ${status})`);
  throw new TributaryError('UPSTREAM_FAILED', `the node answered HTTP ${status} for the picture`);
};

const nothingThere = (): TributaryError =>
  new TributaryError('NOT_FOUND', 'there is no such picture at the node');
