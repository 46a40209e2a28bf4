import test from 'ava';
import { serveEstablishedServer } from '../established/established-server.ts';
import { openGallery, openPortal } from './galleries.ts';

const properties = { id: { type: 'keyword' }, height: { type: 'integer' } } as const;
const rows = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `${prefix}${String(at).padStart(2, '0')}`, height: at }));

const open = async (t: Parameters<typeof openGallery>[0], sortsById: boolean, maxResultsWindow: number) => {
  const remote = await serveEstablishedServer({
    documentType: 'far',
    properties,
    documents: Object.fromEntries(rows('f', 20).map((row) => [row.id, row])),
    sortsById,
  });
  t.teardown(remote.close);
  const local = await openGallery(t, { documentType: 'near', properties, documents: rows('n', 3) });
  const nodes = {
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
    nodes: [
      { nodeId: 'near', catalogue: 'near' },
      { nodeId: 'far', graphqlUrl: remote.url, documentType: 'far' },
    ],
  };
  return openPortal(t, { nodes, local, pageRows: 8, maxResultsWindow });
};

const params = {
  files: [{ columns: [{ fieldName: '_node' }, { fieldName: '_id' }], sort: [{ fieldName: 'height' }] }],
};

test('an established node that gives cursors is read to its end', async (t) => {
  const { archived } = await open(t, true, 10);
  const { text, manifest } = await archived(params);
  t.is(text.split('\n').length, 25);
  const { complete, nodes } = manifest;
  t.true(complete);
  t.like(nodes[0], { nodeId: 'far', server: null, version: null, schema: null, generation: null, rows: 20 });
});

test('an established node without cursors is read by offset to its window, and the manifest records the cut', async (t) => {
  const { archived } = await open(t, false, 10);
  const { text, manifest } = await archived(params);
  const far = text.split('\n').filter((line) => line.startsWith('far'));
  t.deepEqual(
    far,
    rows('f', 10).map(({ id }) => `far\t${id}`),
  );
  const { complete, nodes } = manifest;
  t.false(complete);
  t.like(nodes[0], {
    nodeId: 'far',
    state: 'ok',
    matches: 20,
    rows: 10,
    rowsComplete: false,
    changedDuring: false,
    stopped: 'has no cursors: cut after the 10 rows that its offsets reach',
  });
  t.deepEqual(nodes[0]!.warnings, ['returns no cursors: it cannot sort by _id']);
});

test('one that gives none and fits its window is whole', async (t) => {
  const { archived } = await open(t, false, 1_000);
  const { text, manifest } = await archived(params);
  t.is(text.split('\n').length, 25);
  t.true(manifest.complete);
});

test('nested objects of one that allows the depth are in the file as those of our own nodes', async (t) => {
  const nested = {
    ...properties,
    rings: { type: 'nested', properties: { metal: { type: 'keyword' }, grams: { type: 'integer' } } },
  } as const;
  const rings = [{ metal: 'gold', grams: 3 }, { metal: 'tin' }];
  const documents = (id: string) => [
    { id, height: 1, rings },
    { id: `${id}-bare`, height: 2 },
  ];
  const remote = await serveEstablishedServer({
    documentType: 'far',
    properties: nested,
    documents: Object.fromEntries(documents('f').map((row) => [row.id, row])),
    maxDepth: 9,
  });
  t.teardown(remote.close);
  const local = await openGallery(t, { documentType: 'near', properties: nested, documents: documents('n') });
  const nodes = {
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
    nodes: [
      { nodeId: 'near', catalogue: 'near' },
      { nodeId: 'far', graphqlUrl: remote.url, documentType: 'far', maxDepth: 9 },
    ],
  };
  const { archived } = await openPortal(t, { nodes, local, pageRows: 8 });
  const columns = [{ fieldName: '_node' }, { fieldName: 'id' }, { fieldName: 'rings' }];
  const { text, manifest } = await archived({
    files: [{ fileType: 'json', columns, sort: [{ fieldName: 'height' }] }],
  });
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  t.deepEqual(lines, [
    { _node: 'far', id: 'f', rings },
    { _node: 'near', id: 'n', rings },
    { _node: 'far', id: 'f-bare', rings: null },
    { _node: 'near', id: 'n-bare', rings: null },
  ]);
  t.deepEqual(manifest.nodes[0]!.warnings, []);
});
