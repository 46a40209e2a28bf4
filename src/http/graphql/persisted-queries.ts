import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { TributaryError } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';

/** Documents that clients can refer to by hash instead of resending them. */
export interface PersistedQueries {
  /**
   * The document of a request: the one sent, which is stored if it comes with its hash, or the stored one.
   * @param query the document, absent or empty when only the hash was sent
   * @param extensions the request's `extensions`, an object or its JSON text
   * @throws TributaryError PERSISTED_QUERY_NOT_FOUND when the hash is unknown, so that the client sends the document;
   *   BAD_USER_INPUT for a hash that does not match the document, or malformed extensions
   */
  readonly documentOf: (query: unknown, extensions: unknown) => unknown;
}

/** Total characters kept; least recently used documents are evicted first. */
const maxCharacters = 8_000_000;

/** Automatic persisted queries as in Apollo clients and servers: `extensions.persistedQuery`, version 1. */
export const openPersistedQueries = (): PersistedQueries => {
  const known = new LRUCache<string, string>({
    maxSize: maxCharacters,
    sizeCalculation: (text) => text.length,
  });
  return {
    documentOf: (query, extensions) => {
      const hash = hashIn(extensions);
      if (hash === null) return query;
      if (typeof query !== 'string' || query === '') return known.get(hash) ?? notFound();
      if (createHash('sha256').update(query).digest('hex') !== hash)
        throw new TributaryError('BAD_USER_INPUT', 'sha256Hash is not the hash of the query sent with it');
      known.set(hash, query);
      return query;
    },
  };
};

/** Clients match this exact message. */
const notFound = (): never => {
  throw new TributaryError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
};

/** @throws TributaryError BAD_USER_INPUT */
const hashIn = (extensions: unknown): string | null => {
  const persisted = extensionsOf(extensions)['persistedQuery'];
  if (persisted === undefined || persisted === null) return null;
  const { version, sha256Hash } = isJsonObject(persisted) ? persisted : {};
  if (version === 1 && typeof sha256Hash === 'string' && /^[0-9a-f]{64}$/.test(sha256Hash)) return sha256Hash;
  throw new TributaryError(
    'BAD_USER_INPUT',
    'extensions.persistedQuery must be {"version": 1, "sha256Hash": 64 lowercase hex digits}',
  );
};

const extensionsOf = (given: unknown): Readonly<Record<string, unknown>> => {
  if (typeof given !== 'string') return isJsonObject(given) ? given : {};
  try {
    const read: unknown = JSON.parse(given);
    return isJsonObject(read) ? read : {};
  } catch (error) {
    throw new TributaryError('BAD_USER_INPUT', 'extensions is a string but not valid JSON', { cause: error });
  }
};
