import test from 'ava';
import type { Facet } from '../../../portal/src/api/answer.ts';
import type { Field } from '../../../portal/src/api/fields.ts';
import { examplesOf } from '../../../portal/src/api/examples.ts';
import { nearest } from '../../../portal/src/api/suggestions.ts';
import { piecesOf } from '../../../portal/src/look/pieces.ts';

const known = new Map([
  ['turner', 39_730],
  ['turned', 12],
  ['tuner', 1],
  ['stone', 3],
  ['stove', 70],
  ['landscape', 40],
]);

test('the nearest word that is there, of several the one that most have', (t) => {
  t.is(nearest('turner', known), 'turner');
  t.is(nearest('turnr', known), 'turner');
  t.is(nearest('lanscape', known), 'landscape');
  t.is(nearest('stowe', known), 'stove');
  t.is(nearest('xy', known), null);
  t.is(nearest('portrait', known), null);
});

const facet = (path: string, bucketCount: number, ...keys: readonly string[]): Facet => ({
  kind: 'values',
  path,
  coverage: null,
  buckets: keys.map((key) => ({ key, label: null, count: 1, upper: 1, nodes: null })),
  missing: null,
  bucketCount,
  isCountExact: true,
  unlistedUpper: 0,
});

test('three values of the fields with most of them, none of numbers, switches or what has no name', (t) => {
  const facets = [
    facet('sex', 3, 'Female'),
    facet('site', 20, '__other__', 'Lung'),
    facet('alive', 2, '1'),
    facet('code', 50, '12', '13'),
    facet('gene', 90, 'TP53'),
    facet('stage', 4, 'II'),
  ];
  const fields = new Map(
    facets.map(({ path }) => [path, { path, type: path === 'alive' ? 'boolean' : 'keyword' } as Field]),
  );
  const found = examplesOf({ facets: new Map(facets.map((one) => [one.path, one])) }, { fields });
  t.deepEqual(
    found.map(({ bucket }) => bucket.key),
    ['TP53', 'Lung', 'II'],
  );
});

test('words that were searched are marked where they stand, the last one as a beginning', (t) => {
  const marked = (text: string, search: string): string =>
    piecesOf(text, search)
      .map(({ text: piece, isHit }) => (isHit ? `[${piece}]` : piece))
      .join('');
  t.is(marked('Étude: storm at sea', 'etude sto'), '[Étude]: [storm] at sea');
  t.is(marked('A stormy sea', 'storm sea'), 'A stormy [sea]');
  t.is(marked('Lange Straße, Łódź', 'strasse lodz'), 'Lange [Straße], [Łódź]');
  t.is(marked('हिन्दी हन', 'हिन्दी'), '[हिन्दी] हन');
  t.is(marked('plain', ''), 'plain');
  t.is(marked('', 'x'), '');
});
