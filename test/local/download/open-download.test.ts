import { hash } from 'node:crypto';
import { buffer, text } from 'node:stream/consumers';
import test from 'ava';
import { catalogueFiles } from '../../../src/local/download/catalogue-files.ts';
import { openDownload, planDownload } from '../../../src/local/download/open-download.ts';
import type { Manifest } from '../../../src/local/download/manifest.ts';
import { openSpoolStorage } from '../../../src/local/download/spool.ts';
import { noSwitches } from '../../../src/introspection/fields/catalogue-config.ts';
import { contextWith } from '../catalogue-fixture.ts';
import { library } from './download-fixture.ts';
import { tarEntries } from './tar-entries.ts';

const spools = openSpoolStorage('none', 1_000_000);
const open = (params: unknown, catalogue = library(), { pageRows = 3, ...changes } = {}) =>
  openDownload(params, catalogueFiles(catalogue, contextWith(), pageRows), contextWith(), {
    ...{ spools, ...changes },
  });

const columns = [{ fieldName: 'title' }, { fieldName: 'pages' }, { fieldName: 'id' }];

test('one file comes as itself', async (t) => {
  const download = await open({ files: [{ fileName: 'books.tsv', columns }] });
  t.like(download, {
    fileName: 'books.tsv',
    contentType: 'text/plain; charset=utf-8',
    total: 4,
    isTruncated: false,
  });
  t.is(
    await text(download.content),
    'Title\tPages\tId\nAtlas\t120\tatlas\nBees\t80\tbees\nClouds\t80\tb3\nDunes\t300\tb4\n',
  );
});

test('a column that the mapping lacks is refused, with the field that is meant', async (t) => {
  await t.throwsAsync(open({ files: [{ columns: [...columns, { fieldName: 'titel' }] }] }), {
    code: 'BAD_USER_INPUT',
    message: 'files[0]: column "titel" is not a field of this catalogue (did you mean "title"?)',
  });
});

test('a byte order mark comes first where it is requested, headers are neutralised unless it is not', async (t) => {
  const named = [{ fieldName: 'title', displayName: '=T' }];
  const head = async (params: object) =>
    (await buffer((await open(params)).content)).toString().split('\n')[0];
  t.is(await head({ bom: true, files: [{ columns: named }] }), `\uFEFF'=T`);
  t.is(await head({ escapeFormulas: false, fileType: 'csv', files: [{ columns: named }] }), '=T');
  t.is(await head({ bom: true, fileType: 'json', files: [{ columns: named }] }), '{"title":"Atlas"}');
});

test('without a name it is called after the documents and its type', async (t) => {
  const name = async (params: object) => (await open(params)).fileName;
  t.is(await name({ files: [{ columns }] }), 'book.tsv');
  t.is(await name({ files: [{ columns, fileType: 'json' }] }), 'book.json');
  t.is(await name({ fileName: 'all.txt', files: [{ columns }] }), 'all.txt');
});

test('no documents give the header line', async (t) => {
  const download = await open({ files: [{ columns }] }, library({}, {}));
  t.is(await text(download.content), 'Title\tPages\tId\n');
  const json = await open({ files: [{ columns, fileType: 'json' }] }, library({}, {}));
  t.is(await text(json.content), '');
});

test('a limit cuts and says so', async (t) => {
  const catalogue = library({ downloads: { allowCustomMaxRows: false, maxRows: 2, rowCap: null } });
  const download = await open({ files: [{ columns: [{ fieldName: 'title' }] }] }, catalogue);
  t.like(download, { total: 4, isTruncated: true });
  t.is(await text(download.content), 'Title\nAtlas\nBees\n');
});

const withCopies = (...counts: readonly number[]) =>
  Object.fromEntries(
    counts.map((count, at) => [
      `b${at}`,
      { title: `T${at}`, copies: Array.from({ length: count }, (_, copy) => ({ state: `s${copy}` })) },
    ]),
  );

test('a limit counts rows where a record has several or none', async (t) => {
  const file = { columns: [{ fieldName: 'title' }, { fieldName: 'copies.state' }], uniqueBy: 'copies.state' };
  const openWith = async (maxRows: number | null, ...counts: readonly number[]) => {
    const downloads = { allowCustomMaxRows: false, maxRows, rowCap: null };
    const download = await open({ files: [file] }, library({ downloads }, withCopies(...counts)));
    const [, ...rows] = (await text(download.content)).trimEnd().split('\n');
    return { rows, isTruncated: download.isTruncated, ...download.outcome() };
  };
  t.deepEqual(await openWith(3, 2, 2, 1), {
    rows: ['T0\ts0', 'T0\ts1', 'T1\ts0'],
    ...{ isTruncated: null, records: 2, isComplete: false, shortcomings: [] },
  });
  t.like(await openWith(2, 0, 0, 0, 0, 2), { rows: ['T4\ts0', 'T4\ts1'], records: 5, isComplete: true });
  t.like(await openWith(1, 2), { rows: ['T0\ts0'], records: 1, isComplete: false });
  t.like(await openWith(null, 2, 1), { isTruncated: false, records: 2, isComplete: true });
});

