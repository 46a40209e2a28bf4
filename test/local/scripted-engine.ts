import type {
  Engine,
  IndexDescription,
  SearchOptions,
  SearchQuery,
  SearchResult,
} from '../../src/engines/engine.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';

export interface ScriptedEngine extends Engine {
  /** Every search it received, in order. */
  readonly searches: SearchQuery[];
}

/** An engine that answers by a script and records its searches. */
export const scriptedEngine = (script: {
  readonly describe?: (index: string) => Partial<IndexDescription> | Promise<Partial<IndexDescription>>;
  readonly search?: (query: SearchQuery, options?: SearchOptions) => Partial<SearchResult>;
}): ScriptedEngine => {
  const searches: SearchQuery[] = [];
  const unused = () => Promise.reject(new TributaryError('INTERNAL_SERVER_ERROR', 'not scripted'));
  return {
    searches,
    describe: async (index) => ({
      indices: [index],
      aliases: [],
      properties: {},
      documents: 0,
      ...(await script.describe?.(index)),
    }),
    search: async (_index, query, options) => {
      searches.push(query);
      return { facets: [], tookMs: 1, warnings: [], ...script.search?.(query, options) };
    },
    write: unused,
    manage: unused,
    close: async () => {},
  };
};
