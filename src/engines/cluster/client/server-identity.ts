import { TributaryError } from '../../../errors/errors.ts';
import type { SendOnce } from '../../engine.ts';
import { objectIn } from './answer.ts';
import type { ClusterClient } from './client.ts';
import { succeeded } from './failure.ts';

/** The product and version a search server reports. */
export interface ServerIdentity {
  readonly product: 'elasticsearch' | 'opensearch';
  readonly major: number;
}

/**
 * Asks a server for its product and version.
 * @throws TributaryError CONFIG_INVALID when it is neither product; the request's error when it does not answer
 */
export const askIdentity = async (
  client: ClusterClient,
  { once }: SendOnce = {},
): Promise<ServerIdentity> => {
  const what = 'a version check';
  const answer = await client.send(
    { method: 'GET', path: '/' },
    { repeatable: true, once, what, timeoutMs: 10_000 },
  );
  if (answer.status === 404) throw neither();
  const body = succeeded(answer, what);
  const version = objectIn(body, 'version');
  const number = String(version['number'] ?? '');
  const major = Number.parseInt(number, 10);
  if (version['distribution'] === 'opensearch') return { product: 'opensearch', major };
  if (
    Number.isInteger(major) &&
    (version['lucene_version'] !== undefined || body['tagline'] === 'You Know, for Search')
  )
    return rejectOldVersion({ product: 'elasticsearch', major }, number);
  throw neither();
};

const rejectOldVersion = (identity: ServerIdentity, number: string): ServerIdentity => {
  if (identity.major >= 7) return identity;
  throw new TributaryError(
    'CONFIG_INVALID',
    `elasticsearch ${number} at ES_HOST is too old; 7.17 and later are supported`,
  );
};

const neither = (): TributaryError =>
  new TributaryError(
    'CONFIG_INVALID',
    'the server at ES_HOST is neither opensearch nor elasticsearch; set ES_HOST to one, or SEARCH_ENGINE=embedded',
  );
