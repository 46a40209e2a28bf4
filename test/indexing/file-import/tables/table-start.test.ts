import test from 'ava';
import type { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { planImport } from '../../../../src/indexing/file-import/plan-import.ts';
import type { ReadingOptions } from '../../../../src/indexing/file-import/records/source-record.ts';
import { plainReading } from '../../../../src/indexing/file-import/records/source-record.ts';
import { chunksOf, collect } from '../collect.ts';

const read = async (text: string, reading: Partial<ReadingOptions> = {}) => {
  const request = {
    chunks: chunksOf(text),
    format: 'csv',
    mapping: null,
    idField: undefined,
    replace: false,
  } as const;
  const plan = await planImport({ ...request, reading: { ...plainReading, ...reading } }, null);
  const records = await collect(plan.records);
  const rows = records.map((one) => (one.kind === 'document' ? [one.line, one.document] : one));
  return { rows, plan, notices: plan.notices };
};

const study =
  '#Patient Identifier\tSex\tOverall Survival (Months)\tSite Code\n#Identifier of a patient\tSex at "birth\tMonths\tA code\n' +
  '#STRING\tSTRING\tNUMBER\tSTRING\n#1\t1\t1\t1\nPATIENT_ID\tSEX\tOS_MONTHS\tSITE\nP1\tMale\t31\t7\nP2\tFemale\t4\t2020-01-01\n';

test('five lines of a study give labels, descriptions and types', async (t) => {
  const { rows, plan, notices } = await read(study);
  t.deepEqual(rows, [
    [6, { PATIENT_ID: 'P1', SEX: 'Male', OS_MONTHS: 31, SITE: '7' }],
    [7, { PATIENT_ID: 'P2', SEX: 'Female', OS_MONTHS: 4, SITE: '2020-01-01' }],
  ]);
  t.deepEqual(
    plan.header.map(({ label, description }) => [label, description]),
    [
      ['Patient Identifier', 'Identifier of a patient'],
      ['Sex', 'Sex at "birth'],
      ['Overall Survival (Months)', 'Months'],
      ['Site Code', 'A code'],
    ],
  );
  t.like(plan.properties, { OS_MONTHS: { type: 'double' }, SITE: { type: 'keyword' } });
  t.deepEqual(notices, ["4 comment lines above the header give the columns' labels, descriptions and types"]);
});

for (const count of [3_000, 12_000])
  test(`a header is found below ${String(count)} lines of comments, and below as many that are skipped`, async (t) => {
    const lines = Array.from({ length: count }, (_, at) => `##contig=<ID=chrUn_${String(at)},length="7>`);
    const table = '#CHROM\tPOS\tALT\n1\t200\tG,T\n';
    const rows = [[count + 2, { CHROM: 1, POS: 200, ALT: 'G,T' }]] as const;
    t.deepEqual((await read(`${lines.join('\n')}\n${table}`)).rows, rows);
    const skipped = await read(`${lines.join('\n')}\n${table.slice(1)}`, { skipLines: count });
    t.deepEqual(skipped.rows, rows);
  });

test('points that may group thousands are a question', async (t) => {
  const questionsOf = async (text: string, reading: Partial<ReadingOptions> = {}) =>
    (await read(text, reading)).notices.map((notice) => notice.replace(/: .*/, ''));
  const question = 'question';
  t.deepEqual((await read('id;n\n1;1.234\n2;2.500\n3;850\n')).notices, [
    "question: --decimal 'n=,': n has three digits behind each point (1.234), which is read as a decimal point and may group thousands",
  ]);
  t.deepEqual(await questionsOf('id,n,p\n1,1.234,"1,5"\n'), [question]);
  t.deepEqual(await questionsOf('id,n\n1,1.234\n2,2.500\n'), []);
  t.deepEqual(await questionsOf('id;n\n1;1.234\n2;0.500\n'), []);
  t.deepEqual(await questionsOf('id;n\n1;1.234\n2;2.5\n'), []);
  t.deepEqual(await questionsOf('id;n\n1;1.234\n', { decimal: '.' }), []);
});

test('numbers that may be codes are a question', async (t) => {
  const questionsOf = async (texts: string, reading: Partial<ReadingOptions> = {}) =>
    (await read(`nr,a\n${texts.replaceAll(' ', ',x\n')},x\n`, reading)).notices;
  t.deepEqual(await questionsOf('1932.1 1932.10 1932.2'), [
    "question: --types 'nr=keyword': is nr a code? 1932.10 becomes the number 1932.1",
  ]);
  t.deepEqual(await questionsOf('1.50 2.00 3'), []);
  t.deepEqual(await questionsOf('1.0 2.5 10.25'), []);
  t.deepEqual(await questionsOf('1932.1 1932.10', { types: new Map([['nr', 'double']]) }), []);
});

test('dates of a column that a study calls STRING stay text', async (t) => {
  const { plan } = await read('#A\tB\n#a\tb\n#STRING\tNUMBER\n#1\t1\nA\tB\n2020-01-01\t1\n2020-01-02\tx\n');
  t.like(plan.properties, { A: { type: 'keyword' }, B: { type: 'keyword' } });
});

for (const [what, text, rows, reading = {}, notices = null] of [
  [
    'spaces between quoted names, as R writes',
    '"sex" "age"\n"1" "F" 61\n"2" "M b" 70\n',
    [
      [2, { column_1: 1, sex: 'F', age: 61 }],
      [3, { column_1: 2, sex: 'M b', age: 70 }],
    ],
  ],
  [
    'titles and a line of totals',
    'Cohort export,,\nGenerated 5 Jan 2024,,\n,,\nid,age,sex\n1,30,F\n2,41,M\nTotal,2,\n',
    [
      [5, { id: 1, age: 30, sex: 'F' }],
      [6, { id: 2, age: 41, sex: 'M' }],
    ],
    { header: [4, 4], comment: 'Total' },
    [],
  ],
  [
    'titles without cells, with commas',
    'Report by Smith, Jones, Miller\n\nid;age\n1;30\n2;41\n',
    [
      [4, { id: 1, age: 30 }],
      [5, { id: 2, age: 41 }],
    ],
    { header: [3, 3] },
  ],
  [
    'a title above a table most of whose rows end early',
    'Report 2024,,,,\nid,a,b,c,d\n1,x,,,\n2,y,,,\n3,z,,,\n4,w,5,6,7\n5,v,6,7,8\n',
    [
      [3, { id: 1, a: 'x' }],
      [4, { id: 2, a: 'y' }],
      [5, { id: 3, a: 'z' }],
      [6, { id: 4, a: 'w', b: 5, c: 6, d: 7 }],
      [7, { id: 5, a: 'v', b: 6, c: 7, d: 8 }],
    ],
    { header: [2, 2] },
  ],
  [
    'one column, a line of which has a comma',
    'name\nAnna\nBerta, C\nD\n',
    [
      [2, { name: 'Anna' }],
      [3, { name: 'Berta, C' }],
      [4, { name: 'D' }],
    ],
  ],
  [
    'a title above two columns',
    'Cohort 7,\nid,name\nA,Ann\nB,Bob\n',
    [
      [3, { id: 'A', name: 'Ann' }],
      [4, { id: 'B', name: 'Bob' }],
    ],
    { header: [2, 2] },
  ],
  [
    'a first line with one name stays the header where nothing speaks against it',
    'name,\nAnn,Rome\nBob,Paris\n',
    [
      [2, { name: 'Ann', column_2: 'Rome' }],
      [3, { name: 'Bob', column_2: 'Paris' }],
    ],
    {},
    [
      'proposed: --header-row 2 if line 1 is a title above the header',
      'columns without a name in the header are loaded as column_2',
    ],
  ],
  [
    'totals without an empty cell',
    'item,count,weight\nchair,3,1.5\ntable,4,2.5\nTotal,7,4\n',
    [
      [2, { item: 'chair', count: 3, weight: 1.5 }],
      [3, { item: 'table', count: 4, weight: 2.5 }],
      [4, { item: 'Total', count: 7, weight: 4 }],
    ],
    {},
    ['line 4 begins like totals and is loaded as a record: Total,7,4 (--comment Total leaves it out)'],
  ],
  [
    'a last line like totals',
    'title,year\nTable,1900\nTotal Recall,1990\n',
    [
      [2, { title: 'Table', year: 1900 }],
      [3, { title: 'Total Recall', year: 1990 }],
    ],
    {},
    [
      'line 3 begins like totals and is loaded as a record: Total Recall,1990 (--comment "Total Recall" leaves it out)',
    ],
  ],
  [
    'totals that are not last',
    'id,age,sex\nTotal,2,\n1,30,F\n',
    [
      [2, { id: 'Total', age: 2 }],
      [3, { id: '1', age: 30, sex: 'F' }],
    ],
  ],
  [
    'two lines of a header',
    'Patient,,Tumour,\nid,age,stage,grade\n1,30,II,3\n',
    [[3, { 'Patient id': 1, 'Patient age': 30, 'Tumour stage': 'II', 'Tumour grade': 3 }]],
    { header: [1, 2] },
    [],
  ],
  [
    'a line of units',
    'id,age,weight\n,years,kg\n1,30,60\n2,41,70\n3,50,80\n',
    [
      [2, { age: 'years', weight: 'kg' }],
      [3, { id: 1, age: '30', weight: '60' }],
      [4, { id: 2, age: '41', weight: '70' }],
      [5, { id: 3, age: '50', weight: '80' }],
    ],
    {},
    [
      'proposed: --header-row 1-2 if line 2 belongs to the header',
      'id is not taken for the key of the records, since some have none (line 2)',
    ],
  ],
  ['a line that is named', 'x"y\n1,2\nid,age\n1,30\n', [[4, { id: 1, age: 30 }]], { header: [3, 3] }, []],
  ['lines to skip', 'x"y\nz\nid,age\n1,30\n', [[4, { id: 1, age: 30 }]], { skipLines: 2 }, []],
  [
    'no header',
    '1,Ann,30\n2,Bob,41\n',
    [
      [1, { column_1: 1, column_2: 'Ann', column_3: 30 }],
      [2, { column_1: 2, column_2: 'Bob', column_3: 41 }],
    ],
    { header: 'none' },
    ['columns without a name in the header are loaded as column_1, column_2, column_3'],
  ],
  [
    'comments anywhere by their sign',
    '; made "today\nid,age\n1,30\n; "half\n"; x",41\n',
    [
      [3, { id: '1', age: 30 }],
      [5, { id: '; x', age: 41 }],
    ],
    { comment: ';' },
    ['1 comment line above the header is not loaded'],
  ],
  [
    'a preamble of comments',
    '#description: "x"\n#version: 2\nid,age\n1,30\n#2,5\n',
    [
      [4, { id: '1', age: 30 }],
      [5, { id: '#2', age: 5 }],
    ],
    {},
    ['2 comment lines above the header are not loaded'],
  ],
  [
    'the header is the last comment',
    '##fileformat=VCF\n##source=x\n#CHROM\tPOS\n1\t200\n',
    [[4, { CHROM: 1, POS: 200 }]],
    {},
    ['the header is the last of 3 comment lines; the others are not loaded'],
  ],
  [
    'one comment line that is the header',
    '#,age\n1,30\n',
    [[2, { number: 1, age: 30 }]],
    {},
    ['names that GraphQL cannot have are loaded under others: "#" as number'],
  ],
  [
    'years and numbered samples are names',
    'gene,2019,2020\nA,1,2\nB,3,4\n',
    [
      [2, { gene: 'A', 2019: 1, 2020: 2 }],
      [3, { gene: 'B', 2019: 3, 2020: 4 }],
    ],
    {},
    ['the header contains numbers (2019, 2020): if this line is data, load with --no-header'],
  ],
  [
    'numbered samples are names',
    'gene,1,2,3\nA,1,2,0\n',
    [[2, { gene: 'A', 1: 1, 2: 2, 3: 0 }]],
    {},
    ['the header contains numbers (1, 2, 3): if this line is data, load with --no-header'],
  ],
  [
    'numbers alone above fractions are names',
    '0,1,2\n0.5,1.5,2\n',
    [[2, { 0: 0.5, 1: 1.5, 2: 2 }]],
    {},
    ['the header contains numbers (0, 1, 2): if this line is data, load with --no-header'],
  ],
  ['a name of two lines', 'id,"age\r\n(years)"\n1,30\n', [[3, { id: 1, 'age (years)': 30 }]], {}, []],
  [
    'a ticked box is named like its value',
    'id,Asthma\n1,Asthma\n2,\n3,Asthma\n',
    [
      [2, { id: 1, Asthma: 'Asthma' }],
      [3, { id: 2 }],
      [4, { id: 3, Asthma: 'Asthma' }],
    ],
    {},
    [],
  ],
] as const)
  test(`the start of a table: ${what}`, async (t) => {
    const found = await read(text, reading as Partial<ReadingOptions>);
    t.deepEqual(found.rows as unknown, rows);
    if (notices !== null) t.deepEqual(found.notices, notices as readonly string[]);
  });

for (const [text, message, settledBy] of [
  [
    'Patient,,Tumour,\nid,age,stage,grade\n1,30,II,3\n2,40,I,1\n',
    'the header seems to be line 2, below titles (line 1: Patient,,Tumour,; line 2: id,age,stage,grade): load with --header-row 2, --header-row 1-2 if two lines are the header, or --header-row 1 if line 1 is the header',
    "--header-row 2 --delimiter ','",
  ],
  [
    'Cohort export,,\nGenerated 5 Jan 2024,,\n,,\nid,age,sex\n1,30,F\n2,41,M\nTotal,2,\n',
    /the header seems to be line 4, below titles/,
    "--header-row 4 --delimiter ','",
  ],
  [
    'Report by Smith, Jones, Miller\n\nid;age\n1;30\n2;41\n',
    /seems to be line 3/,
    "--header-row 3 --delimiter ';'",
  ],
  ['Cohort 7,\nid,name\nA,Ann\nB,Bob\n', /the header seems to be line 2/, "--header-row 2 --delimiter ','"],
  [
    'id,name,city\n1,Ann,Oslo, Norway\n2,Bob,Lyon, France\n3,Eve,Bergen, Norway\n',
    'every row has 4 cells, the header 3 (line 2: 1,Ann,Oslo, Norway; line 3: 2,Bob,Lyon, France; line 4: 3,Eve,Bergen, Norway): put quotes around texts that contain ","; if the header lacks the name of the first column, as in tables of R, load with --row-names; --skip 1 --no-header loads all cells, into columns column_1 and so on',
    "--skip 1 --no-header --delimiter ','",
  ],
  [
    'id\tname\n1\tAnn\tx\n',
    /every row has 3 cells, the header 2 .* contain a tab;/,
    '--skip 1 --no-header --delimiter tab',
  ],
  [
    '"name","kg"\n"Ann",61,5\n"Bob",70,2\n',
    /every row has 3 cells, the header 2/,
    "--skip 1 --no-header --delimiter ','",
  ],
  [
    'a,b\n1,2,3,4\n5,6,7\n',
    /every row has at least 3 cells, the header 2/,
    "--skip 1 --no-header --delimiter ','",
  ],
  [
    'baf80c71-518c-498a-aca8-b3dbb3af472a,general,a\n92673ea4-03f1-46b0-bbfe-9324e38218dc,general,b\n',
    /the first line looks like a record, not like a header \(baf80c71-518c-498a-aca8-b3dbb3af472a\)/,
    '--no-header',
  ],
  [
    'sub-001,Ann,red\nsub-2,Bob,blue\nsub-013,Eve,green\n',
    /the first line looks like a record, not like a header \(sub-001\)/,
    '--no-header',
  ],
  [
    'about whole, and broken\nnumbers, or none\na,b,c\n1,2,3\n4,5,6\n',
    'most rows have 3 cells, the header 2 (line 3: a,b,c; line 4: 1,2,3; line 5: 4,5,6): put quotes around texts that contain ","; if the header is below, load with --header-row N; --skip 1 --no-header loads all cells, into columns column_1 and so on',
    "--skip 1 --no-header --delimiter ','",
  ],
  [
    'Version 1\n1,2,3\n6,7,8\n9,8,7\n6,5,4\nthe end',
    /most rows have 3 cells, the header 1 .* --skip 1 --no-header/,
    "--skip 1 --no-header --delimiter ','",
  ],
  [
    'note\nred, round\nblue, flat\ngreen, thin\n',
    /every row has 2 cells, the header 1 .* if it is one column of texts with ",", load with --delimiter tab/,
    '--delimiter tab',
  ],
  [
    'a;b;c, d\n1;2;3, 4\n5;6;7, 8\n',
    /may be separated by ";" or by "," \(line 1: a;b;c, d; line 2: 1;2;3, 4\)/,
    "--delimiter ';'",
  ],
  [
    'n,t,place\n1,t,Oslo\n2,f,Bergen\n3,t,Lyon\n',
    'the first line looks like a record, not like a header (t): load with --no-header, which names the columns column_1 and so on, or with --header-row 1 if it has the names',
    '--header-row 1',
  ],
  ['id,"a"b\n1,2\n', /line 1, where the header should be, cannot be read: a quote that does not fit/],
  [
    '1,Ann,30\n2,Bob,41\n3,Eve,22\n',
    /the first line looks like a record, not like a header \(1, 30\): load with --no-header/,
  ],
  ['Ann,F\nBob,M\nEve,F\n', /the first line looks like a record, not like a header \(F\)/],
  ['Ann,1950\nBob,1961\n', /looks like a record/],
  ['1,2,3\n4,5,6\n7,8,9\n', /looks like a record/],
  ['Report,,\n1,2,3\n4,5,6\n', /the first line has one cell \(Report\)/],
  ['2020-01-02,x\n2020-01-03,y\n', /looks like a record/],
  [
    'id age sex\n1 30 F\n2 41 M\n',
    /a single column, but each line seems to hold 3 values, separated by spaces: load with --delimiter ' '/,
    "--delimiter ' '",
  ],
  [
    '7 30 F\n8 41 M\n',
    /separated by spaces: load with --delimiter ' ', or .*; the first line looks like a record, not like a header \(7, 30\)/,
    "--delimiter ' ' --no-header",
  ],
  ['14,14\n', /the first line looks like a record, not like a header \(14, 14\)/, '--no-header'],
] as const)
  test(`a question: ${JSON.stringify(text)}`, async (t) => {
    const error = await t.throwsAsync<TributaryError>(read(text), { message });
    if (settledBy !== undefined) t.is(error?.details?.['settledBy'], settledBy);
  });

test('a table whose header lacks the name of the first column', async (t) => {
  const rows = [
    [2, { column_1: 'Mazda', mpg: 21 }],
    [3, { column_1: 'Volvo', mpg: 20 }],
  ];
  t.deepEqual((await read('mpg\tcyl\nMazda\t21\t6\n', { rowNames: true })).rows, [
    [2, { column_1: 'Mazda', mpg: 21, cyl: 6 }],
  ]);
  t.deepEqual((await read('"mpg"\t"kg"\n"Mazda"\t21\tNA\n"Volvo"\t20\t1.5\n')).notices.slice(1), [
    'columns without a name in the header are loaded as column_1',
  ]);
  t.deepEqual((await read('mpg\nMazda\t21\nVolvo\t20\n', { rowNames: true })).rows, rows);
});

test('a line without cells cannot be the header', async (t) => {
  const message = '--header-row 9: that line has no cells, or the file ends before it';
  await t.throwsAsync(read('id\n1\n', { header: [9, 9] }), { message });
});
