import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { releasesAsHtml } from '../../../src/cli/release/print-release.ts';
import type { Release } from '../../../src/capabilities/disclosure/release/release.ts';
import { slotOf } from '../../../src/capabilities/disclosure/release/release-rules.ts';
import { temporaryFolder } from '../temporary-configs.ts';
import { runHere } from '../run-here.ts';

const run = (folder: string, argv: readonly string[]) =>
  runHere(argv, {
    NODES_PATH: 'off',
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
  });

const disclosure = {
  unit: 'donor_id',
  order: 2,
  // one slot since 1970
  releaseEvery: 'P9999D',
  dimensions: [
    { fieldName: 'sex', values: ['female', 'male'], other: false },
    { fieldName: 'age', edges: [40] },
    { fieldName: 'genes', values: ['TP53'] },
  ],
};

/** 120 donors, one of them with two records, and one record of nobody. */
const records = [
  ...Array.from({ length: 120 }, (_, number) => ({
    donor_id: `D${number}`,
    sex: number % 2 === 0 ? 'female' : 'male',
    age: number % 80,
    genes: number % 3 === 0 ? ['TP53', 'KRAS'] : ['KRAS'],
  })),
  { donor_id: 'D1', sex: 'male', age: 1, genes: ['KRAS'] },
  { sex: 'male' },
];

/** Nine of each of nine: eight may be at most 72 of the 80 that there are at least. */
const lonely = Array.from({ length: 81 }, (_, number) => ({ donor_id: `D${number}`, sex: `s${number % 9}` }));

const loaded = async (
  change: object = {},
  documents: readonly object[] = records,
  extended: readonly object[] = [],
) => {
  const folder = temporaryFolder({
    'configs/donors/base.json': { catalogId: 'donors', documentType: 'donor', esIndex: 'donors' },
    'configs/donors/extended.json': { extended },
    'configs/donors/disclosure.json': { disclosure: { ...disclosure, ...change } },
    'mapping.json': {
      properties: {
        ...Object.fromEntries(['donor_id', 'sex', 'genes'].map((name) => [name, { type: 'keyword' }])),
        age: { type: 'integer' },
        labels: { type: 'flattened' },
      },
    },
    'records.ndjson': documents.map((one) => JSON.stringify(one)).join('\n'),
  });
  const { code, output } = await run(folder, [
    ...['load', join(folder, 'records.ndjson'), '--index', 'donors'],
    ...['--mapping', join(folder, 'mapping.json')],
  ]);
  if (code !== 0) throw new Error(output);
  return folder;
};

const linesOf = (output: string): readonly string[] =>
  output.split('\n').filter((line) => line !== '' && !line.startsWith('warning: '));

test.serial(
  'a dry run prints dimensions, cells, the hidden share and the audit, and publishes nothing',
  async (t) => {
    const folder = await loaded();
    const releases = join(folder, 'data', 'releases', 'donors');
    const date = slotOf(Date.now(), 9_999);
    const printed = [
      `donors: 120 values of donor_id, release of ${date}`,
      '  1 record has no donor_id and is not counted',
      '  sex: 3 cells',
      '  age: 3 cells',
      '  genes: 3 cells, of which a unit can have several',
      '  41 cells, 46 % hidden; audit passed: at least 5 values for each hidden cell by the sums of all tables, and jointly in 1 of 1 sets of 3',
    ];
    const dry = await run(folder, ['release', '--dry-run']);
    t.deepEqual(linesOf(dry.output), [...printed, '  could be published']);
    t.is(dry.code, 0);
    t.false(existsSync(releases));

    const published = await run(folder, ['release']);
    t.is(published.code, 0);
    const [id] = /(?<=published as )[0-9a-f]{64}/.exec(published.output) ?? [];
    t.deepEqual(linesOf(published.output), [...printed, `  published as ${id}`]);
    t.deepEqual(JSON.parse(readFileSync(join(folder, 'data', '@released.json'), 'utf8')), {
      donors: { catalogue: 'donors', until: date },
    });
    t.deepEqual(readdirSync(releases).sort(), [`${id}.json`, `${id}.units`, 'current'].sort());

    const again = await run(folder, ['release', '--catalogue', 'DONORS']);
    t.is(again.code, 1);
    t.deepEqual(linesOf(again.output), [
      ...printed,
      '  withheld, the previous release stays:',
      `    the slot of ${date} already has its release: the next one can be published in the next slot`,
    ]);
    t.deepEqual(readdirSync(releases).length, 3);
  },
);

test.serial('a catalogue that cannot be released keeps no other back', async (t) => {
  const folder = await loaded();
  const absent = join(folder, 'configs', 'absent');
  cpSync(join(folder, 'configs', 'donors'), absent, { recursive: true });
  writeFileSync(join(absent, 'base.json'), '{"documentType":"donor","esIndex":"absent"}');
  const { code, output } = await run(folder, ['release']);
  t.is(code, 1);
  t.regex(output, /tributary release: absent: index absent does not exist/);
  t.regex(output, /donors: 120 values[^]*published as/);
  const releases = join(folder, 'data', 'releases');
  cpSync(join(releases, 'donors'), join(releases, 'absent'), { recursive: true });
  writeFileSync(join(releases, 'absent', 'current'), 'a'.repeat(64));
  const status = await run(folder, ['release', '--status']);
  t.is(status.code, 1);
  t.regex(status.output, /tributary release: absent: .*/);
  t.regex(status.output, /donors: answers from the release of/);
});

