import test from 'ava';
import type { ReadingOptions } from '../../../../src/indexing/file-import/records/source-record.ts';
import { plainReading } from '../../../../src/indexing/file-import/records/source-record.ts';
import { planImport } from '../../../../src/indexing/file-import/plan-import.ts';
import { chunksOf, collect } from '../collect.ts';

const read = async (text: string, reading: Partial<ReadingOptions> = {}, mapping: object | null = null) => {
  const request = {
    chunks: chunksOf(text),
    format: 'csv',
    mapping: mapping as never,
    idField: undefined,
    replace: false,
  } as const;
  const plan = await planImport({ ...request, reading: { ...plainReading, ...reading } }, null);
  const records = await collect(plan.records);
  const rows = records.map((one) => (one.kind === 'document' ? one.document : one));
  return {
    rows,
    notices: plan.notices,
    labels: plan.header.map(({ label }) => label),
    columns: plan.columns,
    properties: plan.properties,
  };
};

test('a dot at the end of a header and in an abbreviation is part of the name', async (t) => {
  const { rows, labels, notices } = await read('Nr.;Inv. Nr.;Titel\n1;A-1;Stuhl\n2;A-2;Tisch\n');
  t.deepEqual(rows, [
    { Nr: 1, Inv_Nr: 'A-1', Titel: 'Stuhl' },
    { Nr: 2, Inv_Nr: 'A-2', Titel: 'Tisch' },
  ]);
  t.deepEqual(labels, ['Nr.', 'Inv. Nr.', 'Titel']);
  t.deepEqual(notices, [
    'dots are part of names: "Nr." as Nr, "Inv. Nr." as Inv_Nr (--dots objects makes objects of them)',
  ]);
});

for (const [header, fields, reading, mapping] of [
  ['eGFR (mL/min/1.73m²),tumor.stage..AJCC.', ['eGFR (mL/min/1_73m²)', 'tumor_stage_AJCC']],
  ['donor.age,donor.sex,id', ['donor.age', 'donor.sex', 'id']],
  ['donor.age,id', ['donor_age', 'id']],
  ['donor.age,id', ['donor.age', 'id'], { dots: 'objects' }],
  ['donor.age,donor.sex', ['donor_age', 'donor_sex'], { dots: 'text' }],
  ['donor,donor.age,donor.sex', ['donor', 'donor_age', 'donor_sex']],
  ['donor.age,id', ['donor.age', 'id'], {}, { donor: { properties: { age: { type: 'long' } } } }],
  ['a.b,a_b', ['a_b_2', 'a_b']],
  [
    '患者.年齢,患者.性別,患者.id',
    ['column_9db4a3b3.column_18a91230', 'column_9db4a3b3.column_5f276e7a', 'column_9db4a3b3.id'],
  ],
  ['.a,b.', ['a', 'b']],
  ['µg,β-glucan', ['µg', 'β-glucan']],
] as const)
  test(`${header}${reading ? ` with ${JSON.stringify(reading)}` : ''}${mapping ? ' mapped' : ''}: fields ${fields.join(' | ')}`, async (t) => {
    const supplied = mapping === undefined ? null : { dynamic: true, properties: mapping };
    const { columns } = await read(
      `${header}\n${header
        .split(',')
        .map(() => '1')
        .join(',')}\n`,
      reading,
      supplied,
    );
    t.deepEqual(columns, fields as unknown as string[]);
  });

test('names outside the Latin script get names of their own, the same wherever the columns are', async (t) => {
  const { rows, labels, columns, notices } = await read('患者号,性别,年龄\n1,女,30\n2,男,41\n');
  t.deepEqual(labels, ['患者号', '性别', '年龄']);
  t.is(new Set(columns).size, 3);
  t.true(columns?.every((name) => /^column_[0-9a-f]{8}$/.test(name)));
  t.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      [1, '女', 30],
      [2, '男', 41],
    ],
  );
  t.regex(notices[0]!, /^names that GraphQL cannot have are loaded under others: "患者号" as column_/);
  t.deepEqual((await read('年龄,患者号\n1,2\n')).columns, [columns![2]!, columns![0]!]);
});

test('types in the header reach the field made of it', async (t) => {
  const { rows, properties } = await read('Nr.,年龄\n1,30\n', {
    types: new Map([
      ['Nr.', 'keyword'],
      ['年龄', 'double'],
    ]),
  });
  t.is((rows[0] as Record<string, unknown>)['Nr'], '1');
  t.like(properties, { Nr: { type: 'keyword' } });
  t.is(Object.values(properties as Record<string, { type: string }>)[1]?.type, 'double');
});

for (const [what, text] of [
  ['a blank first name', '"","sex","age"\n"1","F",61\n"2","M",70\n'],
  ['no first name', '"sex","age"\n"1","F",61\n"2","M",70\n'],
] as const)
  test(`row names as R writes them: ${what}`, async (t) => {
    const { rows, notices } = await read(text);
    t.deepEqual(rows, [
      { column_1: 1, sex: 'F', age: 61 },
      { column_1: 2, sex: 'M', age: 70 },
    ]);
    t.deepEqual(notices, ['columns without a name in the header are loaded as column_1']);
  });

test('a column without a name is not listed while it is empty', async (t) => {
  const { columns, notices } = await read('a,,b\n1,,3\n');
  t.deepEqual([columns, notices], [['a', 'b'], []]);
});

test('names that occur again get a number, all named at once', async (t) => {
  const { rows, notices, labels } = await read('id,age,,age,sex,sex,\n1,30,x,31,F,F,\n2,40,y,41,M,M,\n');
  t.deepEqual(rows[0], { id: 1, age: 30, column_3: 'x', age_2: 31, sex: 'F', sex_2: 'F' });
  t.deepEqual(labels.slice(0, 6), ['id', 'age', 'column_3', 'age 2', 'sex', 'sex 2']);
  t.deepEqual(notices, [
    'names that occur again in the header are loaded with a number: age (column 4 as column 2) as age_2, sex (column 6 as column 5) as sex_2',
    'columns without a name in the header are loaded as column_3',
  ]);
  t.deepEqual((await read('a,a,a_2\n1,2,3\n')).columns, ['a', 'a_3', 'a_2']);
});

test('fields have the order of the columns, whichever has the first value', async (t) => {
  const { properties } = await read('a,b,c,d\n1,,3,4\n2,5,6,7\n');
  t.deepEqual(Object.keys(properties), ['a', 'b', 'c', 'd']);
});

test('rows whose last cells were trimmed are padded with a notice, longer ones rejected with the cell', async (t) => {
  const { rows, notices } = await read('id,a,b,c\n1,x,y,z\n2,x\n3,x,y\n4,p,q,r\n5,p,q,r,s\n');
  t.deepEqual(rows.slice(0, 4), [
    { id: 1, a: 'x', b: 'y', c: 'z' },
    { id: 2, a: 'x' },
    { id: 3, a: 'x', b: 'y' },
    { id: 4, a: 'p', b: 'q', c: 'r' },
  ]);
  t.like(rows[4], { kind: 'bad', line: 6, reason: '5 cells where the header has 4: cell 5 is "s"' });
  t.deepEqual(notices, [
    '2 rows have fewer cells than the header, and nothing in the last columns (lines 3, 4)',
  ]);
});
