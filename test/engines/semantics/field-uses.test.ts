import test from 'ava';
import { assertSortable, uncountable, assertSortKey } from '../../../src/engines/semantics/field-uses.ts';
import type { SortMode } from '../../../src/engines/engine.ts';
import type { MeasureKind } from '../../../src/engines/measure.ts';
import { kindOf } from '../../../src/introspection/fields/field.ts';

const field = (type: string) => ({ path: 'f', type, kind: kindOf(type) });
const types = ['keyword', 'boolean', 'long', 'date', 'text', 'object', 'nested', 'geo_point'];
const accepted = (check: (type: string) => void): readonly string[] =>
  types.filter((type) => {
    try {
      check(type);
      return true;
    } catch {
      return false;
    }
  });

test('which types each measure supports', (t) => {
  const supported = (measure: MeasureKind) =>
    types.filter((type) => uncountable(field(type), measure) === null);
  t.deepEqual(
    {
      terms: supported('terms'),
      cardinality: supported('cardinality'),
      stats: supported('stats'),
      histogram: supported('histogram'),
      date_histogram: supported('date_histogram'),
      range: supported('range'),
      percentiles: supported('percentiles'),
    },
    {
      terms: ['keyword', 'boolean', 'long', 'date', 'object', 'geo_point'],
      cardinality: ['keyword', 'boolean', 'long', 'date', 'object', 'geo_point'],
      stats: ['long', 'date'],
      histogram: ['long', 'date'],
      date_histogram: ['date'],
      range: ['long', 'date'],
      percentiles: ['long'],
    },
  );
});

test('which types each sort mode supports', (t) => {
  const sorted = (mode: SortMode) => accepted((type) => assertSortable(field(type), mode));
  const inEngines = (mode: SortMode) => accepted((type) => assertSortKey(field(type), kindOf(type), mode));
  const ordered = ['keyword', 'boolean', 'long', 'date'];
  const unordered = ['object', 'nested', 'geo_point'];
  for (const mode of ['min', 'max'] as const) {
    t.deepEqual(sorted(mode), ordered);
    t.deepEqual(inEngines(mode), [...ordered, ...unordered]);
  }
  for (const mode of ['avg', 'sum', 'median'] as const) {
    t.deepEqual(sorted(mode), ['long', 'date']);
    t.deepEqual(inEngines(mode), ['long', 'date']);
  }
});

test('the error names the field, its type and what would do', (t) => {
  t.throws(() => assertSortable(field('text')), {
    message: 'field f of type text has no order; sort by a keyword, number, date or boolean field',
  });
  t.throws(() => assertSortable(field('keyword'), 'avg'), {
    message: 'sort mode avg needs numbers or dates, field f is of type keyword; min and max work',
  });
});
