import test from 'ava';
import { badUserInput } from '../../../src/lib/errors/errors.ts';
import { convertedView } from '../../../src/federation/conversion/converted-node.ts';
import { plainQuery, type CatalogueResult, type SearchFn } from '../../../src/search/query.ts';
import { fieldsOf } from '../collection.ts';
import { contextOf, nodeView } from '../node-fixtures.ts';

test('a histogram is not answered by some of its ranges where the node fails at others', async (t) => {
  const failure = { kind: 'failed', error: badUserInput('it cannot compute this facet') } as const;
  let rounds = 0;
  const search: SearchFn = async ({ facets }) => ({
    ...{ total: null, hits: [], warnings: [] },
    facets: facets.map(({ measure }): CatalogueResult['facets'][number] => {
      if (measure.kind === 'stats') return { kind: 'stats', count: 2, min: 0, max: 300, sum: 300, avg: 150 };
      if (measure.kind !== 'range') throw new Error(`${measure.kind} is not requested in this test`);
      rounds += 1;
      return rounds > 1
        ? failure
        : { kind: 'range', buckets: measure.ranges.map(({ key }) => ({ key, count: 1 })) };
    }),
  });
  const units = new Map([['degrees', { factor: 1, offset: 0.5 }]]);
  const { status } = convertedView(nodeView('near', fieldsOf({ degrees: 'double' }), search, { units }));
  const measure = { kind: 'histogram', interval: 1 } as const;
  const query = { ...plainQuery, facets: [{ field: 'degrees', measure }] };
  const { facets } = await (status as { readonly search: SearchFn }).search(query, contextOf());
  t.deepEqual(facets, [failure]);
  t.is(rounds, 2);
});
