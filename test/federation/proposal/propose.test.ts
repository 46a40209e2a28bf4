import test from 'ava';
import type { DescribedField } from '../../../src/federation/proposal/compatible.ts';
import { proposeFields } from '../../../src/federation/proposal/propose.ts';

const field = (name: string, type = 'keyword', more: Partial<DescribedField> = {}): DescribedField => ({
  name,
  type,
  ...more,
});

/** Pairs as `network = own`. */
const pairs = (network: readonly DescribedField[], own: readonly DescribedField[]): readonly string[] =>
  proposeFields(network, own).map((one) => `${one.network} = ${one.own}`);

for (const [network, own] of [
  ['age_at_diagnosis', 'ageAtDx'],
  ['age_at_diagnosis', 'Alter bei Diagnose'],
  ['height', 'Größe'],
  ['sex', 'Geschlecht'],
  ['sex', 'gender'],
  ['vital_status', 'VitalStatus'],
  ['birth_date', 'dob'],
  ['country', 'Land'],
  ['donor.primary_site', 'primarySite'],
] as const)
  test(`proposes ${own} for ${network}`, (t) => {
    t.deepEqual(pairs([field(network)], [field(own)]), [`${network} = ${own}`]);
  });

for (const [network, own] of [
  ['sex', 'sex_of_parent'],
  ['age_at_diagnosis', 'age_at_death'],
  ['donor_id', 'sample_id'],
  ['date', 'update'],
] as const)
  test(`does not propose ${own} for ${network}`, (t) => {
    t.deepEqual(pairs([field(network)], [field(own)]), []);
  });

test('a label names a field as well as its name', (t) => {
  t.deepEqual(
    pairs(
      [field('sex', 'keyword', { label: 'Sex at birth' })],
      [field('c17', 'keyword', { label: 'Sex at birth' })],
    ),
    ['sex = c17'],
  );
});

test('a number is not proposed for a text', (t) => {
  t.deepEqual(pairs([field('age', 'long')], [field('alter')]), []);
});

test('values that mean the same are proposed, and name a field whose name says nothing', (t) => {
  const sex = field('sex', 'keyword', { values: ['Female', 'Male', 'Unknown'] });
  const own = field('c17', 'keyword', { values: ['w', 'm'] });
  const [proposed] = proposeFields([sex], [own]);
  t.is(proposed?.own, 'c17');
  t.deepEqual(
    proposed?.values.map((one) => [one.own, one.network]),
    [
      ['w', 'Female'],
      ['m', 'Male'],
    ],
  );
});

test('flags are not distinguished by their values', (t) => {
  const flag = (name: string): DescribedField => field(name, 'keyword', { values: ['yes', 'no'] });
  t.deepEqual(pairs([flag('smoker')], [flag('relapse')]), []);
});

test('two that are as good as each other are a guess, which is not made', (t) => {
  t.deepEqual(pairs([field('age')], [field('x.alter'), field('y.alter')]), []);
});

test('each field is proposed once, the best first', (t) => {
  const network = [field('sex'), field('gender')];
  t.deepEqual(pairs(network, [field('gender')]), ['gender = gender']);
});

test('another unit is named, and nothing is converted', (t) => {
  const [proposed] = proposeFields(
    [field('survival', 'long', { unit: 'days' })],
    [field('survival', 'long', { unit: 'months' })],
  );
  t.is(proposed!.conflict, 'the network counts in days, this catalogue in months, and nothing is converted');
});

for (const [network, own] of [
  [field('height', 'double', { unit: 'cm' }), field('height_mm', 'double')],
  [field('follow_up', 'long', { unit: 'years' }), field('fu_days', 'long')],
  [field('purity', 'double', { range: [10, 100] }), field('tumor.Purity', 'double', { range: [0, 1] })],
  [
    field('diagnosis', 'keyword', { values: ['C50.9', 'C34.1', 'I10'] }),
    field('Diagnose', 'keyword', { values: ['Mammakarzinom', 'Lungenkarzinom', 'Hypertonie'] }),
  ],
] as const)
  test(`${own.name} is shown beside ${network.name}, and left to a person`, (t) => {
    const [proposed] = proposeFields([network], [own]);
    t.is(proposed?.own, own.name);
    t.is(typeof proposed?.conflict, 'string');
  });