test.serial(
  'a release that the audit refuses ends with 1, and says which cells and what to do',
  async (t) => {
    const values = Array.from({ length: 9 }, (_, number) => `s${number}`);
    const folder = await loaded({ dimensions: [{ fieldName: 'sex', values, other: false }] }, lonely);
    const { code, output } = await run(folder, ['release']);
    t.is(code, 1);
    t.regex(output, /audit failed\n {2}withheld, guarded callers get nothing:/);
    t.regex(output, /the hidden cell sex s0 has one of 2 values, at least 5 are required/);
    t.regex(
      output,
      /the fields of these 9 cells: sex 9; wider edges or fewer values of the first ones may pass/,
    );
    t.false(existsSync(join(folder, 'data', 'releases', 'donors')));
    const status = await run(folder, ['release', '--status']);
    t.is(status.code, 1);
    t.regex(
      status.output,
      /donors: nothing is released yet: .*\n {2}the release for the slot of \d{4}-\d\d-\d\d, tried .*, is withheld:\n {4}the audit failed/,
    );
  },
);

test.serial('a key of a flattened field that the files name is a dimension as it is a field', async (t) => {
  const dimensions = [{ fieldName: 'labels.color', values: ['red'] }];
  const documents = records.map((one, at) => ({ ...one, labels: { color: at % 2 === 0 ? 'red' : 'blue' } }));
  const folder = await loaded({ dimensions }, documents, [{ fieldName: 'labels.color' }]);
  const { code, output } = await run(folder, ['release', '--dry-run']);
  t.is(code, 0, output);
  t.regex(output, /\n {2}labels\.color: 3 cells/);
});

test.serial('a release is printed whole, its state reported, and withdrawn by its id', async (t) => {
  const folder = await loaded();
  const before = await run(folder, ['release', '--status']);
  t.is(before.code, 1);
  t.regex(before.output, /donors: nothing is released yet/);
  const { output } = await run(folder, ['release']);
  const [id] = /(?<=published as )[0-9a-f]{64}/.exec(output) ?? [];
  const date = slotOf(Date.now(), 9_999);

  const fine = await run(folder, ['release', '--status']);
  t.deepEqual([fine.code, linesOf(fine.output)], [0, [`donors: answers from the release of ${date}, ${id}`]]);
  t.is((await run(folder, ['release'])).code, 1);
  t.deepEqual(
    await run(folder, ['release', '--status']),
    fine,
    'the slot has its release, and is not refused',
  );

  const csv = await run(folder, ['release', 'print', '--csv']);
  t.is(csv.code, 0);
  const rows = linesOf(csv.output).map((line) => line.trimEnd());
  // 1 for all, 3 of each of three fields, 9 of each of three pairs, and 9 of the list with itself
  t.is(rows.length, 1 + 1 + 9 + 27 + 9);
  t.is(
    rows[0],
    'catalogue,release,stratum,date,field_1,value_1,field_2,value_2,field_3,value_3,at_least,at_most',
  );
  t.is(rows[1], `donors,${id},,${date},,,,,,,120,129`);
  t.true(rows.includes(`donors,${id},,${date},sex,female,age,*-40,,,40,49`));
  const html = await run(folder, ['release', 'print']);
  t.regex(html.output, /<tr><td>40 to 49<td>sex: female<td>age: \*-40\n/);

  const unknown = await run(folder, ['release', '--withdraw', '0'.repeat(64)]);
  t.is(unknown.code, 1);
  t.is((await run(folder, ['release', '--withdraw', id!])).code, 0);
  const gone = await run(folder, ['release', '--status']);
  t.is(gone.code, 1);
  t.regex(gone.output, new RegExp(`its release ${id} was withdrawn: guarded callers get nothing`));
});

test.serial('a missing catalogue and an unknown option are reported', async (t) => {
  const folder = await loaded();
  const unknown = await run(folder, ['release', '--catalogue', 'nowhere']);
  t.not(unknown.code, 0);
  t.regex(unknown.output, /there is no catalogue nowhere: CONFIGS_PATH has donors/);
  t.is((await run(folder, ['release', '--dry'])).code, 2);
});

test('a release is printed without markup of its texts, and with how many changes wait', (t) => {
  const table = { threshold: 10, order: 2, dimensions: [], total: 40, blocks: new Map() };
  const release = {
    ...{ catalogueId: 'donors', id: 'a', date: '2026-11-01', threshold: 10, unit: '<b>', order: 2 },
    ...{ stratumField: null, fields: [], strata: [{ value: null, date: '2026-10-01', waits: 20, table }] },
  } as unknown as Release;
  t.regex(
    releasesAsHtml([release]),
    /Counted: &lt;b&gt;,[^]*as of 2026-10-01, except for the changes of 20 to 29 units, which wait<[^]*<td>400 to 409<td>all/,
  );
});
