import test from 'ava';
import { displayNameOf } from '../../../src/introspection/fields/names.ts';

for (const [path, name] of [
  ['basket_name', 'Basket Name'],
  ['ca19-9_level', 'Ca 19 9 Level'],
  ['1st', '1st'],
  ['items.labels.k', 'Items Labels K'],
  ['acquisitionYear', 'Acquisition Year'],
  ['webURLPath', 'Web URL Path'],
  ['größe.名前', 'Größe 名前'],
  ['--', '--'],
] as const) {
  test(`${path} is shown as ${name}`, (t) => {
    t.is(displayNameOf(path), name);
  });
}
