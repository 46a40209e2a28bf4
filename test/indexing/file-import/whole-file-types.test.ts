import test from 'ava';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { summarizeFields } from '../../../src/indexing/file-import/inference/summarize-fields.ts';
import type { RejectsFile } from '../../../src/indexing/file-import/rejects-file.ts';
import type { Trial } from '../../../src/indexing/file-import/try-import.ts';
import { optionText } from '../../../src/indexing/file-import/inference/proposals.ts';
import { readingOptions } from '../../../src/cli/load/load-options.ts';
import { plainReading } from '../../../src/indexing/file-import/records/source-record.ts';
import { importFile } from '../../../src/indexing/file-import/import-file.ts';
import { chunksOf } from './collect.ts';
import { load } from './load-file.ts';
import { memoryEngine } from '../memory-engine.ts';

const numbered = (count: number, value: (at: number) => unknown): string =>
  Array.from({ length: count }, (_, at) => `${String(at)},${String(value(at))}\n`).join('');

const asNdjson = (header: string, rows: string): string =>
  rows
    .trim()
    .split('\n')
    .map((row) => {
      const [id, value = ''] = row.split(',');
      const isNumber = /^-?\d+(\.\d+)?$/.test(value) && !/^0\d/.test(value);
      return `{"id":"${id!}","${header}":${isNumber ? value : JSON.stringify(value)}}\n`;
    })
    .join('');

for (const [format, text] of [
  ['csv', 'id,mean\na,45.6666666666666667\nb,2\nc,-0.12345678901234567890\n'],
  ['csv', 'id\tmean\na\t45.6666666666666667\nb\t2\nc\t-0.12345678901234567890\n'],
  [
    'ndjson',
    '{"id":"a","mean":45.6666666666666667}\n{"id":"b","mean":2}\n{"id":"c","mean":-0.12345678901234567890}\n',
  ],
  [
    'json',
    '[{"id":"a","mean":45.6666666666666667},{"id":"b","mean":2},{"id":"c","mean":-0.12345678901234567890}]',
  ],
  [
    'json',
    '{"results":[{"id":"a","mean":45.6666666666666667},{"id":"b","mean":2},{"id":"c","mean":-0.12345678901234567890}]}',
  ],
] as const) {
  const name = `${format} ${text.slice(0, 20)}`;
  const line = format === 'csv' ? 2 : 1;
  for (const mapping of [null, { properties: { id: { type: 'keyword' }, mean: { type: 'double' } } }])
    test(`fractions of more digits than a double keeps are rounded, which is reported: ${name}, ${mapping ? 'a given' : 'an inferred'} type`, async (t) => {
      const { types, documents, rejects, report, trial } = await load(text, {
        format,
        mapping,
        idField: 'id',
      });
      t.deepEqual(types, { id: 'keyword', mean: 'double' });
      t.deepEqual(documents, {
        a: { id: 'a', mean: 45.666666666666664 },
        b: { id: 'b', mean: 2 },
        c: { id: 'c', mean: -0.12345678901234568 },
      });
      t.deepEqual(rejects, []);
      const rounded = [['mean', { count: 2, first: { line, text: '45.6666666666666667' } }]];
      t.deepEqual([[...report.rounded], [...trial.rounded]] as unknown, [rounded, rounded]);
    });

  test(`the digits of fractions are kept in a field of text: ${name}`, async (t) => {
    const reading = readingOptions({ types: ['mean=keyword'] });
    const { documents, report, trial } = await load(text, { format, reading, idField: 'id' });
    t.is(documents['a']?.['mean'], '45.6666666666666667');
    t.is(documents['c']?.['mean'], '-0.12345678901234567890');
    t.deepEqual([report.rounded.size, trial.rounded.size], [0, 0]);
  });
}

test('names outside the Latin script are replaced in documents as in tables, and may be used for them', async (t) => {
  const text = '{"编号":"a","年龄":41,"患者":[{"性别":"女","city":"Wuhan"}]}\n{"编号":"b","name":"x"}\n';
  const reading = readingOptions({ types: ['年龄=integer'] });
  const { types, documents, trial } = await load(text, { format: 'ndjson', idField: '编号', reading });
  const [id, age, patient, sex] = [
    'column_fc147721',
    'column_9ee831fc',
    'column_9db4a3b3',
    'column_a752a7d8',
  ];
  t.deepEqual(documents, {
    a: { [id!]: 'a', [age!]: 41, [patient!]: [{ [sex!]: '女', city: 'Wuhan' }] },
    b: { [id!]: 'b', name: 'x' },
  });
  t.is(types[age!], 'integer');
  t.is(trial.plan.header.find(({ field }) => field === `${patient}.${sex}`)?.label, '患者.性别');
  t.true(trial.plan.notices.some((notice) => notice.includes(`"年龄" as ${age}`)));
  const mapping = { properties: { 编号: { type: 'keyword' }, 年龄: { type: 'long' } } };
  const kept = await load('{"编号":"a","年龄":41}\n', { format: 'ndjson', idField: '编号', mapping });
  t.deepEqual(kept.documents, { a: { 编号: 'a', 年龄: 41 } });
});

