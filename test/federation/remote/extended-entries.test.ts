import test from 'ava';
import { readExtendedEntries } from '../../../src/federation/remote/node-statements.ts';

const filledIn = {
  displayName: 'Age At Diagnosis',
  displayType: 'integer',
  displayValues: {},
  fieldName: 'age_at_diagnosis',
  isActive: false,
  isArray: false,
  primaryKey: false,
  quickSearchEnabled: false,
  rangeStep: 0,
  type: 'integer',
  unit: null,
};

test('what every server fills in is left out', (t) => {
  t.deepEqual(readExtendedEntries([filledIn]), [{ fieldName: 'age_at_diagnosis' }]);
});

test('what an admin wrote is', (t) => {
  const written = {
    displayName: 'Age at diagnosis',
    displayNames: { fr: 'Âge au diagnostic' },
    displayType: 'number',
    displayValues: { '0': 'newborn' },
    description: 'Completed years',
    descriptions: { de: 'Vollendete Jahre' },
    quickSearchEnabled: true,
    rangeStep: 1,
    unit: 'years',
    image: true,
    link: 'https://example.org/{value}',
  };
  t.deepEqual(readExtendedEntries([{ ...filledIn, ...written }]), [
    { fieldName: 'age_at_diagnosis', ...written },
  ]);
});

test('what is of another form is dropped alone, with what is too large', (t) => {
  const odd = {
    displayName: 7,
    displayNames: { fr: ['x'], it: 'Età' },
    displayValues: { a: { b: 1 } },
    description: 'x'.repeat(10_001),
    rangeStep: -1,
    image: 'yes',
    link: 'javascript:{value}',
    unit: 'years',
  };
  t.deepEqual(readExtendedEntries([{ ...filledIn, ...odd }, { fieldName: 3 }, null]), [
    { fieldName: 'age_at_diagnosis', unit: 'years' },
  ]);
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`v${at}`, 'x']));
  t.deepEqual(readExtendedEntries([{ ...filledIn, displayValues: many }]), [
    { fieldName: 'age_at_diagnosis' },
  ]);
  for (const nothing of [undefined, null, 'x', {}]) t.deepEqual(readExtendedEntries(nothing), []);
});
