import test from 'ava';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { detectFormat } from '../../../../src/indexing/file-import/records/detect-format.ts';
import { readParquet } from '../../../../src/indexing/file-import/records/read-parquet.ts';
import { plainReading } from '../../../../src/indexing/file-import/records/source-record.ts';
import { chunksOf, collect } from '../collect.ts';

const file = (
  columnData: Parameters<typeof parquetWriteBuffer>[0]['columnData'],
  options: Partial<Parameters<typeof parquetWriteBuffer>[0]> = {},
): Buffer => Buffer.from(parquetWriteBuffer({ columnData, ...options }));

const read = (bytes: Buffer) => collect(readParquet(chunksOf(bytes, 1_000)));

test('rows are documents with the values of their types', async (t) => {
  const bytes = file([
    { name: 'id', data: ['a', 'b'], type: 'STRING' },
    { name: 'year', data: [1850, 1900], type: 'INT32' },
    { name: 'price', data: [1.5, null], type: 'DOUBLE', nullable: true },
    { name: 'shown', data: [true, false], type: 'BOOLEAN' },
    { name: 'taken', data: [new Date('2020-02-29T12:00:00Z'), new Date(0)], type: 'TIMESTAMP' },
    { name: '__proto__', data: ['constructor', 'toString'], type: 'STRING' },
  ]);
  t.is(detectFormat(bytes), 'parquet');
  t.deepEqual(
    (await read(bytes)).map((record) => record.kind === 'document' && [record.line, JSON.stringify(record.document)]), // prettier-ignore
    [
      [1, '{"id":"a","year":1850,"price":1.5,"shown":true,"taken":"2020-02-29T12:00:00.000Z","__proto__":"constructor"}'],
      [2, '{"id":"b","year":1900,"shown":false,"taken":"1970-01-01T00:00:00.000Z","__proto__":"toString"}'],
    ],
  ); // prettier-ignore
});

test('digits past 2^53 are kept, their type is a number', async (t) => {
  const [record] = await read(file([{ name: 'n', data: [9007199254740993n, 5n], type: 'INT64' }]));
  t.like(record, { document: { n: '9007199254740993' }, rounded: { n: 9007199254740992 } });
});

test('several row groups are read one after the other', async (t) => {
  const data = Array.from({ length: 25 }, (_, at) => at);
  const records = await read(file([{ name: 'n', data, type: 'INT32' }], { rowGroupSize: 10 }));
  t.deepEqual(records.map((record) => record.kind === 'document' && [record.line, record.document['n']]), data.map((n) => [n + 1, n])); // prettier-ignore
});

test('a damaged file is refused with the reason', async (t) => {
  const bytes = file([{ name: 'n', data: [1, 2], type: 'INT32' }]);
  await t.throwsAsync(read(bytes.subarray(0, -5)), { code: 'INPUT_INVALID', message: /the Parquet file is damaged/ }); // prettier-ignore
  await t.throwsAsync(read(Buffer.from('PAR1')), { code: 'INPUT_INVALID', message: /the Parquet file is damaged/ }); // prettier-ignore
});

test('single-precision numbers have their shortest decimals, and declared fractions are told', async (t) => {
  const bytes = file([{ name: 'f', data: [0.1, 3], type: 'FLOAT' }, { name: 'd', data: [1, 2], type: 'DOUBLE' }, { name: 'n', data: [1, 2], type: 'INT32' }]); // prettier-ignore
  const declared: (readonly [string, string])[] = [];
  const onTypes = (types: ReadonlyMap<string, string>): void => void declared.push(...types);
  const records = await collect(readParquet(chunksOf(bytes, 1_000), 0, null, { ...plainReading, onTypes }));
  t.deepEqual(records.map((record) => record.kind === 'document' && record.document), [{ f: 0.1, d: 1, n: 1 }, { f: 3, d: 2, n: 2 }]); // prettier-ignore
  t.deepEqual(declared, [['f', 'float'], ['d', 'double']]); // prettier-ignore
});