test('a declared type of a Parquet column is kept, though all its values are whole numbers', async (t) => {
  const bytes = Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: 'id', data: ['a'], type: 'STRING' },
        { name: 'f', data: [3], type: 'FLOAT' },
        { name: 'd', data: [1], type: 'DOUBLE' },
      ],
    }),
  );
  const { types } = await load(bytes, { format: 'parquet' });
  t.deepEqual(types, { id: 'keyword', f: 'float', d: 'double' });
});

test('the summary has the lines of the few fractions among whole numbers', async (t) => {
  const { trial } = await load(`id,score\n${late}10000,1.5\n`);
  const [, score] = summarizeFields(trial.plan.evidence, trial.plan.properties, trial.plan.columns);
  t.deepEqual(score?.fractions, { count: 1, places: [{ line: 10_002, text: '1.5' }] });
});

const proposed = (trial: Trial): readonly string[] =>
  summarizeFields(trial.plan.evidence, trial.plan.properties, trial.plan.columns).flatMap(({ proposal }) =>
    proposal === null
      ? []
      : [
          `${proposal.options.map(optionText).join(' ')}${proposal.caution === undefined ? '' : ` (${proposal.caution})`}`,
        ],
  );

test('words for no value that several columns and texts have are one question', async (t) => {
  const { trial } = await load(
    'id,name,age,weight,site,note\n1,Ann,NA,80,NA,a b\n2,Bo,30,NA,East,NA\n3,Cy,44,70,West,c d\n',
  );
  const once = '--null NA (if NA means no value in site, note too)';
  t.deepEqual(proposed(trial), [once, once]);
  const { types, documents } = await load(
    'id,name,age,weight,site,note\n1,Ann,NA,80,NA,a b\n2,Bo,30,NA,East,NA\n3,Cy,44,70,West,c d\n',
    { reading: readingOptions({ null: ['NA'] }) },
  );
  t.like(types, { age: 'long', weight: 'long', site: 'keyword' });
  t.deepEqual(documents['1'], { id: 1, name: 'Ann', weight: 80, note: 'a b' });
});

test('empty words that mean something in another column are proposed, and emptied, for their column only', async (t) => {
  const text = 'id,country,age\n1,NA,30\n2,DE,NA\n3,NA,41\n4,FR,NA\n';
  const { trial } = await load(text);
  t.deepEqual(proposed(trial), ['--null age=NA (for age only, since country has such words too)']);
  const { documents, types } = await load(text, { reading: readingOptions({ null: ['age=NA,-9'] }) });
  t.is(types['age'], 'long');
  t.deepEqual(
    [documents['1'], documents['2']],
    [
      { id: 1, country: 'NA', age: 30 },
      { id: 2, country: 'DE' },
    ],
  );
});

test('a decimal sign of one column leaves the others as they are', async (t) => {
  const reading = readingOptions({ decimal: ['w=,'] });
  const { documents } = await load('id;w;v\n1;1,5;1,5\n', { reading });
  t.deepEqual(documents['1'], { id: 1, w: 1.5, v: '1,5' });
});

test('written dates are proposed with their format, two-digit years with what they mean, and load with it', async (t) => {
  const text =
    'id,d,e,f,g,h\n1,18-May-14,May 2014,"May 18, 2014",5/18/14,2002-10-15 00:00:00\n2,02-Jun-44,June 2014,"June 2, 2014",6/2/44,2002-10-16 10:30:00\n';
  const { trial } = await load(text);
  t.deepEqual(proposed(trial), [
    '--date-format d=d-MMM-yy (years are 1930 to 2029)',
    '--types e=date --date-format "e=MMM yyyy"',
    '--date-format "f=MMM d, yyyy"',
    '--date-format g=M/d/yy (years are 1930 to 2029)',
    '--date-format "h=yyyy-MM-dd HH:mm:ss"',
  ]);
  const reading = readingOptions({
    'date-format': ['d=d-MMM-yy', 'e=MMM yyyy', 'f=MMM d, yyyy', 'g=M/d/yy', 'h=yyyy-MM-dd HH:mm:ss'],
    types: ['e=date'],
  });
  const { documents, types } = await load(text, { reading });
  t.deepEqual(documents['2'], {
    id: 2,
    d: '1944-06-02',
    e: '2014-06',
    f: '2014-06-02',
    g: '1944-06-02',
    h: '2002-10-16T10:30:00.000Z',
  });
  t.deepEqual(types, { id: 'long', d: 'date', e: 'date', f: 'date', g: 'date', h: 'date' });
});

