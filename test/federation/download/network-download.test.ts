import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { buildHierarchy } from '../../../src/introspection/hierarchies/build-hierarchy.ts';
import { startAgain } from '../../../src/engines/semantics/cursor.ts';
import type { Manifest } from '../../../src/local/download/manifest.ts';
import { tarEntries } from '../../local/download/tar-entries.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { serveCatalogue } from '../remote-server.ts';
import { openGallery, openPortal, serveGallery, type PortalOptions } from './galleries.ts';

const own = {
  documentType: 'painting',
  properties: {
    id: { type: 'keyword' },
    title: { type: 'keyword' },
    year: { type: 'integer' },
    medium: { type: 'keyword' },
    artists: { type: 'nested', properties: { name: { type: 'keyword' }, born: { type: 'integer' } } },
  },
  documents: [
    {
      id: 'p1',
      title: 'Dawn',
      year: 1901,
      medium: 'oil',
      artists: [{ name: 'Ada', born: 1870 }, { name: 'Ben' }],
    },
    { id: 'p2', title: 'Reeds', year: 1890, medium: 'ink' },
    { id: 'p3', title: 'Fog', medium: 'oil', artists: [{ name: 'Cleo', born: 1850 }] },
  ],
};
const other = {
  documentType: 'work',
  properties: {
    id: { type: 'keyword' },
    label: { type: 'keyword' },
    made: { properties: { year: { type: 'long' } } },
    technique: { type: 'keyword' },
    makers: { type: 'nested', properties: { fullName: { type: 'keyword' }, birth: { type: 'integer' } } },
  },
  documents: [
    {
      id: 'w1',
      label: 'Eel',
      made: { year: 1895 },
      technique: 'Öl',
      makers: [
        { fullName: 'Dora', birth: 1860 },
        { fullName: 'Emil', birth: 1861 },
      ],
    },
    { id: 'w2', label: 'Gate', made: { year: 1920 }, technique: 'pastel' },
  ],
};

const mapped = {
  fields: {
    title: 'label',
    year: 'made.year',
    medium: 'technique',
    artists: 'makers',
    'artists.name': 'makers.fullName',
    'artists.born': 'makers.birth',
  },
  values: { medium: { Öl: 'oil' } },
};

const open = async (
  t: ExecutionContext,
  {
    remote = {},
    config = {},
    ...options
  }: Partial<PortalOptions> & { remote?: object; config?: object } = {},
) => {
  const local = await openGallery(t, { ...own, config });
  const away = await openGallery(t, other);
  const graphqlUrl = `${await serveGallery(t, away)}/graphql`;
  const nodes = {
    network: { displayName: 'Galleries' },
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
    nodes: [
      { nodeId: 'own', displayName: 'Own', catalogue: 'painting' },
      { nodeId: 'away', displayName: 'Away', graphqlUrl, documentType: 'work', ...mapped, ...remote },
    ],
  };
  return { local, away, graphqlUrl, ...(await openPortal(t, { nodes, local, ...options })) };
};

const columns = ['_node', '_id', 'title', 'year', 'medium'].map((fieldName) => ({ fieldName }));
const sort = [{ fieldName: 'year', order: 'desc' }];

test('rows of all nodes come merged by the sort, in the network’s names and values', async (t) => {
  const { download } = await open(t, { pageRows: 2 });
  const response = await download({ files: [{ columns, sort }] });
  t.is(response.status, 200);
  t.is(response.headers.get('x-total-count'), '5');
  t.is(response.headers.get('x-truncated'), 'false');
  t.is(response.headers.get('content-disposition'), 'attachment; filename="Galleries.tsv"');
  t.is(
    await response.text(),
    [
      '_node\t_id\tTitle\tYear\tMedium',
      'away\tw2\tGate\t1920\tpastel',
      'own\tp1\tDawn\t1901\toil',
      'away\tw1\tEel\t1895\toil',
      'own\tp2\tReeds\t1890\tink',
      'own\tp3\tFog\t--\toil',
      '',
    ].join('\n'),
  );
});

