import test from 'ava';
import { openTrees } from './trees.ts';

test('numbers and dates have a cardinality with bounds and a coverage too', async (t) => {
  const { send, remote } = await openTrees(t);
  const { data, errors } = await send(`{ network { aggregations {
    height { cardinality cardinality_bounds { lower upper exact } coverage { nodeId state } }
    planted { cardinality_bounds { lower upper exact } coverage { nodeId state } }
  } } }`);
  t.is(errors, undefined);
  t.deepEqual(data?.network['aggregations'], {
    height: {
      cardinality: null,
      cardinality_bounds: { lower: 4, upper: 6, exact: false },
      coverage: [
        { nodeId: 'city', state: 'answered' },
        { nodeId: 'gone', state: 'failed' },
        { nodeId: 'park', state: 'answered' },
      ],
    },
    planted: {
      cardinality_bounds: { lower: 1, upper: 1, exact: true },
      coverage: [
        { nodeId: 'city', state: 'notCovered' },
        { nodeId: 'gone', state: 'failed' },
        { nodeId: 'park', state: 'answered' },
      ],
    },
  });
  t.is(remote.queries.length, 1);
});

test('a nodesFilter of nothing but nulls names no node, rather than all', async (t) => {
  const { send } = await openTrees(t);
  const { data } = await send('{ network(nodesFilter: [null]) { total partial nodes { state } } }');
  t.deepEqual(data?.network, {
    total: null,
    partial: false,
    nodes: [{ state: 'excluded' }, { state: 'excluded' }, { state: 'excluded' }],
  });
});

test('a request that many callers wait for fails once, and three of those open the circuit', async (t) => {
  const { send, remote, opened } = await openTrees(t);
  remote.fault = (_request, response) => {
    response.destroy();
    return true;
  };
  const city = () => opened.state().nodes[1]!;
  const all = (round: number) =>
    Promise.all(
      Array.from({ length: 5 }, () => send(`{ network { hits(first: ${round}) { edges { nodeId } } } }`)),
    );
  await all(1);
  t.like(city(), { state: 'failing', circuit: 'closed', requests: 5, failures: 5 });
  await all(2);
  t.is(city().circuit, 'closed');
  await all(3);
  t.like(city(), { state: 'circuitOpen', circuit: 'open', lastErrorCode: 'NODE_UNREACHABLE' });
  // what was lost with its connection first was sent once more, and counts once
  t.is(remote.queries.length, 4);
});

test('deadlines open the circuit too', async (t) => {
  const { send, remote, opened } = await openTrees(t, { timeoutMs: 60 });
  remote.fault = () => true;
  for (let round = 1; round <= 3; round += 1) await send('{ network { total } }');
  const { data } = await send('{ network { nodes { nodeId state } } }');
  t.like((data?.network['nodes'] as unknown[])[0], { nodeId: 'city', state: 'circuitOpen' });
  t.like(opened.state().nodes[1], {
    state: 'circuitOpen',
    requests: 3,
    failures: 3,
    lastErrorCode: 'NODE_TIMEOUT',
  });
});

test('sends the credential, and of the caller only the headers that the node may see', async (t) => {
  const city = { headers: ['X-Team'], credential: { header: 'Authorization', env: 'CITY_TOKEN' } };
  const { send, remote } = await openTrees(t, city);
  await send('{ network { total } }', {}, { 'x-team': 'green', cookie: 'secret' });
  const { headers } = remote.queries[0]!;
  t.is(headers['x-team'], 'green');
  t.is(headers.authorization, 'token-1');
  t.is(headers.cookie, undefined);
});

test('a required node that fails fails the query', async (t) => {
  const { send, remote } = await openTrees(t, { required: true });
  t.is((await send('{ network { total } }')).errors, undefined);
  remote.fault = (_request, response) => {
    response.writeHead(500).end('boom at /srv/secret.ts');
    return true;
  };
  const { data, errors } = await send('{ network { total } }');
  t.is(data?.network ?? null, null);
  t.is(errors?.[0]?.message, 'node "city" is required and failed: answered HTTP 500');
});

test('a local catalogue that fails is an errored node, and is back when it recovers', async (t) => {
  const { send, states, opened } = await openTrees(t);
  const up = states.get('park')!;
  states.delete('park');
  const query = '{ network { nodes { nodeId state errors hits } } }';
  const park = async () =>
    ((await send(query)).data?.network['nodes'] as { nodeId: string }[]).find(
      ({ nodeId }) => nodeId === 'park',
    );
  t.deepEqual(await park(), {
    nodeId: 'park',
    state: 'unreachable',
    errors: 'this server has no catalogue "park"',
    hits: 0,
  });
  t.is(opened.state().nodes[0]?.state, 'unavailable');
  states.set('park', up);
  t.like(await park(), { state: 'ok', hits: 4 });
});

test('state says how each node did and why', async (t) => {
  const { opened } = await openTrees(t);
  const { ready, nodes } = opened.state();
  t.true(ready);
  t.deepEqual(
    nodes.map(({ nodeId, kind, state, lastError }) => ({ nodeId, kind, state, lastError })),
    [
      { nodeId: 'park', kind: 'local', state: 'ok', lastError: null },
      { nodeId: 'city', kind: 'remote', state: 'ok', lastError: null },
      {
        nodeId: 'gone',
        kind: 'remote',
        state: 'discoveryFailed',
        lastError: 'discovery failed: connection refused',
      },
    ],
  );
});
