import test from 'ava';
import type { NodeResult } from '../../../src/federation/query/fanout.ts';
import {
  assertAffordable,
  assertRequired,
  assertTakenNow,
  totalOf,
} from '../../../src/federation/merge/status.ts';
import type { QueryPlan } from '../../../src/federation/query/plan.ts';
import { nodeView } from '../node-fixtures.ts';

const facets = [
  { path: 'size', measure: { kind: 'histogram', interval: 1 } },
  { path: 'made', measure: { kind: 'histogram', interval: 10 } },
] as const;
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

test('there is a total where every node that answered has counted', (t) => {
  const counted = (total: number | null): NodeResult =>
    answer({ state: 'ok', answer: { total, hits: [], facets: [], warnings: [] } });
  t.is(totalOf([counted(2), counted(3), answer()]), 5);
  t.is(totalOf([counted(2), counted(null)]), null);
  t.is(totalOf([answer()]), null);
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
