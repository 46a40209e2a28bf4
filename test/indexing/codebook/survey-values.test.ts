import test from 'ava';
import { surveyValues } from '../../../src/indexing/codebook/survey-values.ts';
import { chunksOf } from '../file-import/collect.ts';

test('a file is read once to compare it with a codebook, codes as they are written', async (t) => {
  let reads = 0;
  const reread = () => {
    reads += 1;
    return chunksOf('id,site,age\n1,01,44\n2,02,old\n');
  };
  const plain = { missing: [], isIdentifier: false };
  const book = new Map([
    ['site', { ...plain, values: new Map([['01', 'North']]) }],
    ['age', { ...plain, values: new Map(), type: 'long' }],
    ['sex', { ...plain, values: new Map() }],
  ]);
  const request = { format: 'csv', mapping: null, idField: undefined, replace: false } as const;
  const { fields, columns } = await surveyValues({ ...request, chunks: chunksOf(''), reread }, book);
  t.is(reads, 1);
  t.deepEqual(fields.get('site'), { values: new Set(['01', '02']), misfit: null });
  t.deepEqual(fields.get('age')?.misfit, { line: 3, value: 'old' });
  t.deepEqual(
    columns.map(({ field }) => field),
    ['id', 'site', 'age'],
  );
});