test('without a sort one node comes after the other; filters are in the network’s values', async (t) => {
  const { download } = await open(t, { pageRows: 1 });
  const sqon = { op: 'in', content: { fieldName: 'medium', value: ['oil'] } };
  const params = {
    fileType: 'json',
    files: [{ columns: [{ fieldName: 'title' }, { fieldName: '_node' }], sqon }],
  };
  t.is(
    await (await download(params)).text(),
    '{"title":"Eel","_node":"away"}\n{"title":"Dawn","_node":"own"}\n{"title":"Fog","_node":"own"}\n',
  );
});

test('a branch of a hierarchy that nodes need not have selects the records of files of every type', async (t) => {
  const term = (id: string, parents: readonly string[] = []) => ({
    ...{ id, label: id, synonyms: [], parents },
    obsolete: false,
    replacedBy: null,
  });
  const terms = [term('colour'), term('oil', ['colour']), term('pastel', ['colour']), term('ink')];
  const hierarchies = new Map([['medium', buildHierarchy('media', terms, 'media.csv')]]);
  const { download } = await open(t, { hierarchies });
  const textOf = async (fileType: string, value: string, except: readonly string[]) => {
    const sqon = { op: 'under', content: { fieldName: 'medium', value: [value], except } };
    return (await download({ fileType, files: [{ columns: [{ fieldName: 'title' }], sqon }] })).text();
  };
  for (const fileType of ['tsv', 'csv'])
    t.is(await textOf(fileType, 'colour', []), ['Title', 'Eel', 'Gate', 'Dawn', 'Fog', ''].join('\n'));
  t.is(await textOf('json', 'colour', ['oil']), '{"title":"Gate"}\n');
  t.regex(await textOf('csv', 'color', []), /did you mean/);
});

test('nested objects of all nodes are rows of one table', async (t) => {
  const { download } = await open(t);
  const file = {
    fileType: 'csv',
    columns: [
      { fieldName: '_node' },
      { fieldName: 'artists.name' },
      { jsonPath: '$.artists.hits.edges[*].node.born' },
      { fieldName: 'title' },
    ],
    uniqueBy: 'artists.hits.edges[].node.name',
    sort: [{ fieldName: 'title' }],
  };
  t.is(
    await (await download({ files: [file] })).text(),
    [
      '_node,Artists Name,Artists Born,Title',
      'own,Ada,1870,Dawn',
      'own,Ben,--,Dawn',
      'away,Dora,1860,Eel',
      'away,Emil,1861,Eel',
      'own,Cleo,1850,Fog',
      '',
    ].join('\n'),
  );
});

test('nodesFilter, limits and files without matches', async (t) => {
  const limited = { allowCustomMaxRows: true, maxRows: null, rowCap: null };
  const { download, archived } = await open(t, { downloads: limited });
  const only = await archived({ nodesFilter: ['own', 'nobody'], files: [{ columns, sort, maxRows: 2 }] });
  t.is(only.headers.get('x-truncated'), 'true');
  t.is(only.text.split('\n').length, 4);
  const report = only.manifest;
  t.deepEqual(report.warnings, ['nodesFilter names "nobody", which is not a node of this network']);
  t.like(report.nodes[0], { nodeId: 'away', state: 'excluded', matches: null, rows: 0 });
  t.like(report.nodes[1], {
    nodeId: 'own',
    matches: 3,
    rows: 2,
    rowsComplete: false,
    stopped: 'cut at the 2 rows of a file',
    lastId: undefined,
  });
  t.false(report.complete);
  const sqon = { op: 'in', content: { fieldName: 'title', value: ['none'] } };
  const none = await download({ files: [{ columns, sqon }] });
  t.is(await none.text(), '_node\t_id\tTitle\tYear\tMedium\n');
});

test('records are chosen by their keys, in a node that is a network too', async (t) => {
  const { local, graphqlUrl } = await open(t);
  const common = {
    network: { documentType: 'painting', maxDepth: 13 },
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
  };
  const away = { graphqlUrl, documentType: 'work', ...mapped };
  const inner = [
    { nodeId: 'own', catalogue: 'painting' },
    { nodeId: 'away', ...away },
  ];
  const { url } = await openPortal(t, { nodes: { ...common, nodes: inner }, local });
  const nodes = [
    { nodeId: 'eu', graphqlUrl: `${url}/network/graphql`, documentType: 'painting' },
    { nodeId: 'own', ...away },
  ];
  const { archived } = await openPortal(t, { nodes: { ...common, nodes }, local });
  const value = ['eu/own%2Fp1', 'eu/p2', 'eu%2Fown/p1', 'own/w1'];
  const sqon = { op: 'in', content: { fieldName: '_key', value } };
  const chosen = await archived({ files: [{ columns, sort, sqon }] });
  t.deepEqual(chosen.text.split('\n').slice(1, -1), ['eu\tp1\tDawn\t1901\toil', 'own\tw1\tEel\t1895\toil']);
  t.like(chosen.manifest, { warnings: [], complete: true });
});

