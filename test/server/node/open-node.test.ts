import { createServer } from 'node:http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { loadConfig } from '../../../src/server/config/load.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { createApp } from '../../../src/server/http/app.ts';
import type { AccessFilter } from '../../../src/server/http/callers/access-filters.ts';
import type { Capability } from '../../../src/server/http/capability.ts';
import { standard } from '../../../src/standard.ts';
import { openNode } from '../../../src/server/node/open-node.ts';
import { leaf } from '../../../src/sqon/ast.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';
import { postQuery } from '../../whole/end-to-end/processes.ts';
import { listening } from '../../listening.ts';

const titles = ['Atlas', 'Bees', 'Clouds'];

/** Two catalogues over the same books, and the network of them, served until the test is over. */
const serve = async (t: ExecutionContext, accessFilter?: AccessFilter): Promise<string> => {
  const env = { DATA_PATH: join(temporaryFolder(t, {}), 'data'), ENABLE_SETS: 'true' };
  const config = loadConfig(env, {
    configs: {
      north: { documentType: 'book', esIndex: 'books' },
      south: { documentType: 'tome', esIndex: 'books' },
    },
    nodes: {
      nodes: [
        { nodeId: 'North', catalogue: 'north' },
        { nodeId: 'South', catalogue: 'south' },
      ],
    },
  });
  const node = await openNode(config, {
    log: pino({ level: 'silent' }),
    secret: () => undefined,
    capabilities: standard,
    ...(accessFilter && { accessFilter }),
    prepare: async (engine) => {
      await engine.manage({
        kind: 'create',
        index: 'books',
        mapping: { properties: { title: { type: 'keyword' } } },
      });
      await engine.write(
        'books',
        titles.map((title) => ({ kind: 'upsert', id: title, document: { title } }) as const),
      );
    },
  });
  const parts = node.join();
  await parts.networks.get('network')!.ready;
  t.teardown(node.close);
  return (await listening(t, createServer(createApp(parts).callback()))).url;
};

const network = `{ network { hits { total edges { node { title } } } nodes { nodeId hits status }
  aggregations { title { buckets { key doc_count } } } }
  North { book { hits { total } } } }`;

test('in a network the access filter holds for local nodes: merged, and each alone', async (t) => {
  const url = await serve(t, (_context, catalogueId) =>
    catalogueId === 'north' ? leaf('in', 'title', ['Atlas']) : leaf('in', 'title', ['Bees', 'Clouds']),
  );
  const answer = await postQuery(`${url}/network/graphql`, network);
  t.is(answer.errors, undefined);
  t.like(answer.data, {
    network: {
      hits: { total: 3 },
      nodes: [
        { nodeId: 'North', hits: 1, status: 'OK' },
        { nodeId: 'South', hits: 2, status: 'OK' },
      ],
      aggregations: { title: { buckets: titles.map((key) => ({ key, doc_count: 1 })) } },
    },
    North: { book: { hits: { total: 1 } } },
  });
});

test('a catalogue that is closed to the caller is a refused node; the others answer', async (t) => {
  const url = await serve(t, (_context, catalogueId) => {
    if (catalogueId === 'north') throw new TributaryError('FORBIDDEN', 'closed');
    return null;
  });
  const { data } = await postQuery(`${url}/network/graphql`, network);
  t.like(data, {
    network: {
      hits: { total: 3 },
      nodes: [
        { nodeId: 'North', hits: 0, status: 'ERROR' },
        { nodeId: 'South', hits: 3, status: 'OK' },
      ],
    },
    North: { book: { hits: null } },
  });
});

