import test from 'ava';
import { proposeFields, type DescribedField } from '../../../src/federation/proposal/propose.ts';

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

test('flags are not told apart by their values', (t) => {
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
  t.regex(proposed!.notes.join(), /the network counts in days, this catalogue in months/);
});
