import test from 'ava';
import { newEvidence } from '../../../../src/indexing/file-import/inference/field-evidence.ts';
import {
  type FieldSummary,
  summarizeFields,
} from '../../../../src/indexing/file-import/inference/summarize-fields.ts';
import { optionText } from '../../../../src/indexing/file-import/inference/proposals.ts';
import type { JsonValue } from '../../../../src/lib/json/json.ts';

/** The summary of one field with these values, one a record, the first in line 2. */
const summary = (values: readonly (JsonValue | undefined)[], type: string, isTable = true): FieldSummary => {
  const evidence = newEvidence();
  values.forEach((value, at) => evidence.add(value === undefined ? {} : { f: value }, at + 2));
  const [found] = summarizeFields(
    evidence,
    { f: type === 'object' ? { type, enabled: false } : { type } },
    isTable ? ['f'] : null,
  );
  return found!;
};

test('empty and misfitting values are counted, the first ones shown', (t) => {
  t.deepEqual(summary([undefined, 1, 'x', null, 'y'], 'long'), {
    path: 'f',
    type: 'long',
    example: '1',
    empty: 2,
    misfits: 2,
    misfitPlaces: [
      { line: 4, text: 'x' },
      { line: 6, text: 'y' },
    ],
    mixed: [],
    proposal: null,
  });
});

test('a mixed field names its families with their first lines', (t) => {
  t.deepEqual(summary(['1850', '1851', 'ca. 1850'], 'keyword').mixed, [
    {
      name: 'numbers',
      count: 2,
      places: [
        { line: 2, text: '1850' },
        { line: 3, text: '1851' },
      ],
    },
    { name: 'texts', count: 1, places: [{ line: 4, text: 'ca. 1850' }] },
  ]);
  t.deepEqual(
    summary([{ a: 1 }, 'x'], 'object', false).mixed.map(({ name }) => name),
    ['objects', 'texts'],
  );
});

test('the first three misfitting values are shown', (t) => {
  const { misfits, misfitPlaces } = summary(['a', 1, 'b', true, false], 'long', false);
  t.is(misfits, 4);
  t.deepEqual(
    misfitPlaces.map(({ text }) => text),
    ['a', 'b', 'true'],
  );
});

test('the first three places of each family are shown', (t) => {
  const [numbers] = summary(['1', '2', '3', '4', 'ca. 5'], 'keyword').mixed;
  t.is(numbers?.count, 4);
  t.deepEqual(
    numbers?.places.map(({ line }) => line),
    [2, 3, 4],
  );
});

test('a title that is a number does not make titles mixed', (t) => {
  t.deepEqual(
    summary([...Array.from({ length: 20 }, (_, at) => `title ${at}`), '1984'], 'keyword').mixed,
    [],
  );
});

for (const [values, options, becomes, caution] of [
  [['1', 'N/A', 'k.A.'], ['--null N/A,k.A.'], 'number'],
  [['1', 'unknown', 'NA'], ['--null NA,unknown'], 'number'],
  [['1', 'keine Angabe'], ['--null "keine Angabe"'], 'number'],
  [['2020-01-01', 'unbekannt'], ['--null unbekannt'], 'date'],
  [[true, false, '-'], ['--null -'], 'boolean'],
  [['1,5', '2', '1.234,56'], ['--decimal ,'], 'number'],
  [['1 234,5', '?'], ['--decimal ,', '--null "?"'], 'number'],
  [['1,234', '12,000'], ['--decimal ,'], 'number', 'if the comma groups thousands, --decimal .'],
  [['1,234.5', '2'], ['--decimal .'], 'number'],
  [['31.12.2020', '01.02.1999'], ['--date-format dd.MM.yyyy'], 'date'],
  [['31.12.2020', '1.2.1999', 's.d.'], ['--date-format d.M.yyyy', '--null s.d.'], 'date'],
  [['31/12/2020', '05/06/1999'], ['--date-format dd/MM/yyyy'], 'date'],
  [['12/31/2020', '05/06/1999'], ['--date-format MM/dd/yyyy'], 'date'],
  [['01/02/2020'], ['--date-format dd/MM/yyyy'], 'date', 'if the month comes first, MM/dd/yyyy'],
  [['TRUE', 'FALSE'], ['--types f=boolean'], 'boolean'],
  [['ja', 'nein', 'n/a'], ['--types f=boolean', '--null n/a'], 'boolean'],
  [['oui', 'non'], ['--types f=boolean'], 'boolean'],
] as const)
  test(`${values.join(' ')}: ${options.join(' ')} is proposed`, (t) => {
    const { proposal } = summary(values, 'keyword');
    t.deepEqual(proposal?.options.map(optionText), options as readonly string[]);
    t.like(proposal, { path: 'f', becomes });
    t.is(proposal?.caution, caution);
    t.is(proposal?.isOpen, caution === undefined ? undefined : true);
  });

for (const values of [
  ['1,5', 'x'],
  ['1.5', '1,5'],
  ['N/A'],
  ['31.12.2020', 'x'],
  ['1', '2020-01-01'],
  ['toString'],
])
  test(`${values.join(' ')}: nothing is proposed`, (t) => {
    t.is(summary(values, 'keyword').proposal, null);
  });

test('texts of documents stay texts, so only what stands beside proper values is proposed', (t) => {
  t.is(summary(['1', 'N/A'], 'keyword', false).proposal, null);
  t.deepEqual(summary([1, 'N/A'], 'keyword', false).proposal?.options.map(optionText), ['--null N/A']);
  t.deepEqual(summary(['31.12.2020'], 'keyword', false).proposal?.options.map(optionText), [
    '--types f=date',
    '--date-format dd.MM.yyyy',
  ]);
});

const words = [
  ...['n/a', 'na', 'n.a.', '#n/a', '#nv', 'null', 'none', 'nil', 'nan', 'undefined', '(blank)', 'empty'],
  ...['\\n', 'unknown', 'not known', 'not available', 'not applicable', 'not recorded', 'missing', 'tbd'],
  ...['no date', 'n.d.', 'n. d.', 'undated', '-', '--', '---', '–', '—', '?', '??', 'Unbekannt', 'unbek.'],
  ...['k.a.', 'k. a.', 'keine Angabe', 'ohne Angabe', 'o.a.', 'o. a.', 'leer', '(leer)', 'o.j.', 'o. j.'],
  ...['o.d.', 'o. d.', 'ohne Datum', 'undatiert', 'inconnu', 'inconnue', 'non renseigné', 'vide', '(vide)'],
  ...['s.d.', 's. d.', 'sans date'],
];

test('words for missing values in three languages are recognized, in any case', (t) => {
  const evidence = newEvidence();
  words.forEach((word, line) => evidence.add({ field: word }, line));
  evidence.add({ field: 'nothing' }, words.length);
  t.deepEqual([...evidence.fields.get('field')!.emptyWords], words);
});
