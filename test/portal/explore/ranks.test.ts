import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import type { Filter } from '../../../portal/src/api/filter.ts';
import { ranksOf } from '../../../portal/src/explore/table/ranks.ts';

const search = (op: 'search' | 'wildcard', ...fieldNames: readonly string[]): Filter => ({
  op,
  content: { fieldNames, value: 'turner' },
});
const all = search('search', 'artist', 'title', 'medium');
const question = { filter: { op: 'and', content: [all] } as Filter, nodes: null };
const catalogue = { fields: new Map() } as unknown as Catalogue;

test('words are found in names first, then in titles, then elsewhere, whole before in part', (t) => {
  const ranks = ranksOf({ filters: [all] }, question, catalogue);
  const [name, inName, title, inTitle] = [
    search('wildcard', 'artist'),
    search('search', 'artist'),
    search('wildcard', 'title'),
    search('search', 'title'),
  ];
  t.deepEqual(
    ranks.map(({ filter }) => (filter as { content: readonly Filter[] }).content.slice(1)),
    [
      [name!],
      [inName!, { op: 'not', content: [name!] }],
      [title!, { op: 'not', content: [name!, inName!] }],
      [inTitle!, { op: 'not', content: [name!, inName!, title!] }],
      [{ op: 'not', content: [name!, inName!, title!, inTitle!] }],
    ],
  );
});

test('an order that the visitor chose, alternatives and other fields leave one question', (t) => {
  const of = (view: object) => ranksOf({ filters: [all], ...view }, question, catalogue);
  t.deepEqual(of({ sort: [{ fieldName: 'title', order: 'asc' }] }), [question]);
  t.deepEqual(of({ join: 'or' }), [question]);
  t.deepEqual(of({ filters: [] }), [question]);
  const inMedium = search('search', 'medium');
  t.deepEqual(ranksOf({ filters: [inMedium] }, question, catalogue), [question]);
});