test('digits that are a date each are proposed as dates', async (t) => {
  const { trial } = await load('id,d\n1,20140518\n2,20141231\n');
  t.deepEqual(proposed(trial), ['--types d=date --date-format yyyyMMdd']);
  const reading = { ...plainReading, dateFormat: 'yyyyMMdd', types: new Map([['d', 'date']]) };
  t.deepEqual((await load('id,d\n1,20140518\n', { reading })).documents['1'], { id: 1, d: '2014-05-18' });
});

test('a date format that matches no value is an error', async (t) => {
  const reading = { ...plainReading, dateFormat: 'dd.MM.yyyy' };
  await t.throwsAsync(load('id,d\n1,5/18/14\n', { reading }), {
    message: '--date-format dd.MM.yyyy matches no value of the file',
  });
});

const late = numbered(10_000, (at) => at % 50);

test('a fraction after the first 10 000 records makes a double, in a table and in documents', async (t) => {
  const rows = `${late}10000,1.5\n10001,2.75\n`;
  for (const request of [{}, { format: 'ndjson' as const }]) {
    const text = 'format' in request ? asNdjson('score', rows) : `id,score\n${rows}`;
    const { types, documents, report } = await load(text, request);
    t.is(types['score'], 'double');
    t.is(documents['10001']?.['score'], 2.75);
    t.like(report.counts, { created: 10_002, rejected: 0 });
  }
});

test('late leading zeros and codes with an E make a text, and every value stays as the file shows it', async (t) => {
  const { types, documents } = await load(
    `id,code\n${numbered(10_000, (at) => 100_000 + at)}10000,000123\n10001,012345\n10002,1E5\n`,
  );
  t.is(types['code'], 'keyword');
  t.deepEqual(
    [documents['0'], documents['10000'], documents['10002']],
    [
      { id: 0, code: '100000' },
      { id: 10_000, code: '000123' },
      { id: 10_002, code: '1E5' },
    ],
  );
});

test('late text in a number column and in a date column has one fate: the column is a text', async (t) => {
  const numbers = await load(`id,ulan\n${numbered(10_000, (at) => 500_000_000 + at)}10000,Q0000001\n`);
  t.is(numbers.types['ulan'], 'keyword');
  t.is(numbers.documents['10000']?.['ulan'], 'Q0000001');
  const day = (at: number): string => new Date(Date.UTC(2020, 0, 1 + (at % 300))).toISOString().slice(0, 10);
  const rows = `${numbered(10_000, day)}10000,unknown\n10001,2020-02\n10002,2020\n10003,2020-02-03T10:00\n`;
  for (const request of [{}, { format: 'ndjson' as const }]) {
    const text = 'format' in request ? asNdjson('d', rows) : `id,d\n${rows}`;
    const { types, report } = await load(text, request);
    t.is(types['d'], 'keyword');
    t.like(report.counts, { created: 10_004, rejected: 0 });
  }
});

test('a column that is empty at first gets the type of its values', async (t) => {
  const { types, documents } = await load(`id,n,b\n${numbered(10_000, () => ',')}10000,7,true\n`);
  t.deepEqual([types['n'], types['b']], ['long', 'boolean']);
  t.deepEqual(documents['10000'], { id: 10_000, n: 7, b: true });
});

test('a field of late documents, and its widening, are known before the first is written', async (t) => {
  const rows = `${late}`;
  const more = '{"id":"a","late":1}\n{"id":"b","late":1.5}\n';
  const memory = memoryEngine();
  await load('{"id":"x"}\n', { format: 'ndjson' }, memory);
  const { types } = await load(asNdjson('score', rows) + more, { format: 'ndjson' }, memory);
  t.deepEqual([types['score'], types['late']], ['long', 'double']);
});

test('with a declared type a record that does not fit is rejected with line, column and value', async (t) => {
  const mapping = {
    properties: { id: { type: 'keyword' }, n: { type: 'long' }, d: { type: 'date' }, s: { type: 'byte' } },
  };
  const text = 'id,n,d,s\n1,5,2020-01-01,1\n2,1.5,2020,2\n3,6,unknown,3\n4,x,2020-02,4\n5,7,,300\n';
  const reasons = [
    'line 3: column n: 1.5 is not of type long',
    'line 4: column d: "unknown" is not of type date',
    'line 5: column n: "x" is not of type long',
    'line 6: column s: 300 is not of type byte',
  ];
  const memory = memoryEngine();
  await load('id,n,d,s\n0,1,2020-01-01,1\n', { mapping }, memory);
  const types = new Map([
    ['n', 'long'],
    ['d', 'date'],
    ['s', 'byte'],
  ]);
  for (const loading of [
    load(text, { mapping }),
    load(text, {}, memory),
    load(text, { reading: { ...plainReading, types } }),
  ]) {
    const { rejects, report, trial } = await loading;
    t.deepEqual(
      rejects.map(({ line, reason }) => `line ${String(line)}: ${reason}`),
      reasons,
    );
    t.deepEqual(
      trial.rejects.map(({ line, reason }) => `line ${String(line)}: ${reason}`),
      reasons,
    );
    t.like(report.counts, { created: 1, rejected: 4 });
  }
});

