import type { JsonObject } from '../../lib/json/json.ts';
import {
  cancelled,
  type Engine,
  type IndexDescription,
  type SearchQuery,
  type SearchResult,
  type WriteOperation,
  type WriteOutcome,
} from '../engine.ts';
import type { FacetResult } from '../measure.ts';
import type { TextOperation } from './index/write-operation.ts';
import { decodeFacet, readLists, type SearchReply } from './threads/messages.ts';
import { SearchThreads, defaultReaders } from './threads/search-threads.ts';

/**
 * The engine inside this process: documents in SQLite files under `dataPath`, columns in memory, all work in dedicated
 * threads. Errors as documented on the port.
 * @param readers how many threads may search besides the one that also writes; each is started on demand
 */
export const openEmbeddedEngine = (dataPath: string, readers = defaultReaders): Engine =>
  engineOver(new SearchThreads(dataPath, readers));

/** The embedded engine over existing threads, so that the caller can monitor them. */
export const engineOver = (threads: SearchThreads): Engine => ({
  describe: async (index) => (await threads.call({ kind: 'describe', index })) as IndexDescription,
  search: async (index, query, options) => {
    const reply = await threads.search(index, query, options);
    options?.memory?.add(textLength(reply) * heldPerCharacter);
    return searchResult(query, reply, options?.signal);
  },
  write: async (index, operations) => {
    const request = { kind: 'write', index, operations: operations.map(textOperation) } as const;
    return (await threads.change(request)) as readonly WriteOutcome[];
  },
  manage: async (action) => {
    await threads.change({ kind: 'manage', action });
  },
  close: () => threads.close(),
});

/** A character of a reply is held as text, as the values read from it, and in the GraphQL response. */
const heldPerCharacter = 3;

const textLength = ({ sources, facets }: SearchReply): number =>
  [...sources, ...facets.flatMap((facet) => (facet.kind === 'buckets' ? facet.texts : []))].reduce(
    (sum, { length }) => sum + length,
    0,
  );

/** Text is cheaper to send between threads than objects, and it is what gets stored. */
const textOperation = (operation: WriteOperation): TextOperation =>
  operation.kind === 'delete'
    ? { id: operation.id }
    : { id: operation.id, text: JSON.stringify(operation.document) };

/** @throws TributaryError ENGINE_TIMEOUT when the signal is aborted meanwhile */
const searchResult = async (
  query: SearchQuery,
  reply: SearchReply,
  signal: AbortSignal | undefined,
): Promise<SearchResult> => {
  try {
    return await decodedResult(query, reply, signal);
  } catch (error) {
    throw signal?.aborted === true ? cancelled(signal.reason) : error;
  }
};

const decodedResult = async (
  query: SearchQuery,
  reply: SearchReply,
  signal: AbortSignal | undefined,
): Promise<SearchResult> => {
  const facets: FacetResult[] = [];
  for (const facet of reply.facets) facets.push(await decodeFacet(facet, signal));
  const result = {
    facets,
    tookMs: reply.tookMs,
    generation: reply.generation,
    ...(reply.lastWriteMs !== undefined && { lastWriteMs: reply.lastWriteMs }),
    indices: [reply.index],
    warnings: [],
  };
  if (query.hits === undefined) return result;
  const sources = await readLists<JsonObject>(reply.sources, signal);
  const hits = reply.hits.map((hit, i) => ({ ...hit, source: sources[i]! }));
  return { ...result, hits: { total: reply.total, hits } };
};
