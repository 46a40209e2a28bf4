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
    (await read(bytes)).map(
      (record) => record.kind === 'document' && [record.line, JSON.stringify(record.document)],
    ),
    [
      [
        1,
        '{"id":"a","year":1850,"price":1.5,"shown":true,"taken":"2020-02-29T12:00:00.000Z","__proto__":"constructor"}',
      ],
      [2, '{"id":"b","year":1900,"shown":false,"taken":"1970-01-01T00:00:00.000Z","__proto__":"toString"}'],
    ],
  );
});

test('digits past 2^53 are kept, their type is a number', async (t) => {
  const [record] = await read(file([{ name: 'n', data: [9007199254740993n, 5n], type: 'INT64' }]));
  t.like(record, { document: { n: '9007199254740993' }, rounded: { n: 9007199254740992 } });
});

test('several row groups are read one after the other', async (t) => {
  const data = Array.from({ length: 25 }, (_, at) => at);
  const records = await read(file([{ name: 'n', data, type: 'INT32' }], { rowGroupSize: 10 }));
  t.deepEqual(
    records.map((record) => record.kind === 'document' && [record.line, record.document['n']]),
    data.map((n) => [n + 1, n]),
  );
});

test('a damaged file is refused with the reason', async (t) => {
  const bytes = file([{ name: 'n', data: [1, 2], type: 'INT32' }]);
  await t.throwsAsync(read(bytes.subarray(0, -5)), {
    code: 'INPUT_INVALID',
    message: /the Parquet file is damaged/,
  });
  await t.throwsAsync(read(Buffer.from('PAR1')), {
    code: 'INPUT_INVALID',
    message: /the Parquet file is damaged/,
  });
});

test('single-precision numbers have their shortest decimals, and declared fractions are named', async (t) => {
  const bytes = file([
    { name: 'f', data: [0.1, 3], type: 'FLOAT' },
    { name: 'd', data: [1, 2], type: 'DOUBLE' },
    { name: 'n', data: [1, 2], type: 'INT32' },
  ]);
  const declared: (readonly [string, string])[] = [];
  const onTypes = (types: ReadonlyMap<string, string>): void => void declared.push(...types);
  const records = await collect(readParquet(chunksOf(bytes, 1_000), 0, null, { ...plainReading, onTypes }));
  t.deepEqual(
    records.map((record) => record.kind === 'document' && record.document),
    [
      { f: 0.1, d: 1, n: 1 },
      { f: 3, d: 2, n: 2 },
    ],
  );
  t.deepEqual(declared, [
    ['f', 'float'],
    ['d', 'double'],
  ]);
});

test('decimals and times are exact, and what is not finite is reported', async (t) => {
  const decimal = (
    name: string,
    type: 'INT32' | 'INT64' | 'BYTE_ARRAY' | 'FIXED_LEN_BYTE_ARRAY',
    scale: number,
    more = {},
  ) =>
    ({
      name,
      type,
      converted_type: 'DECIMAL',
      scale,
      precision: 38,
      repetition_type: 'REQUIRED',
      ...more,
    }) as const;
  const time = (name: string, unit: 'MICROS' | 'NANOS') =>
    ({
      name,
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit },
      repetition_type: 'REQUIRED',
    }) as const;
  const written = Buffer.from(
    parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 6 },
        decimal('a', 'INT32', 1),
        decimal('b', 'INT64', 2),
        decimal('c', 'FIXED_LEN_BYTE_ARRAY', 20, { type_length: 16 }),
        time('t', 'MICROS'),
        time('n', 'NANOS'),
        { name: 'x', type: 'DOUBLE', repetition_type: 'REQUIRED' },
      ],
      columnData: [
        { name: 'a', data: [3n, -7n] },
        { name: 'b', data: [123456789012345678n, 500n] },
        { name: 'c', data: [100000000000000000001n, -50000000000000000000n] },
        { name: 't', data: [1_577_836_800_123_456n, -1n] },
        { name: 'n', data: [1_577_836_800_123_000_000n, 1n] },
        { name: 'x', data: [Number.NaN, Infinity] },
      ],
    }),
  );
  const notices: string[] = [];
  const onNotice = (text: string): void => void notices.push(text);
  const records = await collect(
    readParquet(chunksOf(written, 1_000), 0, null, { ...plainReading, onNotice }),
  );
  t.deepEqual(
    records.map((record) => record.kind === 'document' && record.document),
    [
      {
        a: 0.3,
        b: '1234567890123456.78',
        c: '1.00000000000000000001',
        t: '2020-01-01T00:00:00.123456Z',
        n: '2020-01-01T00:00:00.123Z',
      },
      { a: -0.7, b: 5, c: -0.5, t: '1969-12-31T23:59:59.999999Z', n: '1970-01-01T00:00:00.000000001Z' },
    ],
  );
  t.like(records[0], { rounded: { a: 0.3, b: 1234567890123456.8, c: 1 } });
  t.deepEqual(notices, ['2 values of x are NaN or infinite and are empty']);
});

