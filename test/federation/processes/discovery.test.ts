import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import type { Settings } from '../../whole/end-to-end/processes.ts';
import { postQuery } from '../../whole/end-to-end/processes.ts';
import { faultProxy } from './fault-proxy.ts';
import type { InstitutionName } from './institutions.ts';
import { institutions, mappings, prepareInstitution, writeNodes } from './institutions.ts';
import type { NodeProcess } from './node-process.ts';
import { eventually, patienceMs, startProcess } from './node-process.ts';
import { freePort } from '../../listening.ts';

interface Institution {
  readonly port: number;
  readonly url: string;
  readonly settings: Settings;
}

/** A consortium whose processes are not started yet, but whose addresses are known. */
const prepare = async <Name extends InstitutionName>(t: ExecutionContext, names: readonly Name[]) => {
  t.timeout(2 * patienceMs);
  const folder = await mkdtemp(path.join(tmpdir(), 'tributary-discovery-'));
  const running: NodeProcess[] = [];
  t.teardown(async () => {
    await Promise.all(running.map((node) => node.end()));
    await rm(folder, { recursive: true, force: true });
  });
  const entries = await Promise.all(
    names.map(async (name): Promise<[Name, Institution]> => {
      const port = await freePort();
      const settings = await prepareInstitution(folder, name);
      return [name, { port, url: `http://127.0.0.1:${port}`, settings }];
    }),
  );
  const start = ({ port }: Institution, settings: Settings): NodeProcess => {
    const node = startProcess(port, settings);
    running.push(node);
    return node;
  };
  return { folder, start, known: Object.fromEntries(entries) as Record<Name, Institution> };
};

const remote = (name: InstitutionName, url: string) => ({
  nodeId: name,
  documentType: institutions[name].documentType,
  graphqlUrl: `${url}/graphql`,
  timeoutMs: patienceMs,
  ...mappings[name],
});

interface NodeLine {
  readonly nodeId: string;
  readonly hits: number | null;
  readonly state: string;
  readonly errors: string;
}

const query = '{ network { total partial nodes { nodeId hits state errors } } }';

const networkOf = async ({ url }: Pick<NodeProcess, 'url'>) => {
  const { data, errors } = await postQuery(`${url}/network/graphql`, query);
  if (errors) throw new Error(JSON.stringify(errors));
  return data?.['network'] as { total: number | null; partial: boolean; nodes: readonly NodeLine[] };
};

test('two nodes that name each other both start, and one that is late is found within the window', async (t) => {
  const { folder, known, start } = await prepare(t, ['abbey', 'brook']);
  const network = (own: InstitutionName, other: InstitutionName) =>
    writeNodes(folder, {
      defaults: { discoveryTimeoutMs: patienceMs },
      nodes: [
        { nodeId: own, catalogue: own, timeoutMs: patienceMs, ...mappings[own] },
        remote(other, known[other as 'abbey' | 'brook'].url),
      ],
    });
  const abbey = start(known.abbey, {
    ...known.abbey.settings,
    NODES_PATH: await network('abbey', 'brook'),
  });
  await abbey.listening;
  // brook is not there yet: the network waits a moment for it, then answers with what is abbey's own
  await eventually(async () => (await fetch(`${abbey.url}/ready`)).status === 200);
  t.deepEqual(await (await fetch(`${abbey.url}/ready`)).json(), {
    status: 'healthy',
    discovering: ['brook'],
  });
  t.deepEqual(await networkOf(abbey), {
    total: 3,
    partial: true,
    nodes: [
      { nodeId: 'abbey', hits: 3, state: 'ok', errors: '' },
      { nodeId: 'brook', hits: 0, state: 'discovering', errors: 'is still being discovered' },
    ],
  });
  t.deepEqual((await postQuery(`${abbey.url}/graphql`, '{ plant { hits { total } } }')).data, {
    plant: { hits: { total: 3 } },
  });

  const brook = start(known.brook, {
    ...known.brook.settings,
    NODES_PATH: await network('brook', 'abbey'),
  });
  await Promise.all([abbey.ready, brook.ready]);
  const both = {
    total: 5,
    partial: false,
    nodes: [
      { nodeId: 'abbey', hits: 3, state: 'ok', errors: '' },
      { nodeId: 'brook', hits: 2, state: 'ok', errors: '' },
    ],
  };
  t.deepEqual(await networkOf(abbey), both);
  t.deepEqual(await networkOf(brook), both);
});

