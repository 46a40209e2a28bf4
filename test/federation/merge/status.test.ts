import test from 'ava';
import type { NodeAnswer, NodeState } from '../../../src/federation/fanout.ts';
import { assertIntervalFits } from '../../../src/federation/merge/status.ts';
import type { AskPlan } from '../../../src/federation/plan.ts';
import { nodeView } from '../node-fixtures.ts';

const answer = (state: NodeState, smallestInterval?: number): NodeAnswer => {
  const node = nodeView('a', new Map());
  const query = { filters: null, filterThemselves: false, includeMissing: true, facets: [], hits: null };
  const plan = { kind: 'ask', node, status: node.status, query, uncoveredFields: [], facets: [], sort: [] };
  const failed = { plan: plan as unknown as AskPlan, state, code: null, reason: '', tookMs: 0, answer: null };
  return smallestInterval === undefined ? failed : { ...failed, smallestInterval };
};

test('a histogram too fine for every node that can be asked fails, and names an interval that fits all', (t) => {
  t.throws(() => assertIntervalFits([answer('refused', 2), answer('refused', 30), answer('unreachable')]), {
    code: 'BAD_USER_INPUT',
    message: /the smallest interval that fits is 30$/,
  });
});

test('where some node can tell, or refuses for another reason, the answer is partial', (t) => {
  t.notThrows(() => assertIntervalFits([answer('ok'), answer('refused', 30)]));
  t.notThrows(() => assertIntervalFits([answer('refused'), answer('refused', 30)]));
  t.notThrows(() => assertIntervalFits([answer('unreachable')]));
});
