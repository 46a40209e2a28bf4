import type { JsonObject } from '../../json.ts';
import type {
  Engine,
  IndexDescription,
  SearchQuery,
  SearchResult,
  WriteOperation,
  WriteOutcome,
} from '../engine.ts';
import type { TextOperation } from './live-index.ts';
import type { SearchReply } from './messages.ts';
import { WorkerClient } from './worker-client.ts';

/**
 * The engine inside this process: documents in SQLite files under `dataPath`, columns in memory, all work in a thread
 * of its own. Errors as the port names them.
 */
export const openEmbeddedEngine = (dataPath: string): Engine => {
  const client = new WorkerClient(dataPath);
  return {
    describe: async (index) => (await client.call({ kind: 'describe', index })) as IndexDescription,
    search: async (index, query, options) => {
      const reply = (await client.call({ kind: 'search', index, query }, options)) as SearchReply;
      return searchResult(query, reply);
    },
    write: async (index, operations) => {
      const request = { kind: 'write', index, operations: operations.map(textOperation) } as const;
      return (await client.call(request)) as readonly WriteOutcome[];
    },
    manage: async (action) => {
      await client.call({ kind: 'manage', action });
    },
    close: () => client.close(),
  };
};

/** Text crosses threads at less cost than objects, and it is what gets stored. */
const textOperation = (operation: WriteOperation): TextOperation =>
  operation.kind === 'delete'
    ? { id: operation.id }
    : { id: operation.id, text: JSON.stringify(operation.document) };

const searchResult = (query: SearchQuery, reply: SearchReply): SearchResult => {
  const { facets, tookMs } = reply;
  const result = { facets, tookMs, warnings: [] };
  if (query.hits === undefined) return result;
  const sources = JSON.parse(reply.sources) as readonly JsonObject[];
  const hits = reply.hits.map((hit, i) => ({ ...hit, source: sources[i]! }));
  return { ...result, hits: { total: reply.total, hits } };
};