test('the limit of a node’s own downloads holds within a page, too', async (t) => {
  const documents = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, title: id, medium: 'oil' }));
  const config = { downloads: { allowCustomMaxRows: false, maxRows: 3, rowCap: null } };
  const local = await openGallery(t, { ...own, documents, config });
  const nodes = { nodes: [{ nodeId: 'own', catalogue: 'painting' }] };
  // pages of two
  const { archived, planned } = await openPortal(t, { nodes, local, pageRows: 4 });
  const params = { files: [{ columns: [{ fieldName: 'title' }] }] };
  const { text, manifest } = await archived(params);
  t.deepEqual(text.split('\n'), ['Title', 'a', 'b', 'c', '']);
  const stopped = 'cut after the 3 rows that it allows in a file';
  t.like(manifest.nodes[0], { matches: 5, rows: 3, rowsComplete: false, stopped });
  t.like((await planned(params)).nodes[0], { state: 'ok', matches: 5, stopped });
});

test('limits of a network and of a node’s catalogue count rows', async (t) => {
  const file = {
    columns: [{ fieldName: '_node' }, { fieldName: 'title' }, { fieldName: 'artists.name' }],
    uniqueBy: 'artists.name',
    sort: [{ fieldName: 'title', order: 'asc' }],
  };
  const rowsOf = async (settings: object, config = {}) => {
    const { archived, planned } = await open(t, { ...settings, config });
    const { headers, text, manifest } = await archived({ files: [file] });
    const [, ...rows] = text.trimEnd().split('\n');
    const { nodes, complete } = manifest;
    const stopped = nodes.map(({ nodeId, stopped }) => [nodeId, stopped]);
    const truncated = headers.get('x-truncated');
    // before they are read, nobody knows how many rows a node's records have
    const before = await planned({ files: [file] });
    t.is(truncated, String(before.files[0]!.isTruncated ?? 'unknown'));
    t.true(before.nodes.every((node) => node.stopped === null));
    return { rows, complete, stopped, truncated };
  };
  t.deepEqual(await rowsOf({ downloads: { allowCustomMaxRows: false, maxRows: 1, rowCap: 1 } }), {
    rows: ['own\tDawn\tAda'],
    ...{ complete: false, truncated: 'unknown' },
    stopped: [
      ['away', 'cut at the 1 row of a file'],
      ['own', 'cut at the 1 row of a file'],
    ],
  });
  const downloads = { allowCustomMaxRows: false, maxRows: 1, rowCap: null };
  t.deepEqual(await rowsOf({}, { downloads }), {
    rows: ['own\tDawn\tAda', 'away\tEel\tDora', 'away\tEel\tEmil'],
    ...{ complete: false, truncated: 'false' },
    stopped: [
      ['away', null],
      ['own', 'cut after the 1 row that it allows in a file'],
    ],
  });
});

test('a file has the listed columns and no other', async (t) => {
  const { download } = await open(t, {});
  const files = [{ columns: [{ fieldName: 'title' }, { fieldName: 'medium' }], sort }];
  t.is((await (await download({ files })).text()).split('\n')[0], 'Title\tMedium');
  for (const file of [{ sort }, { sort, columns: [] }]) {
    const [head, first] = (await (await download({ files: [file] })).text()).split('\n');
    t.regex(head!, /^_node\t/);
    t.regex(first!, /^away\t/);
  }
});

