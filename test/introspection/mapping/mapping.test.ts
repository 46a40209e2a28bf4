import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { mappedFields, readFields } from '../../../src/introspection/mapping/mapping.ts';

const keyword = { type: 'keyword' };

test('further indexings of a field are listed only on request', (t) => {
  const properties = { title: { type: 'text', fields: { raw: keyword } } };
  const paths = (withFurther: boolean) => mappedFields(properties, withFurther).map(({ path }) => path);
  t.deepEqual([paths(false), paths(true)], [['title'], ['title', 'title.raw']]);
});

test('fields come flattened, in the mapping’s order, containers first', (t) => {
  const { fields, warnings } = readFields({
    title: { type: 'text', fields: { raw: keyword } },
    press: { properties: { since: { type: 'date', format: 'yyyy' } } },
    copies: {
      type: 'nested',
      properties: { loans: { type: 'nested', properties: { days: { type: 'long' } } } },
    },
  });
  t.deepEqual(
    [...fields.values()].map(({ path, kind, nestedIn }) => [path, kind, nestedIn]),
    [
      ['title', 'text', []],
      ['title.raw', 'keyword', []],
      ['press', 'object', []],
      ['press.since', 'date', []],
      ['copies', 'nested', []],
      ['copies.loans', 'nested', ['copies']],
      ['copies.loans.days', 'number', ['copies', 'copies.loans']],
    ],
  );
  t.is(fields.get('press.since')?.format, 'yyyy');
  t.deepEqual(warnings, []);
});

test('a nested field inside an object is nested at its whole path', (t) => {
  const { fields } = readFields({
    subject: { properties: { parts: { type: 'nested', properties: { id: { type: 'long' } } } } },
  });
  t.deepEqual(fields.get('subject.parts.id')?.nestedIn, ['subject.parts']);
  t.deepEqual(fields.get('subject.parts')?.nestedIn, []);
});

test('lists are known by the path clients write', (t) => {
  const { fields } = readFields(
    { a: { properties: { tags: keyword, tag: keyword } } },
    { arrays: new Set(['a.tags']) },
  );
  t.deepEqual([fields.get('a.tags')?.isArray, fields.get('a.tag')?.isArray], [true, false]);
});

test('under a nestingPrefix paths are short for clients and whole for the index', (t) => {
  const { fields } = readFields(
    {
      meta: keyword,
      data: {
        properties: { inner: { properties: { parts: { type: 'nested', properties: { p: keyword } } } } },
      },
    },
    { nestingPrefix: 'data.inner', arrays: new Set(['parts.p']) },
  );
  t.deepEqual([...fields.keys()], ['parts', 'parts.p']);
  t.deepEqual(fields.get('parts.p'), {
    path: 'parts.p',
    type: 'keyword',
    kind: 'keyword',
    nestedIn: ['parts'],
    isArray: true,
    indexField: { path: 'data.inner.parts.p', type: 'keyword', nestedIn: ['data.inner.parts'] },
  });
});

for (const nestingPrefix of ['zzz', 'a', 'a.b', 'n', 'constructor']) {
  test(`the nestingPrefix ${nestingPrefix} is refused when it is not an object of the mapping`, (t) => {
    const properties = { a: keyword, n: { type: 'nested', properties: { k: keyword } } };
    const error = t.throws(() => readFields(properties, { nestingPrefix }), { instanceOf: TributaryError });
    t.is(error.code, 'nesting_prefix_not_found');
    t.true(error.message.includes(`"${nestingPrefix}"`));
  });
}

test('a type that is the name of something in every object is an odd type like any other', (t) => {
  const { fields } = readFields({ a: { type: 'constructor' }, b: { type: '__proto__' } });
  t.true([...fields.values()].every(({ kind }) => kind === 'json'));
});

test('odd types are left out with a warning, the rest is served', (t) => {
  const { fields, warnings } = readFields({
    place: { type: 'geo_point' },
    span: { type: 'integer_range' },
    other: { type: 'alias', path: 'good' },
    lost: { type: 'alias', path: 'inner' },
    'a.b': keyword,
    broken: {},
    good: { type: 'ip' },
    inner: { properties: { blob: { type: 'binary' }, count: { type: 'short' } } },
  });
  t.deepEqual([...fields.keys()], ['span', 'good', 'inner', 'inner.count', 'other']);
  t.is(warnings.length, 5);
  t.true(warnings.includes('field "inner.blob" of type binary is left out: this type is not supported'));
  t.true(warnings.some((warning) => warning.includes('"lost" of type alias') && warning.includes('"inner"')));
});

test('objects whose parts are unknown are shown whole', (t) => {
  const { fields } = readFields({
    free: { type: 'object' },
    off: { type: 'object', enabled: false, properties: { k: keyword } },
    odd: { properties: { blob: { type: 'binary' } } },
    empty: { type: 'nested' },
  });
  t.deepEqual(
    [...fields.values()].map(({ path, kind }) => [path, kind]),
    ['free', 'off', 'odd', 'empty'].map((path) => [path, 'json']),
  );
});

test('keys of flattened fields that a catalogue names are fields', (t) => {
  const { fields } = readFields(
    { flat: { type: 'flattened' }, items: { type: 'nested', properties: { flat: { type: 'flat_object' } } } },
    { named: ['flat.a.b', 'items.flat.k', 'other.a', 'flat'], arrays: new Set(['items.flat.k']) },
  );
  t.deepEqual(
    [...fields.values()].map(({ path, kind, isArray, storedAt = null }) => [path, kind, isArray, storedAt]),
    [
      ['flat', 'flattened', false, null],
      ['items', 'nested', false, null],
      ['items.flat', 'flattened', false, null],
      ['flat.a.b', 'keyword', false, 'flat'],
      ['items.flat.k', 'keyword', true, 'items.flat'],
    ],
  );
});
