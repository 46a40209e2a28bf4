import test from 'ava';
import { Agent } from 'undici';
import { callerNames } from '../../../../src/server/http/callers/caller-name.ts';
import { fieldsOf, searchOf } from '../../../federation/collection.ts';
import { serveCatalogue } from '../../../federation/remote-server.ts';
import { runApp } from '../running-app.ts';
import { testNetwork } from '../../../builders.ts';

const serveTrees = () =>
  serveCatalogue('tree', fieldsOf({ id: 'keyword', genus: 'keyword' }), searchOf([{ id: 't1' }]));

test('a hub names its caller opaquely to nodes that dial in alone, and tells all of ours when their answers are due', async (t) => {
  const [dialled, direct, agent] = [await serveTrees(), await serveTrees(), new Agent()];
  t.teardown(() => Promise.all([agent.destroy(), dialled.close()]));
  const seen = { dialled: [] as unknown[], direct: [] as unknown[] };
  const due: unknown[] = [];
  for (const [name, remote] of Object.entries({ dialled, direct } as const))
    remote.fault = ({ query, headers }) => {
      if (query.includes('__schema')) return false;
      due.push(headers['tributary-deadline-ms']);
      seen[name as keyof typeof seen].push(headers['tributary-caller']);
      return false;
    };
  const network = await testNetwork(
    t,
    [
      { nodeId: 'oslo', dialsIn: true, key: 'k'.repeat(43), documentType: 'tree' },
      { nodeId: 'lyon', remote: direct, documentType: 'tree' },
    ],
    {
      tunnelTo: () => ({
        dispatcher: {
          dispatch: (options, handler) =>
            agent.dispatch({ ...options, origin: new URL(dialled.url).origin }, handler),
        },
        isConnected: () => true,
        absence: () => '',
        onChange: () => () => undefined,
      }),
    },
  );
  const nameCaller = callerNames((label) => Buffer.from(label.slice(0, 32)));
  const app = await runApp(t, { network, nameCaller });
  due.length = 0;
  seen.dialled = [];
  seen.direct = [];
  const query = '{ network { total } oslo { tree { hits { total } } } lyon { tree { hits { total } } } }';
  const response = await fetch(`${app.url}/network/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'tributary-caller': 'someone-else' },
    body: JSON.stringify({ query }),
  });
  t.like(await response.json(), {
    data: { network: { total: 2 }, oslo: { tree: { hits: { total: 1 } } } },
  });
  const name = nameCaller({ peer: 'address 127.0.0.1', member: '' }, 'oslo');
  t.is(due.length, 4);
  for (const leftMs of due.map(Number)) t.true(leftMs > 0 && leftMs < 60_000, `${leftMs}`);
  t.deepEqual(seen, { dialled: [name, name], direct: [undefined, undefined] });
});
