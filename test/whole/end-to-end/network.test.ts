import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { runHere } from '../../cli/run-here.ts';
import { postQuery, startNode, type RunningNode } from './processes.ts';
import { freePort } from '../../listening.ts';

/** Three collections of different shapes, as their owners would have them in a file. */
const collections = {
  harbour: {
    documentType: 'painting',
    documents: [
      { id: 'h1', title: 'Storm', painters: [{ name: 'Ada Quay', sex: 'F' }], height_mm: 400 },
      { id: 'h2', title: 'Calm', painters: [{ name: 'Bo Reed', sex: 'M' }], height_mm: 250 },
      { id: 'h3', title: 'Boats', painters: [{ name: 'Bo Reed', sex: 'M' }] },
    ],
  },
  abbey: {
    documentType: 'work',
    documents: [
      { id: 'a1', title: 'Vault', makers: [{ full_name: 'Ada Quay' }], height: 300 },
      {
        id: 'a2',
        title: 'Arches',
        makers: [{ full_name: 'Cy Stone' }, { full_name: 'Ada Quay' }],
        height: 120,
      },
    ],
  },
  tower: {
    documentType: 'item',
    documents: [{ id: 't1', title: 'Dawn', artist: 'Bo Reed', height: 90 }],
  },
} as const;

const fieldsOf = {
  harbour: { artist: 'painters.name', height: 'height_mm' },
  abbey: { artist: 'makers.full_name' },
  tower: {},
};

const networkQuery = `query($filters: JSON) {
  network(filters: $filters) {
    total partial
    nodes { nodeId status state hits }
    hits(first: 10, sort: [{fieldName: "title", order: asc}]) { total edges { nodeId node { id title artist } } }
    aggregations {
      artist { bucket_count buckets { key doc_count } coverage { nodeId state } }
      height { stats { count min max sum } }
    }
  }
}`;

const startInstitution = async (folder: string, name: keyof typeof collections): Promise<RunningNode> => {
  const { documentType, documents } = collections[name];
  const settings = {
    CONFIGS_PATH: path.join(folder, name, 'configs'),
    DATA_PATH: path.join(folder, name, 'data'),
    NODES_PATH: 'off',
  };
  const catalogue = path.join(settings.CONFIGS_PATH, name);
  await mkdir(catalogue, { recursive: true });
  await writeFile(path.join(catalogue, 'base.json'), JSON.stringify({ documentType, esIndex: name }));
  const file = path.join(folder, `${name}.ndjson`);
  await writeFile(file, documents.map((document) => JSON.stringify(document)).join('\n'));
  const loaded = await runHere(['load', file, '--catalogue', name], settings);
  if (loaded.code !== 0) throw new Error(loaded.output);
  return startNode(settings);
};

const startPortal = async (folder: string, urls: Record<string, string>): Promise<RunningNode> => {
  const nodes = Object.entries(urls).map(([nodeId, url]) => ({
    nodeId,
    displayName: nodeId,
    documentType: collections[nodeId as keyof typeof collections]?.documentType ?? 'nothing',
    graphqlUrl: `${url}/graphql`,
    fields: fieldsOf[nodeId as keyof typeof fieldsOf] ?? {},
  }));
  const nodesPath = path.join(folder, 'nodes.json');
  await writeFile(
    nodesPath,
    JSON.stringify({
      network: { displayName: 'Coast', documentType: 'artwork' },
      defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
      nodes,
    }),
  );
  return startNode({
    CONFIGS_PATH: path.join(folder, 'no-catalogues'),
    DATA_PATH: path.join(folder, 'portal-data'),
    NODES_PATH: nodesPath,
  });
};

test('four processes: three institutions answer as one, and a node that was never there is reported', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tributary-e2e-'));
  const running: RunningNode[] = [];
  t.teardown(async () => {
    await Promise.all(running.map((node) => node.stop()));
    await rm(folder, { recursive: true, force: true });
  });
  const urls: Record<string, string> = { ghost: `http://127.0.0.1:${await freePort()}` };
  for (const name of ['harbour', 'abbey', 'tower'] as const) {
    const node = await startInstitution(folder, name);
    running.push(node);
    urls[name] = node.url;
  }
  const portal = await startPortal(folder, urls);
  running.push(portal);

  const whole = await postQuery(`${portal.url}/network/graphql`, networkQuery);
  t.deepEqual(whole.errors, undefined);
  t.deepEqual(whole.data?.network, {
    total: 6,
    partial: true,
    nodes: [
      { nodeId: 'abbey', status: 'OK', state: 'ok', hits: 2 },
      { nodeId: 'ghost', status: 'ERROR', state: 'discoveryFailed', hits: 0 },
      { nodeId: 'harbour', status: 'OK', state: 'ok', hits: 3 },
      { nodeId: 'tower', status: 'OK', state: 'ok', hits: 1 },
    ],
    hits: {
      total: 6,
      edges: [
        { nodeId: 'abbey', node: { id: 'a2', title: 'Arches', artist: ['Cy Stone', 'Ada Quay'] } },
        { nodeId: 'harbour', node: { id: 'h3', title: 'Boats', artist: ['Bo Reed'] } },
        { nodeId: 'harbour', node: { id: 'h2', title: 'Calm', artist: ['Bo Reed'] } },
        { nodeId: 'tower', node: { id: 't1', title: 'Dawn', artist: ['Bo Reed'] } },
        { nodeId: 'harbour', node: { id: 'h1', title: 'Storm', artist: ['Ada Quay'] } },
        { nodeId: 'abbey', node: { id: 'a1', title: 'Vault', artist: ['Ada Quay'] } },
      ],
    },
    aggregations: {
      artist: {
        bucket_count: 3,
        buckets: [
          { key: 'Ada Quay', doc_count: 3 },
          { key: 'Bo Reed', doc_count: 3 },
          { key: 'Cy Stone', doc_count: 1 },
        ],
        coverage: [
          { nodeId: 'abbey', state: 'answered' },
          { nodeId: 'ghost', state: 'failed' },
          { nodeId: 'harbour', state: 'answered' },
          { nodeId: 'tower', state: 'answered' },
        ],
      },
      height: { stats: { count: 5, min: 90, max: 400, sum: 1160 } },
    },
  });

  const filters = { op: 'in', content: { fieldName: 'artist', value: ['Ada Quay'] } };
  const filtered = await postQuery(`${portal.url}/network/graphql`, networkQuery, { filters });
  const network = filtered.data?.network as {
    total: number;
    aggregations: { artist: { bucket_count: number } };
  };
  t.is(network.total, 3);
  t.is(network.aggregations.artist.bucket_count, 3, 'a facet is not narrowed by its own selection');

  await running[0]?.kill();
  const without = await postQuery(`${portal.url}/network/graphql`, networkQuery);
  const nodes = (without.data?.network as { nodes: { nodeId: string; state: string }[] }).nodes;
  t.is(nodes.find((node) => node.nodeId === 'harbour')?.state, 'unreachable');
  t.is((without.data?.network as { total: number }).total, 3);
});
