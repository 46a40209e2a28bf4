import test from 'ava';
import type { CompiledNodes } from '../../src/sqon/scope.ts';
import fc, { runs } from '../fast-check.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import type { Sqon } from '../../src/sqon/ast.ts';
import { compileSqon } from '../../src/sqon/compile.ts';
import type { Filter } from '../../src/sqon/filter.ts';
import { normaliseSqon, withoutField } from '../../src/sqon/rewrite.ts';
import { satisfies } from './evaluate-filter.ts';
import { chainOf, holds } from './evaluate-sqon.ts';
import { books, filters, library, sqon } from './fixture.ts';
import { fieldsOf } from '../federation/collection.ts';

const compiled = (input: unknown) => compileSqon(sqon(input), library);
const leaf = (op: string, fieldName: string, value: unknown) => ({ op, content: { fieldName, value } });

/** The filter of a random SQON; those that mix too many conditions in a pivot are refused, and passed over here. */
const compiledUnlessRefused = (filter: Sqon): Filter => {
  try {
    return compileSqon(filter, library);
  } catch (error) {
    fc.pre(
      !(error instanceof TributaryError && /mix(es)? .*conditions on objects above/.test(error.message)),
    );
    throw error;
  }
};

test('a compiled filter matches what the filter matches, at any depth of groups and pivots', (t) => {
  const property = fc.property(filters, books, (filter, book) => {
    const expected = holds(filter, chainOf(book), library);
    return satisfies(compiledUnlessRefused(filter), book, '', library) === expected;
  });
  t.notThrows(() => fc.assert(property, { numRuns: runs(2_000) }));
});

test('a normalised filter matches what the filter matches', (t) => {
  const property = fc.property(filters, books, (filter, book) => {
    const before = satisfies(compiledUnlessRefused(filter), book, '', library);
    return satisfies(compileSqon(normaliseSqon(filter), library), book, '', library) === before;
  });
  t.notThrows(() => fc.assert(property, { numRuns: runs(2_000) }));
});

test('nothing to filter by matches everything', (t) => {
  t.deepEqual(compileSqon(null, library), { kind: 'all' });
});

test('alternatives on one field are one condition, in objects and under negations too', (t) => {
  const [a, b, other] = [
    ['copies.shelf', 'a'],
    ['copies.shelf', 'b'],
    ['title', 'b'],
  ].map(([field, value]) => leaf('in', field!, [value]));
  const shelves = { kind: 'nested', path: 'copies', of: compiledAt('copies.shelf', ['a', 'b']) };
  const alternatives = { op: 'or', content: [a, other, b, a] };
  t.deepEqual(compiled(alternatives), { kind: 'or', of: [shelves, compiledAt('title', ['b'])] });
  const excluded = { op: 'and', content: ['x', 'y'].map((value) => leaf('not-in', 'title', [value])) };
  t.deepEqual(compiled(excluded), { kind: 'not', of: compiledAt('title', ['x', 'y']) });
});

test('lists of very many values stay apart: a case split would copy them again and again', (t) => {
  const values = Array.from({ length: 33 }, (_, at) => `v${at}`);
  const { kind } = compiled({ op: 'or', content: [leaf('in', 'title', values), leaf('in', 'title', ['x'])] });
  t.is(kind, 'or');
});

test('a condition on a nested field requires some object', (t) => {
  t.deepEqual(compiled(leaf('not-in', 'copies.shelf', ['a'])), {
    kind: 'nested',
    path: 'copies',
    of: { kind: 'not', of: compiledAt('copies.shelf', ['a']) },
  });
  t.deepEqual(compiled(leaf('some-not-in', 'copies.shelf', ['a'])), {
    kind: 'not',
    of: { kind: 'nested', path: 'copies', of: compiledAt('copies.shelf', ['a']) },
  });
});

const compiledAt = (path: string, values: string[]) => ({
  kind: 'terms',
  field: library.get(path)!.indexField,
  values,
});