test('a date column that load inferred rejects what is not a date, too', async (t) => {
  const memory = memoryEngine();
  t.is((await load('id,d\n1,2020-01-01\n', {}, memory)).types['d'], 'date');
  const { rejects } = await load('id,d\n2,soon\n3,2021-01-01\n', {}, memory);
  t.deepEqual(
    rejects.map(({ reason }) => reason),
    ['column d: "soon" is not of type date'],
  );
});

test('integers past 2^53 keep their digits as longs, and as text where a long or a double would not hold them', async (t) => {
  const rows = [
    ['1', '9007199254740993'],
    ['2', '9007199254740995'],
    ['3', '12'],
  ] as const;
  const forms = {
    csv: `id,n\n${rows.map(([id, n]) => `${id},${n}\n`).join('')}`,
    ndjson: rows.map(([id, n]) => `{"id":${id},"n":${n}}\n`).join(''),
    json: `[${rows.map(([id, n]) => `{"id":${id},"n":${n}}`).join(',')}]`,
  };
  for (const [format, text] of Object.entries(forms)) {
    const { types, documents } = await load(text, { format: format as 'csv' });
    t.is(types['n'], 'long', format);
    t.deepEqual(
      Object.values(documents).map(({ n }) => n),
      ['9007199254740993', '9007199254740995', 12],
      format,
    );
    const beside = (value: string): string =>
      format === 'csv'
        ? `${text}4,${value}\n`
        : format === 'json'
          ? text.replace(']', `,{"id":4,"n":${value}}]`)
          : `${text}{"id":4,"n":${value}}\n`;
    for (const value of ['1.5', '123456789012345678901']) {
      const mixed = await load(beside(value), { format: format as 'csv' });
      t.is(mixed.types['n'], 'keyword', `${format} ${value}`);
      t.is(String(mixed.documents['4']?.['n']), value, format);
    }
  }
});

test('.5, 5., +5 and 1e-8 are numbers; digits E digits, leading zeros and too many digits are not', async (t) => {
  const { types, documents } = await load(
    'id,a,b,c,d\n1,.5,9e42,07,18446744073709551615\n2,5.,1E3,1,1\n3,+5,2310009E13,2,2\n4,1e-8,2e05,3,3\n',
  );
  t.deepEqual(types, { id: 'long', a: 'double', b: 'keyword', c: 'keyword', d: 'keyword' });
  t.deepEqual(
    Object.values(documents).map(({ a }) => a),
    [0.5, 5, 5, 1e-8],
  );
  t.deepEqual(
    Object.values(documents).map(({ b }) => b),
    ['9e42', '1E3', '2310009E13', '2e05'],
  );
  t.is(documents['1']?.['d'], '18446744073709551615');
});

test('what ends a file early is reported after the records before it, though the file is read twice', async (t) => {
  const text = `[${late
    .trim()
    .split('\n')
    .map((row) => `{"id":"${row}"}`)
    .join(',')},{"id":"last"},{"id"`;
  const memory = memoryEngine();
  const file: RejectsFile = {
    path: '',
    count: () => 0,
    add: () => Promise.resolve(),
    clear: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const report = await importFile(
    memory.engine,
    {
      chunks: chunksOf(text, 30_000),
      format: 'json',
      name: 'ships',
      aliases: [],
      mapping: null,
      idField: undefined,
      replace: false,
      mayBeEmpty: false,
    },
    file,
  );
  t.like(report.counts, { created: 10_001 });
  t.regex(report.failure?.message ?? '', /after element 10001/);
});

for (const [format, text] of [
  ['csv', 'id,n\n1,5\n2,9007199254740993\n3,1.5\n'],
  ['ndjson', '{"id":"1","n":5}\n{"id":"2","n":9007199254740993}\n{"id":"3","n":1.5}\n'],
  ['csv', 'id,n\n1,5\n2,12345678901234567890\n'],
] as const)
  test(`a number whose digits make a column a keyword is shown: ${JSON.stringify(text)}`, async (t) => {
    const { trial, types } = await load(text, { format });
    const { evidence, properties, columns } = trial.plan;
    const summary = summarizeFields(evidence, properties, columns).find(({ path }) => path === 'n');
    t.is(types['n'], 'keyword');
    t.like(summary, { longDigits: { text: /\d{16,}/.exec(text)![0] } });
  });