test('a catalogue that is closed to the caller reveals nothing, through the network neither', async (t) => {
  const url = await serve(t, (_context, catalogueId) => {
    if (catalogueId === 'north') throw new TributaryError('FORBIDDEN', 'closed');
    return null;
  });
  const { data, errors } = await postQuery(
    `${url}/network/graphql`,
    '{ North { book { mapping configs { extended } } } South { tome { mapping } } }',
  );
  t.like(data, { North: { book: { mapping: null, configs: null } } }, JSON.stringify(errors));
  t.true(JSON.stringify(data!['South']).includes('title'));
  t.deepEqual(
    errors!.map(({ extensions }) => extensions!['code']),
    ['FORBIDDEN', 'FORBIDDEN'],
  );
  for (const path of ['/north/graphql', '/network/graphql'])
    for (const query of [
      '{ __schema { types { name } } }',
      '{ ... on Root { a: __type(name: "Root") { name } } }',
    ]) {
      const answer = await fetch(`${url}${path}?query=${encodeURIComponent(query)}`);
      t.is(answer.status, 403, `${path} ${query}`);
      t.like(await answer.json(), { errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    }
  t.is((await fetch(`${url}/south/graphql?query={__schema{types{name}}}`)).status, 200);
  const { fields } = (await (await fetch(`${url}/network`)).json()) as {
    fields: { nodes: { nodeId: string }[] }[];
  };
  t.true(fields.length > 0);
  t.deepEqual([...new Set(fields.flatMap(({ nodes }) => nodes.map(({ nodeId }) => nodeId)))], ['South']);
});

test('a network of which every catalogue needs a token answers 401 without one', async (t) => {
  const url = await serve(t, () => {
    throw new TributaryError('UNAUTHENTICATED', 'a token is needed');
  });
  const answer = await fetch(`${url}/network/graphql?query={network{nodes{hits}}}`);
  t.is(answer.status, 401);
});

test('a saved set stands for its values at every local node of a network', async (t) => {
  const url = await serve(t);
  const saved = await postQuery(
    `${url}/north/graphql`,
    'mutation { saveSet(type: book, path: "title", sqon: { op: "in", content: { fieldName: "title", value: ["Bees"] } }) { setId } }',
  );
  const { setId } = (saved.data as { saveSet: { setId: string } }).saveSet;
  const filter = (id: string) => `{ op: "in", content: { fieldName: "title", value: ["set_id:${id}"] } }`;
  const query = (id: string) =>
    `{ network(filters: ${filter(id)}) { hits { total } nodes { hits status } } }`;
  t.deepEqual(await postQuery(`${url}/network/graphql`, query(setId)), {
    data: {
      network: {
        hits: { total: 2 },
        nodes: [
          { hits: 1, status: 'OK' },
          { hits: 1, status: 'OK' },
        ],
      },
    },
  });
  const unknown = await postQuery(`${url}/network/graphql`, query('none'));
  t.like(unknown.data, { network: { nodes: [{ status: 'ERROR' }, { status: 'ERROR' }] } });
});

test('saved sets are kept for the catalogues that have them, each in its index', async (t) => {
  const env = { DATA_PATH: join(temporaryFolder(t, {}), 'data') };
  const config = loadConfig(env, {
    configs: {
      north: { documentType: 'book', esIndex: 'books', enableSets: true, sets: { index: 'north-sets' } },
      south: { documentType: 'tome', esIndex: 'books', enableSets: true },
      west: { documentType: 'work', esIndex: 'books' },
    },
  });
  const node = await openNode(config, {
    log: pino({ level: 'silent' }),
    secret: () => undefined,
    prepare: async (engine) => {
      await engine.manage({
        kind: 'create',
        index: 'books',
        mapping: { properties: { title: { type: 'keyword' } } },
      });
    },
  });
  t.teardown(() => node.close());
  const sets = node
    .now()
    .registry.states()
    .map((state) => (state.status === 'available' ? state.catalogue.sets !== undefined : null));
  t.deepEqual(sets, [true, true, false]);
  for (const index of ['north-sets', 'arranger-sets'])
    t.truthy((await node.engine.describe(index)).properties);
});

test('what downloads left behind in the data folder goes at the start', async (t) => {
  const data = temporaryFolder(t, { 'spool/left.rows': 'a record' });
  const config = loadConfig({ DATA_PATH: data }, { configs: { documentType: 'book', esIndex: 'books' } });
  t.is(config.spoolFolder, join(data, 'spool'));
  const node = await openNode(config, { log: pino({ level: 'silent' }), secret: () => undefined });
  t.teardown(() => node.close());
  t.deepEqual(readdirSync(join(data, 'spool')), []);
});

test('where a capability cannot be opened, the others are closed', async (t) => {
  const ended: string[] = [];
  const capabilities: readonly Capability[] = [
    {
      name: 'lasting',
      open: async (parts) => {
        ended.push(`${parts.network() === null && parts.registry.states().length === 0}`);
        return {
          disconnect: async () => void ended.push('disconnected'),
          close: () => void ended.push('closed'),
        };
      },
    },
    {
      name: 'failing',
      open: () => {
        throw new Error('no room');
      },
    },
  ];
  const config = loadConfig({ DATA_PATH: join(temporaryFolder(t, {}), 'data') }, { configs: {} });
  const options = { log: pino({ level: 'silent' }), secret: () => undefined, capabilities };
  await t.throwsAsync(openNode(config, options), { message: 'no room' });
  t.deepEqual(ended, ['true', 'disconnected', 'closed']);
});