test('missing on a nested path itself: the document has no such objects', (t) => {
  const present = { kind: 'nested', path: 'copies', of: { kind: 'all' } };
  t.deepEqual(compiled(leaf('in', 'copies', ['__missing__'])), { kind: 'not', of: present });
  t.deepEqual(compiled(leaf('not-in', 'copies', ['__missing__'])), present);
});

test('missing on an object: none of its parts has a value', (t) => {
  t.deepEqual(compiled(leaf('not-in', 'press', ['__missing__'])), {
    kind: 'or',
    of: ['press.name', 'press.town'].map((path) => ({
      kind: 'exists',
      field: library.get(path)!.indexField,
    })),
  });
});

test('only a star at the end is special in a value; a wildcard knows ? too and ignores case', (t) => {
  const field = library.get('title')!.indexField;
  t.deepEqual(compiled(leaf('in', 'title', 'a.?*z*')), {
    kind: 'pattern',
    field,
    pattern: [{ literal: 'a.?*z' }, { wildcard: 'any' }],
    caseInsensitive: false,
  });
  t.deepEqual(
    compiled({ op: 'filter', content: { fieldNames: ['title', 'pages', 'nowhere'], value: '?b' } }),
    {
      kind: 'pattern',
      field,
      pattern: [{ wildcard: 'one' }, { literal: 'b' }],
      caseInsensitive: true,
    },
  );
});

test('values are of the field’s type', (t) => {
  const values = (fieldName: string, value: unknown) => {
    const filter = compiled(leaf('in', fieldName, value));
    return filter.kind === 'terms' ? filter.values : filter.kind;
  };
  t.deepEqual(values('pages', ['7', 0, 1.5, 3e9]), [7, 0]);
  t.deepEqual(values('isbn', ['9007199254740993', '9007199254740991']), [
    '9007199254740993',
    Number.MAX_SAFE_INTEGER,
  ]);
  t.deepEqual(values('lent', ['true', 0, false, '1']), [true, false, false, true]);
  t.deepEqual(values('title', [5, true, '']), ['5', 'true', '']);
  t.deepEqual(values('lent', 't*'), [true]);
});

for (const [fieldName, value] of [
  ['pages', 'many'],
  ['pages', ''],
  ['pages', true],
  ['pages', '__missing'],
  ['lent', 'maybe'],
  ['lent', 2],
  ['printed', '2020-13-01'],
  ['printed', 'soon'],
  ['printed', true],
  ['title', 'set_id:42'],
] as const) {
  test(`${JSON.stringify(value)} is refused for ${fieldName}, with its path`, (t) => {
    const error = t.throws(() => compiled({ op: 'not', content: [leaf('in', fieldName, [value])] }), {
      instanceOf: TributaryError,
    });
    t.is(error.code, 'BAD_USER_INPUT');
    t.is(error.details?.path, '$.content[0].content.value[0]');
  });
}

test('several bounds are reduced', (t) => {
  const bounds = (op: string, fieldName: string, value: unknown) => {
    const filter = compiled(leaf(op, fieldName, value));
    return Object.fromEntries(Object.entries(filter).filter(([key]) => key !== 'kind' && key !== 'field'));
  };
  t.deepEqual(bounds('gt', 'pages', [1, '10', 3]), { gt: 10 });
  t.deepEqual(bounds('lte', 'pages', [5, 2]), { lte: 2 });
  t.deepEqual(bounds('between', 'pages', [5, 2, 9]), { gte: 2, lte: 9 });
  t.deepEqual(bounds('between', 'pages', 5), { gte: 5, lte: 5 });
  t.deepEqual(bounds('between', 'isbn', ['9007199254740993', '9007199254740995']), {
    gte: '9007199254740993',
    lte: '9007199254740995',
  });
  t.deepEqual(bounds('between', 'printed', ['2020-03-01', '-0206-01-05', '2020']), {
    gte: Date.parse('-000206-01-05'),
    lte: Date.parse('2021-01-01') - 1,
  });
  t.deepEqual(bounds('gt', 'printed', '2020-02'), { gt: Date.parse('2020-03-01') - 1 });
  t.deepEqual(bounds('lte', 'printed', '2020-02-03'), { lte: Date.parse('2020-02-04') - 1 });
  t.deepEqual(bounds('lte', 'printed', '2020||/M'), { lte: Date.parse('2020-02-01') - 1 });
  t.deepEqual(bounds('gte', 'pages', ['1e3']), { gte: 1000 });
});

