import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { postQuery } from '../../whole/end-to-end/processes.ts';
import { freePort } from '../../listening.ts';
import { mappings, prepareInstitution, writeNodes } from './institutions.ts';
import { eventually, patienceMs, startProcess, type NodeProcess } from './node-process.ts';

interface Line {
  readonly nodeId: string;
  readonly state: string;
  readonly hits: number | null;
  readonly errors: string;
}
interface Answer {
  readonly total: number;
  readonly partial: boolean;
  readonly nodes: readonly Line[];
  readonly aggregations: unknown;
  readonly hits: { readonly edges: readonly { readonly nodeId: string }[] };
}

const query = `{ network { total partial nodes { nodeId state hits errors }
  aggregations { genus { buckets { key doc_count nodes { nodeId doc_count } } coverage { nodeId state docs } } }
  hits(first: 10, sort: [{ fieldName: "name" }]) { edges { nodeId node { name } } } } }`;

const askNetwork = async ({ url }: NodeProcess): Promise<Answer> => {
  const { data, errors } = await postQuery(`${url}/network/graphql`, query);
  if (errors) throw new Error(JSON.stringify(errors));
  return data?.['network'] as Answer;
};

test('a network of networks is one node, counts no institution twice, and is not reached through itself', async (t) => {
  t.timeout(2 * patienceMs);
  const folder = await mkdtemp(path.join(tmpdir(), 'tributary-levels-'));
  const running: NodeProcess[] = [];
  t.teardown(async () => {
    await Promise.all(running.map((node) => node.end()));
    await rm(folder, { recursive: true, force: true });
  });
  const [abbey, brook, croft] = await Promise.all(
    (['abbey', 'brook', 'croft'] as const).map((name) => prepareInstitution(folder, name)),
  );
  const [brookPort, euPort, worldPort, selfPort] = await Promise.all(Array.from({ length: 4 }, freePort));
  const urlOf = (port: number): string => `http://127.0.0.1:${port}`;
  const start = (port: number, settings: typeof abbey): NodeProcess => {
    const node = startProcess(port, settings!);
    running.push(node);
    return node;
  };
  const network = { documentType: 'plant', fields: { name: 'keyword', genus: 'keyword' } };
  const defaults = { discoveryTimeoutMs: patienceMs, timeoutMs: patienceMs, maxDepth: 20 };
  const brookNode = {
    nodeId: 'brook',
    documentType: 'tree',
    graphqlUrl: `${urlOf(brookPort!)}/graphql`,
    ...mappings.brook,
  };
  const networkNode = (nodeId: string, port: number) => ({
    nodeId,
    graphqlUrl: `${urlOf(port)}/network/graphql`,
  });
  const euNodes = await writeNodes(folder, {
    ...{ network, defaults },
    nodes: [{ nodeId: 'abbey', catalogue: 'abbey', ...mappings.abbey }, brookNode],
  });
  const worldNodes = await writeNodes(folder, {
    ...{ network, defaults },
    nodes: [{ nodeId: 'croft', catalogue: 'croft' }, networkNode('eu', euPort!), brookNode],
  });
  const selfNodes = await writeNodes(folder, {
    ...{ network, defaults },
    nodes: [networkNode('self', selfPort!)],
  });
  const leaf = start(brookPort!, brook);
  await leaf.ready;
  const eu = start(euPort!, { ...abbey!, NODES_PATH: euNodes });
  await eu.ready;
  const world = start(worldPort!, { ...croft!, NODES_PATH: worldNodes });
  const self = start(selfPort!, { ...croft!, NODES_PATH: selfNodes });
  await Promise.all([world.ready, self.ready]);

  const answer = await askNetwork(world);
  const twice =
    '"brook" would be reached twice, through node "eu" and through node "brook": remove one of them';
  t.deepEqual(answer.nodes, [
    { nodeId: 'brook', state: 'discoveryFailed', hits: 0, errors: twice },
    { nodeId: 'croft', state: 'ok', hits: 3, errors: '' },
    { nodeId: 'eu', state: 'ok', hits: 5, errors: '' },
  ]);
  t.is(answer.total, 8);
  t.is(answer.partial, true);
  t.deepEqual(answer.aggregations, {
    genus: {
      buckets: [
        {
          key: 'Malus',
          doc_count: 3,
          nodes: [
            { nodeId: 'croft', doc_count: 1 },
            { nodeId: 'eu', doc_count: 2 },
          ],
        },
        {
          key: 'Prunus',
          doc_count: 3,
          nodes: [
            { nodeId: 'croft', doc_count: 2 },
            { nodeId: 'eu', doc_count: 1 },
          ],
        },
        { key: 'Pyrus', doc_count: 1, nodes: [{ nodeId: 'eu', doc_count: 1 }] },
        { key: '__missing__', doc_count: 1, nodes: [{ nodeId: 'eu', doc_count: 1 }] },
      ],
      coverage: [
        { nodeId: 'brook', state: 'failed', docs: null },
        { nodeId: 'croft', state: 'answered', docs: 3 },
        { nodeId: 'eu', state: 'answered', docs: 5 },
      ],
    },
  });
  t.deepEqual(
    answer.hits.edges.map(({ nodeId }) => nodeId),
    ['eu', 'eu', 'eu', 'eu', 'eu', 'croft', 'croft', 'croft'],
  );
  const { nodes } = (await (await fetch(`${world.url}/network`)).json()) as {
    nodes: readonly { nodeId: string; state: string; institutions?: number }[];
  };
  t.deepEqual(
    nodes.map(({ nodeId, state, institutions }) => [nodeId, state, institutions]),
    [
      ['croft', 'ok', undefined],
      ['eu', 'ok', 2],
      ['brook', 'discoveryFailed', undefined],
    ],
  );
  t.deepEqual((await askNetwork(self)).nodes, [
    { nodeId: 'self', state: 'refused', hits: 0, errors: 'the network is reached through itself' },
  ]);
  const info = (await (await fetch(`${leaf.url}/service-info`)).json()) as { key: string };
  t.regex(info.key, /^[\w-]{43}$/);

  await leaf.end();
  t.true(
    await eventually(async () =>
      (await askNetwork(world)).nodes.some(
        ({ nodeId, errors }) => nodeId === 'eu' && errors === '1 of its 2 institutions did not answer',
      ),
    ),
  );
  t.is((await askNetwork(world)).total, 6);
});
