import test from 'ava';
import { shownMore } from '../../../src/server/node/swap.ts';
import type { Tier } from '../../../src/introspection/fields/catalogue-config.ts';
import { cohortDisclosure } from '../../capabilities/disclosure/cohort.ts';

const catalogue = (catalogueId: string, esIndex: string, tier?: Tier) => ({
  catalogueId,
  esIndex,
  ...(tier && { disclosure: { ...cohortDisclosure, default: tier } }),
});

test('what shows no more than before is served at once', (t) => {
  const before = [catalogue('cohort', 'donors', 'counts'), catalogue('books', 'books')];
  for (const after of [
    before,
    [catalogue('cohort', 'donors', 'boolean'), catalogue('books', 'books', 'counts')],
    [catalogue('cohort', 'others', 'counts'), catalogue('books', 'novels')],
    [],
  ])
    t.deepEqual(shownMore(before, after), []);
});

test('ids differ in more than their case, and a new catalogue does not open a guarded index', (t) => {
  const before = [catalogue('Cohort', 'donors', 'counts')];
  t.deepEqual(
    shownMore(before, [
      catalogue('cohort', 'donors'),
      catalogue('backup', 'donors'),
      catalogue('copy', 'donors', 'counts'),
      catalogue('other', 'others'),
    ]),
    [
      'catalogue cohort: disclosure.json is gone: its records stay withheld by the former one until a restart',
      'catalogue backup: its index is that of Cohort, whose disclosure.json withholds it until a restart',
    ],
  );
});

test('a disclosure.json that is gone, a higher tier, and an open catalogue over a guarded index wait for a restart', (t) => {
  const before = [
    catalogue('gone', 'one', 'counts'),
    catalogue('raised', 'two', 'boolean'),
    catalogue('books', 'books'),
  ];
  const after = [
    catalogue('gone', 'one'),
    catalogue('raised', 'two', 'records'),
    catalogue('books', 'one'),
    catalogue('new', 'three'),
  ];
  t.deepEqual(shownMore(before, after), [
    'catalogue gone: disclosure.json is gone: its records stay withheld by the former one until a restart',
    'catalogue raised: disclosure.json, default: records shows more than boolean, which holds until a restart',
    'catalogue books: its index is that of gone, whose disclosure.json withholds it until a restart',
  ]);
});
