import test from 'ava';
import type { NodeAnswer, NodeState } from '../../../src/federation/fanout.ts';
import { assertAffordable, assertIntervalFits } from '../../../src/federation/merge/status.ts';
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

test('a question too dear for every node that can be asked fails with what it costs where it costs least', (t) => {
  const dear = (cost: number): NodeAnswer => ({
    ...answer('refused'),
    reason: `the question costs ${cost} there, more than the 10 allowed`,
    tooDear: { cost, mostCost: 10 },
  });
  t.throws(() => assertAffordable([dear(40), dear(20), answer('unreachable')]), {
    code: 'BAD_USER_INPUT',
    message:
      'the question costs too much at every node that can be asked: at "a" the question costs 20 there, more than the 10 allowed',
  });
  t.notThrows(() => assertAffordable([dear(40), answer('ok')]));
  t.notThrows(() => assertAffordable([answer('ok'), answer('unreachable')]));
});