test('times and dates that are never are empty, which is reported', async (t) => {
  const time = { type: 'INT64', repetition_type: 'REQUIRED' } as const;
  const schema = [
    { name: 'root', num_children: 3 },
    { name: 'until', ...time, logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } },
    { name: 'day', type: 'INT32', converted_type: 'DATE', repetition_type: 'REQUIRED' },
    { name: 'clock', ...time, logical_type: { type: 'TIME', isAdjustedToUTC: true, unit: 'MICROS' } },
  ] as const;
  const columns = [
    { name: 'until', data: [0n, 2n ** 63n - 1n] },
    { name: 'day', data: [0, 2 ** 31 - 1] },
    { name: 'clock', data: [0n, 2n ** 63n - 1n] },
  ];
  const notices: string[] = [];
  const reading = { ...plainReading, onNotice: (notice: string) => void notices.push(notice) };
  const bytes = file(columns, { schema: [...schema] });
  const records = await collect(readParquet(chunksOf(bytes), undefined, null, reading));
  t.deepEqual(records.map((record) => record.kind === 'document' && record.document) as unknown, [
    { until: '1970-01-01T00:00:00.000Z', day: '1970-01-01', clock: '00:00:00' },
    {},
  ]);
  t.deepEqual(
    notices,
    ['until', 'day', 'clock'].map((name) => `1 value of ${name} is NaN or infinite and is empty`),
  );
});

