import test from 'ava';
import { filePlan } from '../../../src/local/download/file-plan.ts';
import { parseDownload } from '../../../src/local/download/parse-download.ts';
import { library } from './download-fixture.ts';

const plan = (file: object, downloads = { allowCustomMaxRows: false, maxRows: null as number | null }) =>
  filePlan(
    parseDownload({ files: [{ columns: [{ fieldName: 'title' }], ...file }] }).files[0]!,
    library({ downloads }),
  );

const limits: readonly [string, number | undefined, boolean, number | null, number | null][] = [
  ['no cap by default', undefined, false, null, null],
  ['the catalogue caps', undefined, false, 3, 3],
  ['the request does not count unless it is allowed', 2, false, 3, 3],
  ['nor without a cap', 2, false, null, null],
  ['an allowed request counts', 2, true, null, 2],
  ['also past the cap', 5, true, 3, 5],
  ['0 asks for nothing of its own', 0, true, 3, 3],
];

for (const [name, maxRows, allowCustomMaxRows, cap, limit] of limits)
  test(`row limit: ${name}`, (t) => {
    t.is(plan({ maxRows }, { allowCustomMaxRows, maxRows: cap }).limit, limit);
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
