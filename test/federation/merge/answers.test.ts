import test from 'ava';
import { coverageOf, mergeFacets } from '../../../src/federation/merge/answers.ts';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import { plan } from '../../../src/federation/query/plan.ts';
import type { NodeResult } from '../../../src/federation/query/fanout.ts';
import type { CatalogueResult } from '../../../src/search/query.ts';
import { fieldsOf } from '../collection.ts';
import { countsOnly, nodeView } from '../node-fixtures.ts';

const nodes = [
  nodeView('hub', fieldsOf({ id: 'keyword' }), undefined, { unavailableBucket: true }),
  nodeView('park', fieldsOf({ id: 'keyword', genus: 'keyword' })),
];
const network = networkFields(new Map(), nodes);
const question = {
  ...countsOnly,
  facets: [{ path: 'genus', measure: { kind: 'terms', max: null } as const }],
};
const [hub, park] = plan(question, network, nodes);

/** What two nodes answered: the first lacks the field of the facet, and knows its matches by their bounds only. */
const answers = (): readonly NodeResult[] => {
  const answered = { state: 'ok', code: null, reason: '', tookMs: 1 } as const;
  const answer = (total: CatalogueResult['total'], facets: CatalogueResult['facets']) => ({
    ...{ total, facets, hits: [], warnings: [] },
  });
  const genera = [{ key: 'Acer', count: 3 }];
  return [
    { ...answered, plan: hub!, answer: answer({ lower: 40, upper: 49 }, []) },
    {
      ...answered,
      plan: park!,
      answer: answer(3, [{ kind: 'terms', buckets: genera, missing: 0, distinct: 1 }]),
    },
  ];
};

test('matches of a node without the field are shown with their bounds', async (t) => {
  const [merged] = await mergeFacets(question, answers(), network);
  if (merged?.kind !== 'terms') return t.fail();
  t.deepEqual(
    merged.buckets.map(({ key, count }) => [key, count]),
    [
      ['___aggregation_not_available___', { lower: 40, upper: 49 }],
      ['Acer', 3],
    ],
  );
});

test('coverage says how many documents a node has only where that is one number', (t) => {
  t.deepEqual(
    coverageOf('id', question, answers(), network).map(({ docs }) => docs),
    [null, 3],
  );
});