test('pages are no larger than the results window', async (t) => {
  const catalogue = library({
    table: { columns: null, defaultSorting: [], maxResultsWindow: 2, rowIdFieldName: 'id' },
  });
  await text((await open({ files: [{ columns }] }, catalogue)).content);
  t.deepEqual(
    catalogue.requested.map(({ hits }) => hits!.first),
    [0, 2, 2, 2],
  );
});

test('several files come as one archive', async (t) => {
  const download = await open({
    fileName: 'out',
    files: [
      { fileName: 'a.tsv', columns: [{ fieldName: 'title' }] },
      { fileName: 'a.tsv', columns: [{ fieldName: 'title' }], fileType: 'csv' },
      { columns: [{ fieldName: 'title' }], fileType: 'json' },
    ],
  });
  t.like(download, { fileName: 'out.tar.gz', contentType: 'application/gzip', total: 12 });
  const titles = 'Title\nAtlas\nBees\nClouds\nDunes\n';
  t.deepEqual(await tarEntries(download.content), [
    ['a.tsv', titles],
    ['a-2.tsv', titles],
    ['book.json', '{"title":"Atlas"}\n{"title":"Bees"}\n{"title":"Clouds"}\n{"title":"Dunes"}\n'],
  ]);
});

test('a manifest is given where it is requested, and says what the files hold', async (t) => {
  const catalogue = library({ downloads: { allowCustomMaxRows: true, maxRows: null, rowCap: null } });
  const files = [
    { fileName: 'all.tsv', columns: [{ fieldName: 'title' }] },
    { fileName: 'some.tsv', columns: [{ fieldName: 'title' }], maxRows: 3 },
  ];
  const entries = await tarEntries((await open({ manifest: true, files }, catalogue)).content);
  t.deepEqual(
    entries.map(([name]) => name),
    ['all.tsv', 'some.tsv', 'manifest.json'],
  );
  const manifest = JSON.parse(entries.at(-1)![1]) as Manifest;
  const sums = entries.slice(0, 2).map(([, content]) => hash('sha256', content));
  t.deepEqual(
    manifest.files.map(({ rows, sha256 }) => [rows, sha256]),
    [
      [4, sums[0]!],
      [3, sums[1]!],
    ],
  );
  t.false(manifest.complete);
  t.deepEqual(
    manifest.nodes.map(({ nodeId, state, matches, records, stopped }) => [
      ...[nodeId, state, matches, records, stopped],
    ]),
    [['library', 'ok', 8, 7, 'cut at the 3 rows of a file']],
  );
  const source = catalogueFiles(catalogue, contextWith(), 3);
  const planned = await planDownload({ files }, source);
  t.deepEqual(
    planned.files.map(({ isTruncated }) => isTruncated),
    [false, true],
  );
});

test('a refusal names the file', async (t) => {
  const bad = { columns, uniqueBy: 'title' };
  await t.throwsAsync(open({ files: [{ columns }, bad] }), { message: /^files\[1\]: uniqueBy "title"/ });
});

test('filters can be switched off', async (t) => {
  const closed = library({ switches: { ...noSwitches, disableFilters: true } });
  const filtered = { columns, sqon: { op: 'in', content: { fieldName: 'title', value: ['Bees'] } } };
  await t.throwsAsync(open({ files: [filtered] }, closed), {
    message: 'filters are disabled here',
  });
  await t.notThrowsAsync(open({ files: [{ columns, sqon: {} }] }, closed));
});

test('a failure of the first page is thrown, a later one destroys the content', async (t) => {
  const failingAt = (page: number) => {
    const catalogue = library();
    const search: typeof catalogue.search = async (query, context) => {
      if (catalogue.requested.length === page) throw new Error('the engine went away');
      return catalogue.search(query, context);
    };
    return { ...catalogue, search };
  };
  const expected = { message: 'the engine went away' };
  await t.throwsAsync(open({ files: [{ columns }] }, failingAt(1)), expected);
  const download = await open({ files: [{ columns }] }, failingAt(2));
  await t.throwsAsync(text(download.content), expected);
});

test('content that is destroyed asks for nothing more', async (t) => {
  const catalogue = library();
  const download = await open({ files: [{ columns }] }, catalogue, { pageRows: 1 });
  download.content.destroy();
  await new Promise((resolve) => download.content.once('close', resolve));
  t.is(catalogue.requested.length, 2);
});