test('units that are written differently are the same', (t) => {
  for (const [one, other] of [
    ['years', 'Jahre'],
    ['days', 'jours'],
    ['B', 'octets'],
    ['%', 'Prozent'],
  ] as const) {
    const [proposed] = proposeFields(
      [field('length', 'long', { unit: one })],
      [field('Laenge', 'long', { unit: other })],
    );
    t.is(proposed?.conflict, null, `${one} ${other}`);
  }
});

test('codes of one list name a field whose name says nothing', (t) => {
  const [proposed] = proposeFields(
    [field('phenotypes', 'keyword', { values: ['HP:0001250', 'HP:0001263', 'HP:0000252'] })],
    [field('c4', 'keyword', { values: ['HP:0000717', 'HP:0002066', 'HP:0001250'] })],
  );
  t.is(proposed?.reason, 'both have HPO codes');
});

test('a nested field is proposed where most of its fields are, and none outside of it', (t) => {
  t.deepEqual(
    pairs(
      [field('specimens', 'nested'), field('specimens.tissue'), field('specimens.collection_date', 'date')],
      [field('proben', 'nested'), field('proben.gewebe'), field('proben.entnahme', 'date')],
    ),
    ['specimens = proben', 'specimens.tissue = proben.gewebe', 'specimens.collection_date = proben.entnahme'],
  );
});

test('a boolean is written as yes and no', (t) => {
  const [proposed] = proposeFields(
    [field('consent', 'keyword', { values: ['yes', 'no', 'unknown'] })],
    [field('Einwilligung', 'boolean', { values: ['true', 'false'] })],
  );
  t.deepEqual(
    proposed?.values.map((one) => [one.own, one.network]),
    [
      ['true', 'yes'],
      ['false', 'no'],
    ],
  );
});

for (const [theirs, ours] of [
  [['HER2+', 'HER2-'], ['her2-']],
  [['20 °C', '4 °C'], ['-20 °C']],
  [['1829', '1830'], ['?1829']],
  [['pupil of', 'artist'], ['and a pupil']],
  [['T 1', 'T1'], ['t1']],
] as const)
  test(`${ours[0]} is not a spelling of ${theirs[0]}`, (t) => {
    const [proposed] = proposeFields(
      [field('x', 'keyword', { values: theirs })],
      [field('x', 'keyword', { values: ours })],
    );
    t.false(proposed?.values.some((one) => one.network === theirs[0]));
  });

test('values of titles and remarks are not mapped', (t) => {
  const titles = (write: (title: string) => string): DescribedField =>
    field('title', 'keyword', { values: Array.from({ length: 100 }, (_, at) => write(`View ${at}`)) });
  const [proposed] = proposeFields([titles((title) => title)], [titles((title) => title.toLowerCase())]);
  t.deepEqual(proposed?.values, []);
});

test('codes are proposed by their labels', (t) => {
  const network = field('sex', 'keyword', { values: ['Female', 'Male', 'Unknown', '9'] });
  const labels = { 1: 'Female', 2: 'male', 3: 'Unknown', 9: 'Refused' };
  const own = field('gender', 'keyword', { values: ['1', '2', '3', '9', '7'], labels });
  const [pair] = proposeFields([network], [own]);
  t.deepEqual(pair?.values, [
    { own: '1', network: 'Female', reason: 'its label' },
    { own: '2', network: 'Male', reason: 'its label: the same letters' },
    { own: '3', network: 'Unknown', reason: 'its label' },
  ]);
});
