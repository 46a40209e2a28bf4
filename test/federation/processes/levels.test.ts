import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { postQuery } from '../../end-to-end/processes.ts';
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

test('a network of networks tells of every leaf, asks none twice, and is never the network is reached through itself', async (t) => {
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
  const [brookPort, euPort, worldPort] = [await freePort(), await freePort(), await freePort()];
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
    graphqlUrl: `${urlOf(brookPort)}/graphql`,
    ...mappings.brook,
  };
  const networkNode = (nodeId: string, port: number) => ({
    nodeId,
    graphqlUrl: `${urlOf(port)}/network/graphql`,
  });
  const euNodes = await writeNodes(folder, {
    network,
    defaults,
    nodes: [
      { nodeId: 'abbey', catalogue: 'abbey', ...mappings.abbey },
      brookNode,
      networkNode('world', worldPort),
    ],
  });
  const worldNodes = await writeNodes(folder, {
    network,
    defaults,
    nodes: [networkNode('eu', euPort), { nodeId: 'croft', catalogue: 'croft' }, brookNode],
  });
  const leaf = start(brookPort, brook);
  await leaf.ready;
  const eu = start(euPort, { ...abbey!, NODES_PATH: euNodes });
  const world = start(worldPort, { ...croft!, NODES_PATH: worldNodes });
  await Promise.all([eu.ready, world.ready]);

  const answer = await askNetwork(world);
  t.deepEqual(answer.nodes, [
    {
      nodeId: 'brook',
      state: 'excluded',
      hits: null,
      errors: 'left out: it is already queried as "eu/brook"',
    },
    { nodeId: 'croft', state: 'ok', hits: 3, errors: '' },
    { nodeId: 'eu/abbey', state: 'ok', hits: 3, errors: '' },
    { nodeId: 'eu/brook', state: 'ok', hits: 2, errors: '' },
    { nodeId: 'eu/world', state: 'refused', hits: 0, errors: 'the network is reached through itself' },
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
            { nodeId: 'eu/abbey', doc_count: 1 },
            { nodeId: 'eu/brook', doc_count: 1 },
          ],
        },
        {
          key: 'Prunus',
          doc_count: 3,
          nodes: [
            { nodeId: 'croft', doc_count: 2 },
            { nodeId: 'eu/brook', doc_count: 1 },
          ],
        },
        { key: 'Pyrus', doc_count: 1, nodes: [{ nodeId: 'eu/abbey', doc_count: 1 }] },
        { key: '__missing__', doc_count: 1, nodes: [{ nodeId: 'eu/abbey', doc_count: 1 }] },
      ],
      coverage: [
        { nodeId: 'brook', state: 'excluded', docs: null },
        { nodeId: 'croft', state: 'answered', docs: 3 },
        { nodeId: 'eu/abbey', state: 'answered', docs: 3 },
        { nodeId: 'eu/brook', state: 'answered', docs: 2 },
        { nodeId: 'eu/world', state: 'failed', docs: null },
      ],
    },
  });
  t.deepEqual(
    answer.hits.edges.map(({ nodeId }) => nodeId),
    ['eu/brook', 'eu/abbey', 'eu/abbey', 'eu/abbey', 'eu/brook', 'croft', 'croft', 'croft'],
  );
  const state = (await (await fetch(`${world.url}/network`)).json()) as { warnings: readonly string[] };
  t.true(state.warnings.includes('"brook" is the same catalogue as "eu/brook": it is left out of answers'));
  const info = (await (await fetch(`${leaf.url}/service-info`)).json()) as { key: string };
  t.regex(info.key, /^[\w-]{43}$/);

  await leaf.end();
  t.true(
    await eventually(async () =>
      (await askNetwork(world)).nodes.some(
        ({ nodeId, state: one }) => nodeId === 'eu/brook' && one === 'unreachable',
      ),
    ),
  );
  t.is((await askNetwork(world)).total, 6);
});