test('times of day are texts, and bytes that are not text base64, which is reported', async (t) => {
  const columns = [
    { name: 'ms', data: [34_200_000, 1] },
    { name: 'us', data: [34_200_123_456n, 0n] },
    { name: 'bytes', data: [new Uint8Array([0, 255]), new Uint8Array([97])] },
  ];
  const schema = [
    { name: 'root', num_children: 3 },
    { name: 'ms', type: 'INT32', converted_type: 'TIME_MILLIS', repetition_type: 'REQUIRED' },
    {
      name: 'us',
      type: 'INT64',
      logical_type: { type: 'TIME', isAdjustedToUTC: true, unit: 'MICROS' },
      repetition_type: 'REQUIRED',
    },
    { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' },
  ] as const;
  const notices: string[] = [];
  const bytes = file(columns, { schema: [...schema] });
  const reading = { ...plainReading, onNotice: (notice: string) => void notices.push(notice) };
  const records = await collect(readParquet(chunksOf(bytes), undefined, null, reading));
  t.deepEqual(records.map((record) => record.kind === 'document' && record.document) as unknown, [
    { ms: '09:30:00', us: '09:30:00.123456', bytes: 'AP8=' },
    { ms: '00:00:00.001', us: '00:00:00', bytes: 'a' },
  ]);
  t.deepEqual(notices, ['bytes that are not text are loaded as base64']);
});

test('bytes of a fixed length are texts or base64, and NaN in lists is reported', async (t) => {
  const schema = [
    { name: 'root', num_children: 2 },
    { name: 'fixed', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, repetition_type: 'REQUIRED' },
    { name: 'list', converted_type: 'LIST', num_children: 1, repetition_type: 'OPTIONAL' },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    { name: 'element', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  ] as const;
  const columns = [
    { name: 'fixed', data: [new Uint8Array([0, 255]), new Uint8Array([97, 98])] },
    { name: 'list', data: [[1, NaN, 2], [Infinity]] },
  ];
  const notices: string[] = [];
  const reading = { ...plainReading, onNotice: (notice: string) => void notices.push(notice) };
  const records = await collect(
    readParquet(chunksOf(file(columns, { schema: [...schema] })), undefined, null, reading),
  );
  t.deepEqual(records.map((record) => record.kind === 'document' && record.document) as unknown, [
    { fixed: 'AP8=', list: [1, null, 2] },
    { fixed: 'ab', list: [null] },
  ]);
  t.deepEqual(notices, [
    '2 values of list are NaN or infinite and are empty',
    'bytes that are not text are loaded as base64',
  ]);
});

test('columns of JSON keep their digits, and what is not JSON is text', async (t) => {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
  const data = [
    { n: rawJSON('9007199254740993'), f: rawJSON('0.12345678901234567891'), s: '9007199254740993' },
    [rawJSON('1e400'), 5],
    '123',
  ];
  const written = file([{ name: 'j', data, type: 'JSON' }], { codec: 'UNCOMPRESSED', statistics: false });
  const bytes = Buffer.from(written.toString('latin1').replace('"123"', '{oops'), 'latin1');
  const records = await read(bytes);
  t.deepEqual(records.map((record) => record.kind === 'document' && record.document) as unknown, [
    { j: { n: '9007199254740993', f: '0.12345678901234567891', s: '9007199254740993' } },
    { j: ['1e400', 5] },
    { j: '{oops' },
  ]);
  t.like(records[0], {
    rounded: { j: { n: 9007199254740992, f: 0.12345678901234568, s: '9007199254740993' } },
  });
});

test('decimals, times of day and singles inside lists, maps and objects are read as those outside', async (t) => {
  const decimal = (name: string) =>
    ({
      name,
      type: 'INT64',
      converted_type: 'DECIMAL',
      scale: 2,
      precision: 10,
      repetition_type: 'OPTIONAL',
    }) as const;
  const group = (name: string, children: number, more = {}) =>
    ({ name, num_children: children, repetition_type: 'OPTIONAL', ...more }) as const;
  const schema = [
    { name: 'root', num_children: 3 },
    group('map', 1, { converted_type: 'MAP' }),
    group('key_value', 2, { repetition_type: 'REPEATED' }),
    { name: 'key', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
    group('value', 2),
    decimal('price'),
    { name: 'at', type: 'INT32', converted_type: 'TIME_MILLIS', repetition_type: 'OPTIONAL' },
    group('list', 1, { converted_type: 'LIST' }),
    group('list', 1, { repetition_type: 'REPEATED' }),
    decimal('element'),
    group('object', 1),
    { name: 'single', type: 'FLOAT', repetition_type: 'OPTIONAL' },
  ] as const;
  const columns = [
    { name: 'map', data: [{ x: { price: 1234n, at: 34_200_000 }, value: { price: 5n } }] },
    { name: 'list', data: [[1234n, null]] },
    { name: 'object', data: [{ single: 0.1 }] },
  ];
  const [record] = await read(file(columns, { schema: [...schema] }));
  t.deepEqual(record?.kind === 'document' && (record.document as unknown), {
    map: { x: { price: 12.34, at: '09:30:00' }, value: { price: 0.05 } },
    list: [12.34, null],
    object: { single: 0.1 },
  });
});

test('a row counts for the texts in it, so that what is held of rows is bounded', async (t) => {
  const [record] = await read(file([{ name: 'text', data: ['x'.repeat(1_000)], type: 'STRING' }]));
  t.true(record?.kind === 'document' && record.bytes >= 1_000);
});
