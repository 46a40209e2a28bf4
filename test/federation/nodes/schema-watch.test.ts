import { createServer } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { SchemaWatch } from '../../../src/federation/nodes/node-discovery.ts';
import { listening } from '../../listening.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { serveCatalogue } from '../remote-server.ts';
import { ask, testNetwork } from '../../builders.ts';

const serveTrees = async (t: ExecutionContext, mapping: Record<string, string>) => {
  const served = await serveCatalogue(
    'tree',
    fieldsOf({ id: 'keyword', ...mapping }),
    searchOf([{ id: 't1' }]),
  );
  t.teardown(served.close);
  return served.url;
};

interface Before {
  url: string;
  /** What its answers say of its fields. */
  schema: string | null;
  /** Answers each question instead of the server. */
  refusal: string | null;
  discoveries: number;
}

/** A network of one node behind an address where servers take each other's place. */
const openBefore = async (t: ExecutionContext, before: Before, recheckMs?: number) => {
  const relay = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const isQuestion = body.includes('nodeQuery');
      if (body.includes('__schema')) before.discoveries += 1;
      response.setHeader('content-type', 'application/json');
      if (before.schema !== null) response.setHeader('tributary-schema', before.schema);
      if (isQuestion && before.refusal !== null) return void response.writeHead(400).end(before.refusal);
      void fetch(before.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
        async (answer) => response.writeHead(answer.status).end(await answer.text()),
      );
    });
  });
  const { url } = await listening(t, relay);
  const node = { nodeId: 'trees', documentType: 'tree', graphqlUrl: `${url}/graphql` };
  const network = await testNetwork(t, [node], { ...(recheckMs !== undefined && { recheckMs }) });
  const runQuery = () => ask(network, '{ network { total nodes { state } } }');
  const paths = (): readonly string[] => network.state().fields.map(({ path }) => path);
  const until = async (field: string): Promise<void> => {
    while (!paths().includes(field)) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  return { runQuery, paths, until };
};

test('a node whose answers say that it offers something else is discovered again', async (t) => {
  const [shrub, grown] = [
    await serveTrees(t, { genus: 'keyword' }),
    await serveTrees(t, { genus: 'keyword', height: 'long' }),
  ];
  const before: Before = { url: shrub, schema: 'a'.repeat(32), refusal: null, discoveries: 0 };
  const { runQuery, paths, until } = await openBefore(t, before);
  await runQuery();
  await runQuery();
  const requested = before.discoveries;
  t.deepEqual(paths(), ['genus', 'id']);
  Object.assign(before, { url: grown, schema: 'b'.repeat(32) });
  await runQuery();
  await until('height');
  t.true(before.discoveries > requested);
});

test('so is one that refuses a question it could answer before', async (t) => {
  const [shrub, other] = [
    await serveTrees(t, { genus: 'keyword' }),
    await serveTrees(t, { family: 'keyword' }),
  ];
  const before: Before = { url: shrub, schema: null, refusal: null, discoveries: 0 };
  const { runQuery, paths, until } = await openBefore(t, before);
  await runQuery();
  t.deepEqual(paths(), ['genus', 'id']);
  const extensions = { code: 'GRAPHQL_VALIDATION_FAILED' };
  const refusal = JSON.stringify({ errors: [{ message: 'no field "genus"', extensions }] });
  Object.assign(before, { url: other, refusal });
  await runQuery();
  await until('family');
  t.deepEqual(paths(), ['family', 'id']);
});

test('answers of servers that differ do not have a node discovered at each of them', async (t) => {
  const url = await serveTrees(t, { genus: 'keyword' });
  const before: Before = { url, schema: 'a', refusal: null, discoveries: 0 };
  const { runQuery } = await openBefore(t, before);
  const first = before.discoveries;
  for (let round = 0; round < 20; round += 1) {
    before.schema = round % 2 === 0 ? 'a' : 'b';
    await runQuery();
  }
  t.true(before.discoveries <= 2 * first);
});

test('a network may have been discovered with fewer nodes than it answers with, and is discovered once more', async (t) => {
  for (const [isNetwork, schema, expected] of [
    [true, 'a', 1],
    [true, undefined, 0],
    [false, 'a', 0],
  ] as const) {
    let discoveries = 0;
    const watch = new SchemaWatch({
      recheck: () => Promise.resolve(++discoveries > 0),
      minIntervalMs: 0,
      mayHaveGrown: () => isNetwork,
    });
    for (let round = 0; round < 3; round += 1) watch.onAnswer({ data: {}, ...(schema && { schema }) });
    t.is(discoveries, expected);
  }
});
