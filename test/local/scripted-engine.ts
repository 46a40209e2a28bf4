import type { Engine, IndexDescription, SearchQuery, SearchResult } from '../../src/engines/engine.ts';
import { TributaryError } from '../../src/errors/errors.ts';

export interface ScriptedEngine extends Engine {
  /** Every query it was asked, in order. */
  readonly asked: SearchQuery[];
}

/** An engine that answers what it is told and remembers what it was asked. */
export const scriptedEngine = (script: {
  readonly describe?: (index: string) => Partial<IndexDescription> | Promise<Partial<IndexDescription>>;
  readonly search?: (query: SearchQuery) => Partial<SearchResult>;
}): ScriptedEngine => {
  const asked: SearchQuery[] = [];
  const unused = () => Promise.reject(new TributaryError('INTERNAL_SERVER_ERROR', 'not scripted'));
  return {
    asked,
    describe: async (index) => ({
      indices: [index],
      aliases: [],
      properties: {},
      documents: 0,
      ...(await script.describe?.(index)),
    }),
    search: async (_index, query) => {
      asked.push(query);
      return { facets: [], tookMs: 1, warnings: [], ...script.search?.(query) };
    },
    write: unused,
    manage: unused,
    close: async () => {},
  };
};
