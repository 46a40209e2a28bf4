import test from 'ava';
import type { NodeResult } from '../../../src/federation/query/node-result.ts';
import {
  assertAffordable,
  assertIntervalFits,
  assertRequired,
  assertTakenNow,
  totalOf,
} from '../../../src/federation/merge/status.ts';
import type { QueryPlan } from '../../../src/federation/query/plan.ts';
import type { NetworkQuery } from '../../../src/federation/query/network-query.ts';
import { nodeView } from '../node-fixtures.ts';

const facets = [
  { path: 'size', measure: { kind: 'histogram', interval: 1 } },
  { path: 'made', measure: { kind: 'histogram', interval: 10 } },
] as const;
const question: NetworkQuery = {
  filters: null,
  filterThemselves: false,
  includeMissing: true,
  only: null,
  facets,
  hits: null,
};

/** A node that calls the fields its own way. */
const answer = (more: Partial<NodeResult> = {}): NodeResult => {
  const node = nodeView('a', new Map());
  const facetRequests = facets.map(({ path, measure }) => ({ field: `own.${path}`, measure }));
  const query = {
    filters: null,
    filterThemselves: false,
    includeMissing: true,
    facets: facetRequests,
    hits: null,
  };
  const plan = {
    kind: 'query',
    node,
    status: node.status,
    query,
    uncoveredFields: [],
    facets: [0, 1],
    sort: [],
  };
  const failed = { plan: plan as unknown as QueryPlan, code: null, reason: '', tookMs: 0, answer: null };
  return { ...failed, state: 'refused', ...more };
};

const tooFine = (smallestInterval: number, tooFineField?: string) =>
  answer({ smallestInterval, ...(tooFineField !== undefined && { tooFineField }) });

test('there is a total where every node that answered has counted', (t) => {
  const counted = (total: number | null): NodeResult =>
    answer({ state: 'ok', answer: { total, hits: [], facets: [], warnings: [] } });
  t.is(totalOf([counted(2), counted(3), answer()]), 5);
  t.is(totalOf([counted(2), counted(null)]), null);
  t.is(totalOf([answer()]), null);
});

test('a histogram too fine for one node is too fine for all, and the interval named is that of the node that needs most', (t) => {
  const answers = [
    answer({ state: 'ok' }),
    ...[2, 3, 30, 20].map((one) => tooFine(one, 'own.size')),
    answer(),
  ];
  t.throws(() => assertIntervalFits(question, answers), {
    code: 'BAD_USER_INPUT',
    message: 'histogram of size has more than 65536 buckets, its interval must be at least 30',
  });
});

test('of two that are too fine the first is named, by the name the network gives it', (t) => {
  const both = [tooFine(50, 'own.made'), tooFine(7, 'own.size')];
  t.like(
    t.throws(() => assertIntervalFits(question, both)),
    { details: { field: 'size', smallestInterval: 7 } },
  );
  const second = [tooFine(50, 'own.made')];
  t.like(
    t.throws(() => assertIntervalFits(question, second)),
    { details: { field: 'made', smallestInterval: 50 } },
  );
});

test('a node that does not report its level, or reports another name, counts as the first finer one', (t) => {
  t.like(
    t.throws(() => assertIntervalFits(question, [tooFine(4)])),
    { details: { field: 'size' } },
  );
  t.like(
    t.throws(() => assertIntervalFits(question, [tooFine(4, '<b>')])),
    { details: { field: 'size' } },
  );
});

test('other refusals cost that node only', (t) => {
  t.notThrows(() => assertIntervalFits(question, [answer({ state: 'ok' }), answer()]));
});

test('a query too expensive for every node fails with its lowest cost', (t) => {
  const dear = (cost: number): NodeResult => ({
    ...answer(),
    reason: `the query costs ${cost} there, more than the 10 allowed`,
    tooExpensive: { cost, maxCost: 10 },
  });
  t.throws(() => assertAffordable([dear(40), dear(20), answer({ state: 'unreachable' })]), {
    code: 'BAD_USER_INPUT',
    message:
      'the query costs too much at every node that can be queried: at "a" the query costs 20 there, more than the 10 allowed',
  });
  t.notThrows(() => assertAffordable([dear(40), answer({ state: 'ok' })]));
  t.notThrows(() => assertAffordable([answer({ state: 'ok' }), answer({ state: 'unreachable' })]));
});

const waiting = (retryAfterSeconds?: number): NodeResult =>
  answer({
    state: 'busy',
    code: 'TOO_MANY_REQUESTS',
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });

test('a query that every node delays fails with the longest wait', (t) => {
  const elsewhere = answer({ state: 'unreachable', code: 'NODE_UNREACHABLE' });
  const error = t.throws(() => assertTakenNow([waiting(3), waiting(20), waiting(), elsewhere]), {
    code: 'NOT_READY',
    message: 'every node that can be queried is busy: retry in 20 s',
  });
  t.like(error, { details: { retryAfterSeconds: 20 } });
  t.throws(() => assertTakenNow([waiting()]), {
    code: 'NOT_READY',
    message: 'every node that can be queried is busy: retry in 1 s',
  });
  const busy = answer({ state: 'busy', code: 'NOT_READY', retryAfterSeconds: 2 });
  const refused = t.throws(() => assertTakenNow([busy, elsewhere]), { code: 'NOT_READY' });
  t.like(refused, { details: { retryAfterSeconds: 2 } });
  const dear = answer({ code: 'BAD_USER_INPUT', tooExpensive: { cost: 2, maxCost: 1 } });
  t.throws(() => assertTakenNow([waiting(3), dear]), { code: 'NOT_READY' });
});

test('where another node answers or refuses for good, delaying nodes lack only their part', (t) => {
  t.notThrows(() => assertTakenNow([waiting(3), answer({ state: 'ok' })]));
  t.notThrows(() => assertTakenNow([waiting(3), answer({ code: 'FORBIDDEN' })]));
  t.notThrows(() => assertTakenNow([answer({ state: 'unreachable', code: 'NODE_UNREACHABLE' })]));
});

test('a required node must have answered', (t) => {
  t.notThrows(() => assertRequired([answer({ state: 'ok' })], ['a']));
  const failed = answer({ state: 'timeout', code: 'NODE_TIMEOUT' });
  t.throws(() => assertRequired([failed], ['a']), { code: 'NODE_TIMEOUT' });
  t.notThrows(() => assertRequired([failed], ['b']));
});

test('a required node that delays the query reports how long', (t) => {
  const { plan } = answer();
  const node = { ...plan.node, config: { ...plan.node.config, required: true } };
  const error = t.throws(
    () => assertRequired([{ ...waiting(7), reason: 'rate-limited', plan: { ...plan, node } as QueryPlan }]),
    { code: 'TOO_MANY_REQUESTS', message: 'node "a" is required and failed: rate-limited' },
  );
  t.like(error, { details: { retryAfterSeconds: 7 } });
});