test('a node that is down or closed to introspection at the start stays errored, and is never queried', async (t) => {
  const { folder, known, start } = await prepare(t, ['abbey', 'brook', 'croft']);
  const brook = start(known.brook, { ...known.brook.settings, DISABLE_GRAPHQL_INTROSPECTION: 'true' });
  const croft = start(known.croft, known.croft.settings);
  await Promise.all([brook.ready, croft.ready]);
  // nothing listens there while the portal starts
  const croftLater = faultProxy(await freePort(), croft.url);
  t.teardown(croftLater.close);
  const nodes = [
    { nodeId: 'abbey', catalogue: 'abbey', timeoutMs: patienceMs, ...mappings.abbey },
    { ...remote('brook', brook.url), discoveryTimeoutMs: patienceMs },
    { ...remote('croft', croftLater.url), discoveryTimeoutMs: 8_000 },
  ];
  const NODES_PATH = await writeNodes(folder, { network: { fields: { age: 'integer' } }, nodes });
  const portal = start(known.abbey, { ...known.abbey.settings, NODES_PATH });
  await portal.ready;
  const wanted = {
    total: 3,
    partial: true,
    nodes: [
      { nodeId: 'abbey', hits: 3, state: 'ok', errors: '' },
      {
        nodeId: 'brook',
        hits: 0,
        state: 'discoveryFailed',
        errors: 'discovery failed: refused the introspection query: a node must allow GraphQL introspection',
      },
      {
        nodeId: 'croft',
        hits: 0,
        state: 'discoveryFailed',
        errors: 'discovery failed: connection refused',
      },
    ],
  };
  t.deepEqual(await networkOf(portal), wanted);

  await croftLater.open();
  t.deepEqual((await postQuery(`${croftLater.url}/graphql`, '{ specimen { hits { total } } }')).data, {
    specimen: { hits: { total: 3 } },
  });
  const { seen } = croftLater;
  t.deepEqual(await networkOf(portal), wanted, 'errored for the life of the process');
  t.is(croftLater.seen, seen, 'and never queried');
  // a portal's query on a declared field does not break, whoever is down
  const declared = await postQuery(
    `${portal.url}/network/graphql`,
    '{ network { aggregations { age { stats { count } coverage { nodeId state } } } } }',
  );
  t.deepEqual(declared.data?.['network'], {
    aggregations: {
      age: {
        stats: { count: 0 },
        coverage: [
          { nodeId: 'abbey', state: 'notCovered' },
          { nodeId: 'brook', state: 'failed' },
          { nodeId: 'croft', state: 'failed' },
        ],
      },
    },
  });
});

test('a node that is killed is unreachable, and whole again once it is back; a required one fails the query', async (t) => {
  const { folder, known, start } = await prepare(t, ['abbey', 'croft']);
  const first = start(known.croft, known.croft.settings);
  await first.ready;
  const nodes = (required: boolean) => [
    { nodeId: 'abbey', catalogue: 'abbey', timeoutMs: patienceMs, ...mappings.abbey },
    { ...remote('croft', first.url), required, timeoutMs: patienceMs },
  ];
  const portal = start(known.abbey, {
    ...known.abbey.settings,
    NODES_PATH: await writeNodes(folder, { nodes: nodes(false) }),
  });
  const strict = start(
    { ...known.abbey, port: await freePort() },
    {
      CONFIGS_PATH: known.abbey.settings['CONFIGS_PATH']!,
      DATA_PATH: known.abbey.settings['DATA_PATH']!,
      NODES_PATH: await writeNodes(folder, { nodes: nodes(true) }),
    },
  );
  await Promise.all([portal.ready, strict.ready]);
  t.is((await networkOf(portal)).total, 6);
  t.is((await networkOf(strict)).total, 6);

  await first.end();
  t.like(await networkOf(portal), { total: 3, partial: true });
  const line = (await networkOf(portal)).nodes[1];
  t.is(line?.state, 'unreachable');
  t.regex(line?.errors ?? '', /^connection (refused|closed|reset)$/);
  const refused = await postQuery(`${strict.url}/network/graphql`, query);
  t.is(refused.data?.['network'] ?? null, null);
  t.regex(
    refused.errors?.[0]?.message ?? '',
    /^node "croft" is required and failed: connection (refused|closed|reset)$/,
  );
  t.is(refused.errors?.[0]?.extensions?.['code'], 'NODE_UNREACHABLE');

  start(known.croft, known.croft.settings);
  t.true(await eventually(async () => (await networkOf(portal)).total === 6));
  t.true(
    await eventually(
      async () => (await postQuery(`${strict.url}/network/graphql`, query)).errors === undefined,
    ),
  );
});