test('a column that no node has is named in the manifest, and not in the file', async (t) => {
  const { download, archived } = await open(t, {});
  const { text, manifest: report } = await archived({
    files: [{ columns: [...columns, { fieldName: 'nope' }], sort }],
  });
  t.is(text.split('\n')[0], '_node\t_id\tTitle\tYear\tMedium');
  t.deepEqual(report.warnings, ['column "nope" is not a field of this network: the file does not have it']);
  for (const node of report.nodes) t.like(node, { uncoveredFields: ['nope'] });
  const nothing = await download({ files: [{ columns: [{ fieldName: 'nope' }], sort }] });
  t.is(nothing.status, 400);
  t.regex(await nothing.text(), /nope.+no field of this network has such a name/);
});

test('the manifest of a complete file records the query, the nodes and their rows', async (t) => {
  const { archived } = await open(t, { pageRows: 2 });
  const sqon = { op: 'in', content: { fieldName: 'medium', value: ['oil'] } };
  const { text, manifest: report } = await archived({
    files: [{ fileName: 'oil.tsv', columns, sort, sqon }],
  });
  t.true(report.complete);
  t.is(report.network, 'Galleries');
  t.is(report.server.name, 'Tributary');
  t.is(report.question.sha256, sha256(report.question.text));
  t.deepEqual(report.question.files, [
    {
      sqon: { op: 'in', content: { fieldName: 'medium', value: ['oil'] } },
      fields: ['_node', '_id', 'title', 'year', 'medium'],
      sort: [{ fieldName: 'year', order: 'desc' }],
      uniqueBy: null,
      maxRows: null,
      fileType: 'tsv',
    },
  ]);
  t.like(report.files[0], {
    name: 'oil.tsv',
    contentType: 'text/plain; charset=utf-8',
    bytes: Buffer.byteLength(text),
    sha256: sha256(text),
    rows: 3,
  });
  const [away, here] = report.nodes;
  const { schema, version, ...line } = away!;
  t.deepEqual(line as unknown, {
    nodeId: 'away',
    name: 'Away',
    server: 'Tributary',
    generation: 'first',
    state: 'ok',
    code: null,
    matches: 1,
    records: 1,
    rows: 1,
    stopped: null,
    rowsComplete: true,
    changedDuring: false,
    uncoveredFields: [],
    warnings: [],
  });
  t.regex(schema!, /^[0-9a-f]{32}$/);
  t.regex(version!, /^\d+\.\d+\.\d+/);
  t.like(here, { nodeId: 'own', server: 'Tributary', version: version!, generation: 'first', rows: 2 });
});

test('before the file, the manifest says who will answer, and counts no row', async (t) => {
  const { planned, archived, network, url, download } = await open(t);
  const sqon = { op: 'in', content: { fieldName: 'medium', value: ['oil'] } };
  const params = {
    files: [{ fileName: 'oil.tsv', columns: [...columns, { fieldName: 'nope' }], sort, sqon }],
  };
  const before = await planned(params);
  const { manifest } = await archived(params);
  const { startedAt, ...rest } = before;
  t.false(Number.isNaN(Date.parse(startedAt)));
  const { network: name, server, question, warnings } = manifest;
  t.deepEqual(rest as unknown, {
    ...{ manifest: 1, network: name, server, question, warnings },
    nodes: manifest.nodes.map(({ records, rows, rowsComplete, changedDuring, ...known }) => {
      t.deepEqual([records === rows, rowsComplete, changedDuring], [true, true, false]);
      return known;
    }),
    files: [
      {
        ...{ name: 'oil.tsv', contentType: 'text/plain; charset=utf-8', isTruncated: false },
        nodes: [
          { nodeId: 'own', state: 'ok', matches: 2, stopped: null },
          { nodeId: 'away', state: 'ok', matches: 1, stopped: null },
        ],
      },
    ],
  });
  t.is(name, network.config.displayName);
  const asForm = await fetch(`${url}/network/download?manifest`, {
    method: 'POST',
    body: new URLSearchParams({ params: JSON.stringify(params) }),
  });
  t.is(asForm.headers.get('content-type'), 'application/json; charset=utf-8');
  t.is(asForm.headers.get('cache-control'), 'no-store');
  t.deepEqual({ ...((await asForm.json()) as object), startedAt }, before);
  const refused = await download({ files: [{ columns, sort: [{ fieldName: 'nope' }] }] });
  const refusal = await download(
    { files: [{ columns, sort: [{ fieldName: 'nope' }] }] },
    '/network/download?manifest',
  );
  t.is(refusal.status, refused.status);
  t.deepEqual(await refusal.json(), await refused.json());
});

