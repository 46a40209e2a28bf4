import { asTributaryError } from '../errors.ts';
import type { Caller, CatalogueAnswer, CatalogueQuery, SearchFn } from '../local/query.ts';
import type { RemoteCatalogue } from './discovered-fields.ts';
import type { RemoteSource } from './nodes.ts';
import { printQuery } from './print-query.ts';
import { readAnswer } from './read-answer.ts';
import type { GraphqlExecutor } from './transport.ts';
import { graphqlBody } from './transport.ts';

/**
 * A remote node as a SearchFn: one GraphQL request for each query. The caller's signal is the deadline.
 * Errors thrown are NODE_TIMEOUT, NODE_UNREACHABLE, NODE_REFUSED and NODE_BAD_RESPONSE, reasons safe to show.
 */
export const remoteSearch = (
  source: RemoteSource,
  remote: RemoteCatalogue,
  execute: GraphqlExecutor,
  credential: Readonly<Record<string, string>>,
): SearchFn => {
  // our own nodes break ties themselves; another is sent `_id` as last key until it refuses that
  let idSort = !remote.hasSource;
  const ask = async (query: CatalogueQuery, caller: Caller, withId: boolean): Promise<CatalogueAnswer> => {
    const printed = printQuery(query, remote, source.maxDepth, withId);
    const answer = await execute({
      body: graphqlBody(printed.query, printed.variables),
      headers: { ...credential, ...forwarded(source.headers, caller) },
      signal: caller.signal ?? AbortSignal.timeout(60_000),
    });
    const read = readAnswer(answer, source.documentType, query, printed);
    return withId || remote.hasSource ? read : withoutCursors(read);
  };
  return async (query, caller) => {
    const withId = idSort && query.hits !== null && query.hits.first > 0;
    try {
      return await ask(query, caller, withId);
    } catch (error) {
      const { code } = asTributaryError(error);
      if (!withId || (code !== 'NODE_REFUSED' && code !== 'NODE_BAD_RESPONSE')) throw error;
      const answer = await ask(query, caller, false).catch(() => Promise.reject(error));
      idSort = false;
      return answer;
    }
  };
};

/** The caller's headers that this node may see. */
export const forwarded = (names: readonly string[], caller: Caller): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const name of names) {
    const value = Object.hasOwn(caller.headers, name) ? caller.headers[name] : undefined;
    if (value !== undefined) headers[name] = value;
  }
  return headers;
};

/** Without a tie-break a cursor would skip rows; the sort values still serve the merge. */
const withoutCursors = (answer: CatalogueAnswer): CatalogueAnswer => ({
  ...answer,
  warnings: [...answer.warnings, 'gives no cursors: it cannot sort by _id'],
});
