import test from 'ava';
import type { DownloadsConfig } from '../../../src/introspection/fields/catalogue-config.ts';
import { filePlan } from '../../../src/local/download/file-plan.ts';
import { parseDownload } from '../../../src/local/download/parse-download.ts';
import { library } from './download-fixture.ts';

const unlimited: DownloadsConfig = { allowCustomMaxRows: false, maxRows: null, rowCap: null };

const plan = (file: object, downloads = unlimited) =>
  filePlan(
    parseDownload({ files: [{ columns: [{ fieldName: 'title' }], ...file }] }).files[0]!,
    library({ downloads }),
  );

const limits: readonly [
  string,
  number | undefined,
  { allowed: boolean; own: number | null; cap: number | null },
  number | null,
][] = [
  ['none by default', undefined, { allowed: false, own: null, cap: null }, null],
  ["the catalogue's own", undefined, { allowed: false, own: 3, cap: null }, 3],
  ['the request does not count unless it is allowed', 2, { allowed: false, own: 3, cap: null }, 3],
  ['nor without one', 2, { allowed: false, own: null, cap: null }, null],
  ['an allowed request counts', 2, { allowed: true, own: null, cap: null }, 2],
  ["also past the catalogue's own", 5, { allowed: true, own: 3, cap: null }, 5],
  ["up to the operator's", 5, { allowed: true, own: 3, cap: 4 }, 4],
  ['which needs no other', 5, { allowed: true, own: null, cap: 4 }, 4],
  ['0 asks for nothing of its own', 0, { allowed: true, own: 3, cap: null }, 3],
];

for (const [name, maxRows, { allowed, own, cap }, limit] of limits)
  test(`row limit: ${name}`, (t) => {
    t.is(plan({ maxRows }, { allowCustomMaxRows: allowed, maxRows: own, rowCap: cap }).limit, limit);
  });

test('only what the columns show is requested, objects whole where they are rows, counted or picked', (t) => {
  const needs = (file: object) => plan(file).query.hits.fields;
  const columns = [
    { fieldName: 'title' },
    { fieldName: 'copies.state', jsonPath: '$.copies.hits.edges[*].node.state' },
    { fieldName: 'extra.any.thing' },
    { fieldName: 'gone' },
  ];
  t.deepEqual(needs({ columns }), ['title', 'copies.state', 'extra']);
  t.deepEqual(needs({ columns: [{ fieldName: 'copies.hits.total' }] }), ['copies']);
  t.deepEqual(needs({ columns: [{ jsonPath: '$.copies.hits.edges[0].node.state' }] }), ['copies']);
  t.deepEqual(needs({ uniqueBy: 'copies.loans' }), ['title', 'copies.loans']);
});