test('before the file, the manifest names the node that does not answer, and what a limit leaves out', async (t) => {
  const { planned, away } = await open(t, {
    downloads: { allowCustomMaxRows: true, maxRows: null, rowCap: null },
  });
  const file = { columns, sort };
  t.true((await planned({ files: [{ ...file, maxRows: 4 }] })).files[0]!.isTruncated);
  Object.assign(away.engine, { search: () => Promise.reject(new Error('gone')) });
  const { nodes, files } = await planned({ files: [file] });
  t.like(nodes[0], { nodeId: 'away', state: 'badResponse', matches: null });
  t.not(nodes[0]!.stopped, null);
  t.like(nodes[1], { nodeId: 'own', state: 'ok', matches: 3, stopped: null });
  t.false(files[0]!.isTruncated);
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const entriesOf = async (response: Response): Promise<readonly [string, string][]> =>
  tarEntries(Readable.fromWeb(response.body as never));

test('an archive ends with its manifest', async (t) => {
  const { download } = await open(t);
  const response = await download({
    fileName: 'all',
    files: [
      { fileName: 'manifest.json', columns, sort },
      { columns, fileType: 'csv' },
    ],
  });
  t.is(response.headers.get('content-disposition'), 'attachment; filename="all.tar.gz"');
  const entries = await entriesOf(response);
  t.deepEqual(
    entries.map(([name]) => name),
    ['manifest-2.json', 'Galleries.csv', 'manifest.json'],
  );
  const report = JSON.parse(entries.at(-1)![1]) as Manifest;
  t.deepEqual(
    report.files.map(({ name, rows, sha256: hash }) => ({ name, rows, hash })),
    entries.slice(0, 2).map(([name, text]) => ({ name, rows: 5, hash: sha256(text) })),
  );
  t.deepEqual(
    report.nodes.map(({ nodeId, rows, matches }) => [nodeId, rows, matches]),
    [
      ['away', 4, 4],
      ['own', 6, 6],
    ],
  );
});

test('a single file comes in an archive when its manifest is requested', async (t) => {
  const { download } = await open(t);
  const response = await download({ manifest: true, files: [{ fileName: 'a.tsv', columns }] });
  t.is(response.headers.get('content-type'), 'application/gzip');
  t.deepEqual(
    (await entriesOf(response)).map(([name]) => name),
    ['a.tsv', 'manifest.json'],
  );
});

test('a generation that changed while rows were read is reported', async (t) => {
  const { archived, away } = await open(t, { pageRows: 2 });
  const search = away.engine.search;
  let searches = 0;
  Object.assign(away.engine, {
    search: (...args: Parameters<typeof search>) => {
      // counting, the first page, the second
      if ((searches += 1) === 3) away.state.generation = 'second';
      return search(...args);
    },
  });
  const { text, manifest: report } = await archived({ files: [{ columns, sort }] });
  t.is(text.split('\n').length, 7);
  t.like(report.nodes[0], {
    nodeId: 'away',
    generation: 'first',
    rows: 2,
    rowsComplete: false,
    changedDuring: true,
    stopped: 'its data changed while they were read',
  });
  t.like(report.nodes[1], { nodeId: 'own', rowsComplete: true, changedDuring: false });
});

test('a node whose index is replaced while its rows are read gives no more of them, and the file says so', async (t) => {
  const { archived, away } = await open(t, { pageRows: 1 });
  const search = away.engine.search;
  Object.assign(away.engine, {
    search: (...[index, query, options]: Parameters<typeof search>) =>
      query.hits?.searchAfter ? Promise.reject(startAgain('was made before')) : search(index, query, options),
  });
  const { manifest: report } = await archived({ files: [{ columns, sort }] });
  t.like(report.nodes[0], { nodeId: 'away', rows: 1, rowsComplete: false });
  t.regex(
    report.nodes[0]!.stopped!,
    /an index that this node no longer has; start again from the first page/,
  );
  t.like(report.nodes[1], { nodeId: 'own', rows: 3, rowsComplete: true });
});

test('rows of an institution of a network that was away for a page come once it is back', async (t) => {
  const properties = { id: { type: 'keyword' }, title: { type: 'keyword' } };
  const titles = ['A', 'B', 'C', 'D', 'E'];
  const rowsOf = (prefix: string) => titles.map((title) => ({ id: prefix + title, title }));
  const rome = await serveCatalogue(
    'work',
    fieldsOf({ id: 'keyword', title: 'keyword' }),
    searchOf(rowsOf('r')),
  );
  t.teardown(rome.close);
  const local = await openGallery(t, { documentType: 'work', properties, documents: rowsOf('o') });
  const common = {
    network: { documentType: 'work', maxDepth: 13 },
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
  };
  const inner = [
    { nodeId: 'own', catalogue: 'work' },
    { nodeId: 'rome', graphqlUrl: rome.url, documentType: 'work' },
  ];
  const { url } = await openPortal(t, { nodes: { ...common, nodes: inner }, local });
  const eu = { nodeId: 'eu', graphqlUrl: `${url}/network/graphql`, documentType: 'work' };
  const { archived, download } = await openPortal(t, {
    nodes: { ...common, nodes: [eu] },
    local,
    pageRows: 4,
  });
  let away = 1;
  let spared = 0;
  rome.fault = ({ query }, response) => {
    if (away === 0 || !query.includes('edges') || spared-- > 0) return false;
    away -= 1;
    response.writeHead(403).end();
    return true;
  };
  const byTitle = [{ fieldName: 'title', order: 'asc' }];
  const file = await archived({ files: [{ columns: [{ fieldName: 'id' }], sort: byTitle }] });
  t.is(file.text, 'Id oA oB rA rB oC rC oD rD oE rE '.replaceAll(' ', '\n'));
  t.like(file.manifest, {
    complete: false,
    nodes: [
      {
        state: 'ok',
        rows: 10,
        stopped: 'some of its institutions did not answer, or withhold their records',
      },
    ],
  });
  [away, spared] = [1, 2];
  const strict = { files: [{ columns: [{ fieldName: 'id' }], sort: byTitle }], onFailure: 'abort' };
  const begun = await download(strict);
  t.is(begun.status, 200);
  await t.throwsAsync(begun.text());
  away = 0;
  t.is(await (await download(strict)).text(), 'Id oA rA oB rB oC rC oD rD oE rE '.replaceAll(' ', '\n'));
  [away, spared] = [Infinity, 0];
  const without = await archived({ files: [{ columns: [{ fieldName: 'id' }], sort: byTitle }] });
  t.is(without.text, 'Id oA oB oC oD oE '.replaceAll(' ', '\n'));
  t.like(without.manifest, {
    nodes: [
      {
        ...{ state: 'unreachable', code: 'NODE_UNREACHABLE', rows: 5 },
        stopped: 'returned no more rows after 5 of 10: 1 of its 2 institutions did not answer',
      },
    ],
  });
  rome.fault = (_, response) => (response.writeHead(403).end(), true);
  const refused = await download(strict);
  t.is(refused.status, 502);
  t.regex(await refused.text(), /node \\"eu\\" failed: some of its institutions did not answer/);
});

test('refusals', async (t) => {
  const { download } = await open(t);
  const refusal = async (params: object) => {
    const response = await download(params);
    return [response.status, ((await response.json()) as { error: { message: string } }).error.message];
  };
  const file = { columns };
  t.deepEqual(await refusal({ files: [{ ...file, sort: [{ fieldName: 'nope' }] }] }), [
    400,
    'files[0]: cannot sort by "nope": no node of the network has it',
  ]);
  t.deepEqual(await refusal({ files: [file], onFailure: 'explode' }), [
    400,
    'params, onFailure: abort or continue expected',
  ]);
  t.deepEqual(await refusal({ files: [file], nodesFilter: 'own' }), [
    400,
    'params, nodesFilter: a list of node ids expected',
  ]);
  t.deepEqual(await refusal({ files: [file], nodeFilter: ['own'] }), [
    400,
    'params, nodeFilter: an unknown key: did you mean nodesFilter?',
  ]);
  t.deepEqual(await refusal({ files: [file], roCrate: true }), [
    400,
    'params, roCrate: not offered: "manifest": true adds a manifest to the archive',
  ]);
  const valued = await download({ files: [file] }, '/network/download?manifest=before');
  t.is(valued.status, 400);
  t.regex(await valued.text(), /\?manifest takes no value/);
});
