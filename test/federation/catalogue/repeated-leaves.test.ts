import test from 'ava';
import { leavesOnce } from '../../../src/federation/catalogue/repeated-leaves.ts';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import type { NodeView } from '../../../src/federation/nodes/node-view.ts';
import type { NodePlan } from '../../../src/federation/query/plan.ts';
import { plan } from '../../../src/federation/query/plan.ts';
import { fieldsOf } from '../collection.ts';
import { countsOnly, nodeView } from '../node-fixtures.ts';

const fields = fieldsOf({ id: 'keyword' });

/** A network, and the keys of its nodes, which it may not have reported yet. */
const over = (nodeId: string, leaves: () => ReadonlyMap<string, string | null>): NodeView => {
  const view = nodeView(nodeId, fields);
  return { ...view, status: { ...view.status, leaves } as NodeView['status'] };
};

test('a catalogue that shows in the answers to be reached in two ways is left out of one of them', async (t) => {
  const keys = new Map([['lyon', 'k'.repeat(43)]]);
  let reported: ReadonlyMap<string, string> = new Map();
  const nodes = [over('eu', () => reported), over('world', () => reported), nodeView('own', fields)];
  const rounds: string[][] = [];
  const only: unknown[] = [];
  const search = async (plans: readonly NodePlan[]) => {
    rounds.push(plans.map(({ node }) => node.config.nodeId));
    only.push(plans.map((one) => (one.kind === 'query' ? one.query.nodes?.only : null)));
    reported = keys;
    const answer = { state: 'ok', code: null, reason: '', tookMs: 1, answer: null } as const;
    return plans.map((one) => ({ ...answer, plan: one, tookMs: rounds.length }));
  };
  const plans = plan(countsOnly, networkFields(new Map(), nodes), nodes);
  const answers = await leavesOnce({ plans, nodes }, search);
  t.deepEqual(rounds, [['eu', 'world', 'own'], ['world']]);
  // a network that is sent no names answers with all of its nodes
  t.deepEqual(only[1], [['']]);
  t.deepEqual(
    answers.map(({ plan: { node }, tookMs }) => [node.config.nodeId, tookMs]),
    [
      ['eu', 1],
      ['world', 2],
      ['own', 1],
    ],
  );
});

test('a network that is pending keeps its leaves: they are not queried elsewhere', async (t) => {
  const leaves = () => new Map([['lyon', 'k'.repeat(43)]]);
  for (const [state, rounds] of [
    ['pending', 1],
    ['timeout', 2],
  ] as const) {
    const nodes = [over('eu', leaves), over('world', leaves)];
    let queried = 0;
    const answer = { code: null, reason: '', tookMs: 1, answer: null };
    const query = async (plans: readonly NodePlan[]) => {
      queried += 1;
      return plans.map((plan) => ({
        ...answer,
        plan,
        state: plan.node.config.nodeId === 'eu' ? state : ('ok' as const),
      }));
    };
    await leavesOnce({ plans: plan(countsOnly, networkFields(new Map(), nodes), nodes), nodes }, query);
    t.is(queried, rounds, state);
  }
});

test('a catalogue is left out only where it is queried elsewhere, whatever names it', async (t) => {
  const [a, b] = ['a', 'b'].map((letter) => letter.repeat(43)) as [string, string];
  const world = over(
    'world',
    () =>
      new Map([
        ['own', a],
        ['fr/lyon', b],
        ['fr/nice', null],
      ]),
  );
  const own = nodeView('own', fields);
  const nodes = [
    { ...own, status: { ...own.status, key: a } as NodeView['status'] },
    over('eu', () => new Map([['lyon', b]])),
    world,
  ];
  const nodesQueried = async (...only: string[]) => {
    const asked = new Map<string, unknown>();
    const query = async (plans: readonly NodePlan[]) =>
      plans.map((plan) => {
        const { nodeId } = plan.node.config;
        if (plan.kind === 'query') asked.set(nodeId, plan.query.nodes?.only ?? 'all');
        return { plan, state: 'ok' as const, code: null, reason: '', tookMs: 1, answer: null };
      });
    const question = { ...countsOnly, only: only.length === 0 ? null : new Set(only) };
    await leavesOnce({ plans: plan(question, networkFields(new Map(), nodes), nodes), nodes }, query);
    return Object.fromEntries(asked);
  };
  t.deepEqual(await nodesQueried(), { own: 'all', eu: 'all', world: ['fr/nice'] });
  t.deepEqual(await nodesQueried('world'), { world: 'all' });
  t.deepEqual(await nodesQueried('eu', 'world'), { eu: 'all', world: ['own', 'fr/nice'] });
  t.deepEqual(await nodesQueried('eu', 'world/fr'), { eu: 'all', world: ['fr/nice'] });
  t.deepEqual(await nodesQueried('world/fr', 'own'), { own: 'all', world: ['fr'] });
});
