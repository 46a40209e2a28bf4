import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
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
