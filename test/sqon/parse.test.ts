import test from 'ava';
import fc, { runs } from '../fast-check.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import type { Sqon } from '../../src/sqon/ast.ts';
import { group, leaf, wildcard } from '../../src/sqon/ast.ts';
import { maxLevels, maxNodes, parseSqon, printSqon } from '../../src/sqon/parse.ts';
import { filters } from './fixture.ts';

const inA = { op: 'in', content: { fieldName: 'title', value: ['a'] } };

test('a printed filter parses back to the filter', (t) => {
  const property = fc.property(filters, (filter) => {
    const empty = filter.kind === 'group' && filter.content.length === 0 && filter.pivot === null;
    const parsed = parseSqon(JSON.parse(JSON.stringify(printSqon(filter))));
    return empty ? parsed === null : JSON.stringify(printSqon(parsed)) === JSON.stringify(printSqon(filter));
  });
  t.notThrows(() => fc.assert(property, { numRuns: runs(1_000) }));
});

test('a filter of release 2 gets an error with the key that is meant', (t) => {
  const old = { op: 'and', content: [{ op: 'in', content: { field: 'title', value: ['a'] } }] };
  t.throws(() => parseSqon(old), {
    message:
      /fieldName: expected the dotted path of a field, written as fieldName in place of field: "fieldName": "title"/,
  });
});

test('nothing to filter by is null', (t) => {
  for (const input of [undefined, null, {}]) t.is(parseSqon(input), null);
  for (const op of ['and', 'or', 'not']) t.is(parseSqon({ op, content: [] }), null);
});

test('aliases, scalars and unneeded pivots become canonical, other keys are ignored', (t) => {
  const input = { op: '!=', content: { fieldName: 'title', value: 0, more: 1 }, pivot: '.', note: [] };
  t.deepEqual(parseSqon(input), leaf('not-in', 'title', [0]));
  const search = { op: 'filter', content: { fieldNames: ['title', 'by'], value: '*x?' }, pivot: null };
  t.deepEqual(parseSqon(search), wildcard(['title', 'by'], '*x?'));
});

test('every node knows its JSON path', (t) => {
  const input = { op: 'or', content: [inA, { op: 'not', content: [inA], pivot: 'copies' }] };
  const expected = group('or', [
    leaf('in', 'title', ['a'], null, '$.content[0]'),
    group('not', [leaf('in', 'title', ['a'], null, '$.content[1].content[0]')], 'copies', '$.content[1]'),
  ]);
  t.deepEqual(parseSqon(input), expected);
});

const value = (input: unknown, op = 'in') => ({ op, content: { fieldName: 'title', value: input } });

for (const [what, input, path] of [
  ['a text', 'title', '$'],
  ['a number', 5, '$'],
  ['a list', [inA], '$'],
  ['a text of JSON', JSON.stringify(inA), '$'],
  ['no operator', { content: [] }, '$.op'],
  ['an unknown operator', { op: 'xor', content: [inA] }, '$.op'],
  ['an operator in capitals', { op: 'AND', content: [inA] }, '$.op'],
  ['an operator that is a property of every object', { op: 'constructor', content: [inA] }, '$.op'],
  ['a group without content', { op: 'and' }, '$.content'],
  ['a group whose content is a leaf’s', { op: 'and', content: inA.content }, '$.content'],
  ['null within a group', { op: 'and', content: [inA, null] }, '$.content[1]'],
  ['an empty object within a group', { op: 'or', content: [{}] }, '$.content[0].op'],
  ['a leaf without content', { op: 'in' }, '$.content'],
  ['a leaf with a list for content', { op: 'in', content: [inA] }, '$.content'],
  ['a leaf without field', { op: 'in', content: { value: ['a'] } }, '$.content.fieldName'],
  [
    'a leaf with the old key field',
    { op: 'in', content: { field: 'title', value: 1 } },
    '$.content.fieldName',
  ],
  ['an empty field name', { op: 'in', content: { fieldName: '', value: 1 } }, '$.content.fieldName'],
  ['no value', { op: 'in', content: { fieldName: 'title' } }, '$.content.value'],
  ['null for a value', value(null), '$.content.value'],
  ['null among values', value(['a', null]), '$.content.value[1]'],
  ['an object for a value', value([{ a: 1 }]), '$.content.value[0]'],
  ['a list in a list', value([['a']]), '$.content.value[0]'],
  ['not a number', value(Number.NaN), '$.content.value'],
  ['a range without a bound', value([], 'gt'), '$.content.value'],
  ['a pivot that is not text', { ...inA, pivot: 5 }, '$.pivot'],
  ['a wildcard with fieldName', value('a*', 'wildcard'), '$.content.fieldNames'],
  [
    'a wildcard with a list',
    { op: 'filter', content: { fieldNames: ['a'], value: ['x'] } },
    '$.content.value',
  ],
  [
    'a wildcard on null',
    { op: 'filter', content: { fieldNames: [null], value: 'x' } },
    '$.content.fieldNames[0]',
  ],
] as const) {
  test(`${what} is refused at ${path}`, (t) => {
    const error = t.throws(() => parseSqon(input), { instanceOf: TributaryError });
    t.is(error.code, 'BAD_USER_INPUT');
    t.is(error.details?.path, path);
    t.regex(error.message, /expected .+, found /);
  });
}

test('any JSON is refused, or read as a filter that prints back, but never taken for everything', (t) => {
  const property = fc.property(fc.jsonValue(), (input) => {
    let parsed: Sqon | null;
    try {
      parsed = parseSqon(input);
    } catch (error) {
      return error instanceof TributaryError && error.code === 'BAD_USER_INPUT';
    }
    return parsed !== null || input === null || JSON.stringify(input) === '{}';
  });
  t.notThrows(() => fc.assert(property, { numRuns: runs(1_000) }));
});

test('a filter with one part broken is refused at that part', (t) => {
  const broken = fc.constantFrom<unknown>(null, 'x', 7, [], {}, { op: 'no' }, { op: 'in', content: {} });
  const property = fc.property(broken, fc.array(fc.nat(2), { maxLength: 6 }), (part, positions) => {
    let input = part;
    for (const position of positions.toReversed())
      input = { op: 'or', content: [...Array.from({ length: position }, () => inA), input] };
    if (positions.length === 0) input = { op: 'and', content: [input] };
    const at = (positions.length === 0 ? [0] : positions).map((position) => `.content[${position}]`).join('');
    try {
      parseSqon(input);
      return false;
    } catch (error) {
      return error instanceof TributaryError && String(error.details?.path).startsWith(`$${at}`);
    }
  });
  t.notThrows(() => fc.assert(property));
});

test('depth and size are bounded, and cost no call stack', (t) => {
  const deep = (levels: number): unknown => {
    let input: unknown = inA;
    for (let level = 0; level < levels; level += 1) input = { op: 'and', content: [input] };
    return input;
  };
  t.notThrows(() => parseSqon(deep(maxLevels)));
  const wide = (leaves: number) => ({ op: 'or', content: Array.from({ length: leaves }, () => inA) });
  t.notThrows(() => parseSqon(wide(maxNodes - 1)));
  for (const input of [deep(maxLevels + 1), deep(100_000), wide(maxNodes)])
    t.is(t.throws(() => parseSqon(input), { instanceOf: TributaryError }).code, 'BAD_USER_INPUT');
});