test('an object without indexed parts is missing, and never there', (t) => {
  t.deepEqual(compiled(leaf('in', 'extras', ['__missing__', 'x'])), { kind: 'all' });
  t.deepEqual(compiled(leaf('all', 'extras', ['__missing__'])), { kind: 'all' });
  for (const op of ['not-in', 'some-not-in'])
    t.deepEqual(compiled(leaf(op, 'extras', ['__missing__'])), { kind: 'none' });
  t.deepEqual(compiled(leaf('gt', 'extras', '__missing__')), { kind: 'none' });
});

test('an empty group with a pivot that is none is refused', (t) => {
  t.throws(() => compiled({ op: 'and', content: [], pivot: 'nope' }), {
    code: 'BAD_USER_INPUT',
    message: /\$\.pivot.*"nope"/,
  });
});

test('bounds beyond the type decide by themselves', (t) => {
  t.deepEqual(compiled(leaf('gt', 'pages', 3e9)), { kind: 'none' });
  t.deepEqual(compiled(leaf('lt', 'pages', 3e9)), {
    kind: 'exists',
    field: library.get('pages')!.indexField,
  });
});

test('a range excludes or includes all that a date covers', (t) => {
  const field = library.get('printed')!.indexField;
  const [first, last] = [Date.parse('2020-01-01'), Date.parse('2020-01-02') - 1];
  const bounds = { gt: last, gte: first, lt: first, lte: last };
  for (const [op, bound] of Object.entries(bounds))
    t.deepEqual(
      compiled(leaf(op, 'printed', '2020-01-01')),
      { kind: 'range', field, [op]: bound } as Filter,
      op,
    );
});

test('a date in a list is all it covers', (t) => {
  t.deepEqual(compiled(leaf('in', 'printed', ['2020-01-01'])), {
    kind: 'range',
    field: library.get('printed')!.indexField,
    gte: Date.parse('2020-01-01'),
    lte: Date.parse('2020-01-02') - 1,
  });
});

test('a range of addresses takes addresses only', (t) => {
  const fields = fieldsOf({ host: 'ip' });
  t.is(compileSqon(sqon(leaf('gte', 'host', '10.0.0.1')), fields).kind, 'range');
  for (const value of ['ten', '10.0.0.0/8'])
    t.throws(
      () => compileSqon(sqon(leaf('gte', 'host', value)), fields),
      { code: 'BAD_USER_INPUT', message: /an IP address/ },
      value,
    );
});

test('ranges need an order', (t) => {
  const error = t.throws(() => compiled(leaf('gt', 'title', 'm')), { instanceOf: TributaryError });
  t.is(error.code, 'BAD_USER_INPUT');
  t.is(error.details?.path, '$.op');
});

for (const pivot of ['press', 'nowhere', 'copies.shelf']) {
  test(`the pivot ${pivot} is refused, wherever it stands`, (t) => {
    const inner = leaf('in', 'title', ['a']);
    for (const input of [
      { op: 'and', content: [inner], pivot },
      { op: 'not', content: [], pivot },
      { ...inner, pivot },
    ]) {
      const error = t.throws(() => compiled({ op: 'or', content: [input] }), { instanceOf: TributaryError });
      t.is(error.code, 'BAD_USER_INPUT');
      t.is(error.details?.path, '$.content[0].pivot');
    }
  });
}

test('unknown fields are constant', (t) => {
  for (const op of ['in', 'all', 'gt', 'between']) t.is(compiled(leaf(op, 'nowhere', ['1'])).kind, 'none');
  for (const op of ['not-in', 'some-not-in']) {
    t.is(compiled(leaf(op, 'nowhere', ['1'])).kind, 'all');
    t.is(compiled(leaf(op, 'nowhere', ['__missing__'])).kind, 'none');
  }
});

