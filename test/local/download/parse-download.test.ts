import test from 'ava';
import { parseDownload } from '../../../src/local/download/parse-download.ts';
import { leaf } from '../../../src/sqon/ast.ts';

const columns = [{ fieldName: 'title' }];

test('a file that says nothing but its columns is a whole TSV', (t) => {
  t.deepEqual(parseDownload({ files: [{ columns }] }), {
    fileName: null,
    files: [
      {
        fileName: null,
        fileType: 'tsv',
        columns,
        sqon: null,
        sort: [],
        uniqueBy: null,
        maxRows: null,
        valueWhenEmpty: '--',
        escapeFormulas: true,
        bom: false,
      },
    ],
    ...{ only: null, aborts: false, manifest: false },
  });
});

test('what the download says goes for files that do not say it', (t) => {
  const { fileName, files } = parseDownload({
    fileName: 'all',
    fileType: 'CSV',
    valueWhenEmpty: 'none',
    maxRows: 5,
    chunkSize: 7,
    mock: true,
    files: [{ columns }, { columns, fileType: 'json', valueWhenEmpty: '', maxRows: 0 }],
  });
  t.is(fileName, 'all');
  t.deepEqual(
    files.map(({ fileType, valueWhenEmpty, maxRows }) => ({ fileType, valueWhenEmpty, maxRows })),
    [
      { fileType: 'csv', valueWhenEmpty: 'none', maxRows: 5 },
      { fileType: 'json', valueWhenEmpty: '', maxRows: 0 },
    ],
  );
});

test('filter and sort are read, empty keys of portals are none', (t) => {
  const [file] = parseDownload({
    files: [
      {
        columns: [{ fieldName: 'title', accessor: null, displayFormat: null, id: null, show: false }],
        uniqueBy: '',
        sqon: { op: '=', content: { fieldName: 'title', value: 'Bees' } },
        sort: [{ fieldName: 'title' }, { fieldName: 'pages', order: 'desc', mode: 'max', missing: 'first' }],
      },
    ],
  }).files;
  t.deepEqual(file!.sqon, leaf('in', 'title', ['Bees']));
  t.deepEqual(file!.sort, [
    { fieldName: 'title', order: 'asc' },
    { fieldName: 'pages', order: 'desc', mode: 'max', missing: 'first' },
  ]);
  t.is(file!.uniqueBy, null);
});

const refused: readonly [unknown, string][] = [
  [null, 'params: an object with the key files expected'],
  [{}, 'params, files: a list of files expected'],
  [{ files: [] }, 'params, files: at least one file expected'],
  [{ files: [{ fileName: 'a.tsv' }] }, 'params, files[0].columns: a list of columns expected'],
  [{ files: [{ columns: [] }] }, 'params, files[0].columns: at least one column expected'],
  [{ files: [{ columns: [{ show: true }] }] }, 'params, files[0].columns[0]: a column needs a fieldName'],
  [{ files: [{ columns, fileType: 'xlsx' }] }, 'params, files[0].fileType: tsv, csv or json expected'],
  [{ files: [{ columns, maxRows: -1 }] }, 'params, files[0].maxRows: a number of rows of 0 or more expected'],
  [
    { files: [{ columns, sort: [{ fieldName: 'title', order: 'up' }] }] },
    'params, files[0].sort[0].order: asc or desc expected',
  ],
  [{ files: ['donors.tsv'] }, 'params, files[0]: an object with the key columns expected'],
  [
    { files: [{ columns: ['title'] }] },
    'params, files[0].columns[0]: an object with the key fieldName expected',
  ],
  [
    { files: [{ columns, sort: ['title'] }] },
    'params, files[0].sort[0]: an object with the key fieldName expected',
  ],
  [{ files: [{ columns, sqom: null }] }, 'params, files[0].sqom: an unknown key: did you mean sqon?'],
  [
    { files: [{ columns }, { columns, maxrows: 5 }] },
    'params, files[1].maxrows: an unknown key: did you mean maxRows?',
  ],
  [
    { files: [{ columns, sort: [{ fieldName: 'title', oder: 'desc' }] }] },
    'params, files[0].sort[0].oder: an unknown key: did you mean order?',
  ],
  [
    { valueWhenEmtpy: '', files: [{ columns }] },
    'params, valueWhenEmtpy: an unknown key: did you mean valueWhenEmpty?',
  ],
  [{ files: [{ columns, filters: {} }] }, 'params, files[0].filters: an unknown key: did you mean sqon?'],
  [{ files: [{ columns, filter: {} }] }, 'params, files[0].filter: an unknown key: did you mean sqon?'],
  [{ sqon: {}, files: [{ columns }] }, 'params, sqon: an unknown key: did you mean files[0].sqon?'],
  [{ filters: {}, files: [{ columns }] }, 'params, filters: an unknown key: did you mean files[0].sqon?'],
];

for (const [params, message] of refused)
  test(`refused: ${message}`, (t) => {
    t.like(
      t.throws(() => parseDownload(params)),
      { code: 'BAD_USER_INPUT', message },
    );
  });

test('a malformed filter is refused with its file', (t) => {
  const error = t.throws(() =>
    parseDownload({ files: [{ columns }, { columns, sqon: { op: 'like', content: {} } }] }),
  );
  t.like(error, { code: 'BAD_USER_INPUT' });
  t.regex(error!.message, /^files\[1\]\.sqon: /);
});

test('keys of clients that nobody reads are ignored: they look like none that is read, or stand beside it', (t) => {
  const sort = [{ fieldName: 'title', desc: true }];
  const file = {
    columns: [{ fieldName: 'title', fieldNames: [], sortable: true }],
    sort,
    index: 'a',
    chunkSize: 1,
  };
  const params = { chunkSize: 1, mock: false, id: 'x', fileName: 'a', filename: 'b', files: [file] };
  const filtered = { ...file, sqon: null, filters: {} };
  t.is(parseDownload({ ...params, sqon: {}, files: [filtered] }).fileName, 'a');
  t.is(parseDownload(params).fileName, 'a');
});

test('a slip of a key that networks read is refused for a catalogue, too', (t) => {
  const message = 'params, nodeFilter: an unknown key: did you mean nodesFilter?';
  t.throws(() => parseDownload({ nodeFilter: [], files: [{ columns }] }), { message });
});

test('a download names its nodes, and what a node that fails means', (t) => {
  const files = [{ columns }];
  const { only, aborts, manifest } = parseDownload({
    ...{ nodesFilter: ['eu', null], onFailure: 'abort', manifest: true, files },
  });
  t.deepEqual({ only, aborts, manifest }, { only: new Set(['eu']), aborts: true, manifest: true });
  t.is(parseDownload({ nodesFilter: [], files }).only, null);
});
