import type { ExecutionContext } from 'ava';
import { pricedEngine } from '../../../src/engines/cost/query-cost.ts';
import type { FieldStatistics } from '../../../src/engines/engine.ts';
import { noSwitches } from '../../../src/introspection/fields/catalogue-config.ts';
import { bookConfig, bookProperties } from '../../local/catalogue-fixture.ts';
import { scriptedEngine } from '../../local/scripted-engine.ts';
import { runApp, type RunningApp } from '../../server/http/running-app.ts';

export const maxQueryCost = 2_000_000;
const million = 1_000_000;
const strings = (count: number, values = million) => ({ values, strings: count, stringBytes: count * 20 });

/** A million books; nothing is found, so that only the cost of its searches counts. */
export const runLibrary = (t: ExecutionContext, enableGraphQLBatching = false): Promise<RunningApp> => {
  const scripted = scriptedEngine({
    describe: () => ({
      properties: bookProperties,
      documents: million,
      statistics: {
        documents: million,
        documentBytes: 1_000,
        objects: new Map([
          ['copies', 3 * million],
          ['copies.loans', 5 * million],
        ]),
        fields: new Map<string, FieldStatistics>([
          ['title', strings(million)],
          ['genres', strings(200, 2 * million)],
          ['copies.state', strings(5, 3 * million)],
          ['pages', { values: million, span: 3_000 }],
          ['price', { values: million, span: 900 }],
        ]),
      },
    }),
    search: ({ hits, facets }) => ({
      ...(hits && { hits: { total: 0, hits: [] } }),
      facets: facets.map(({ measure }) =>
        measure.kind === 'terms'
          ? { kind: 'terms', buckets: [], distinct: 0, missing: 0 }
          : ({
              kind: measure.kind,
              buckets: [],
              count: 0,
              min: null,
              max: null,
              sum: null,
              avg: null,
            } as never),
      ),
    }),
  });
  return runApp(t, {
    engine: { ...pricedEngine(scripted), searches: scripted.searches },
    catalogues: [bookConfig({ switches: { ...noSwitches, enableGraphQLBatching } })],
    settings: { cost: { maxQueryCost, trustedProxies: 0 }, bodyLimitBytes: 5 * 1024 * 1024 },
  });
};