test('a document always has its key', (t) => {
  t.is(compiled(leaf('in', '_id', ['__missing__'])).kind, 'none');
  t.like(compiled(leaf('in', '_id', [1])), { kind: 'terms', values: ['1'] });
});

test('a node compiles to one object in every filter of a query', (t) => {
  const shared = leaf('in', 'copies.shelf', ['a']);
  const filter = sqon({ op: 'and', content: [shared, leaf('in', 'title', ['x']), leaf('in', 'pages', [1])] });
  const nodes: CompiledNodes = new Map();
  const parts = (input: typeof filter | null) => {
    const result = compileSqon(input, library, nodes);
    return result.kind === 'and' ? result.of : [];
  };
  const full = parts(filter);
  t.is(full.length, 3);
  t.is(parts(withoutField(filter, 'pages'))[0], full[0]);
  t.is(parts(withoutField(filter, 'title'))[0], full[0]);
});

test('conditions on the document leave a pivot in linear size, too many mixed ones are refused', (t) => {
  const onDocument = (value: number) => leaf('in', 'title', [`t${value}`]);
  const onCopy = (value: number) => leaf('in', 'copies.shelf', [`s${value}`]);
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  const plain = { op: 'and', pivot: 'copies', content: [...numbers.map(onDocument), onCopy(1)] };
  t.like(compiled(plain), { kind: 'and' });
  const mixed = {
    op: 'and',
    pivot: 'copies',
    content: numbers.map((n) => ({ op: 'or', content: [onDocument(n), onCopy(n)] })),
  };
  t.is(t.throws(() => compiled(mixed), { instanceOf: TributaryError }).code, 'BAD_USER_INPUT');
});

/** A pivot with so many conditions on the document, each mixed with one on the object. */
const mixing = (count: number, name: number | string = '') => ({
  op: 'and',
  pivot: 'copies',
  content: Array.from({ length: count }, (_, n) => ({
    op: 'or',
    content: [leaf('in', 'title', [`t${name}-${n}`]), leaf('in', 'copies.shelf', [`s${name}-${n}`])],
  })),
});

test('a pivot mixes at most 8 conditions on objects above it', (t) => {
  t.notThrows(() => compiled(mixing(8)));
  t.throws(() => compiled(mixing(9)), { code: 'BAD_USER_INPUT', message: /mixes 9 conditions/ });
});

test('a compiled filter has at most 200 000 conditions, those counted that it repeats', (t) => {
  // 8 mixed conditions are split into 256 cases, of which each has the other conditions of the pivot
  const pivot = (others: number) => {
    const patterns = Array.from({ length: others }, (_, n) => leaf('in', 'copies.shelf', [`p${n}*`]));
    const { content, ...mixed } = mixing(8);
    return { ...mixed, content: [...content, { op: 'or', content: patterns }] };
  };
  t.notThrows(() => compiled(pivot(700)));
  t.throws(() => compiled(pivot(800)), { code: 'BAD_USER_INPUT', message: /more than 200000 conditions/ });
});

test('many pivots that mix very many conditions are refused before they take long', (t) => {
  const pivots = (count: number) => ({
    op: 'or',
    content: Array.from({ length: count }, (_, name) => mixing(8, name)),
  });
  t.notThrows(() => compiled(pivots(3)));
  t.throws(() => compiled(pivots(30)), { code: 'BAD_USER_INPUT', message: /pivots mix too many conditions/ });
});

test('the deepest filter that parses also compiles', (t) => {
  let input: unknown = leaf('in', 'copies.loans.reader', ['a']);
  for (let level = 0; level < 999; level += 1)
    input = {
      op: level % 2 === 0 ? 'and' : 'not',
      content: [input],
      pivot: ['copies', 'reviews', null][level % 3],
    };
  t.notThrows(() => compiled(input));
});
