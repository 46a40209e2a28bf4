import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import { recordNouns } from '../../../portal/src/api/nouns.ts';
import { inLanguage } from '../../../portal/src/api/use-answers.ts';

const catalogue = {
  fields: new Map(['sex', 'age', 'site', 'toString'].map((path) => [path, { path, name: `The ${path}` }])),
  columns: [{ path: 'sex', name: 'The sex', isShown: true, canSort: true }],
} as unknown as Catalogue;

const namesIn = (language: string): readonly string[] => {
  const { fields, columns } = inLanguage(
    catalogue,
    { sex: { fr: 'Sexe', de: 'Geschlecht' }, age: 'Alter', gone: 'Fort' },
    language,
  );
  return [...[...fields.values()].map(({ name }) => name), ...columns.map(({ name }) => name)];
};

test('fields and columns have the name of the language, else that of the server', (t) => {
  t.deepEqual(namesIn('fr'), ['Sexe', 'Alter', 'The site', 'The toString', 'Sexe']);
  t.deepEqual(namesIn('en'), ['The sex', 'Alter', 'The site', 'The toString', 'The sex']);
});

test('a field keeps its names in all languages, for words in any of them', (t) => {
  const names = { sex: { fr: 'Sexe', de: 'Geschlecht' }, age: 'Alter' };
  const { fields } = inLanguage(catalogue, names, 'fr');
  t.deepEqual(fields.get('sex')?.names, names.sex);
  t.deepEqual(fields.get('age')?.names, {});
});

test('units that are words are those of the language, symbols stay', (t) => {
  const units = ['year', 'days', 'B', 'kg/m²', null];
  const fields = new Map(units.map((unit, at) => [String(at), { path: String(at), name: '', unit }]));
  const unitsIn = (language: string) =>
    [...inLanguage({ ...catalogue, fields } as unknown as Catalogue, {}, language).fields.values()].map(
      ({ unit }) => unit,
    );
  t.deepEqual(unitsIn('en'), ['years', 'days', 'bytes', 'kg/m²', null]);
  t.deepEqual(unitsIn('de'), ['Jahre', 'Tage', 'Byte', 'kg/m²', null]);
  t.deepEqual(unitsIn('fr'), ['ans', 'jours', 'octets', 'kg/m²', null]);
});

test('records are called what their owners say, in English their document type, else nothing of their own', (t) => {
  const source = { recordNames: { donor: { fr: { one: 'donneur', other: 'donneurs' } } } };
  const nouns = (documentType: string | null, language: string) =>
    recordNouns({ documentType, source } as unknown as Catalogue, language);
  t.deepEqual(nouns('donor', 'fr'), { one: 'donneur', other: 'donneurs' });
  t.deepEqual(nouns('donor', 'en'), { one: 'donor', other: 'donors' });
  t.is(nouns('donor', 'de'), null);
  t.is(nouns('toString', 'fr'), null);
  t.is(nouns('record', 'en'), null);
});
