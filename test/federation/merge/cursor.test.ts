import test from 'ava';
import {
  cursorScope,
  parseCursor,
  printCursor,
  type CursorScope,
} from '../../../src/federation/merge/hits.ts';
import type { SortRequest } from '../../../src/search/query.ts';
import { fieldsOf } from '../collection.ts';

const parse = (input: unknown, scope: CursorScope) => parseCursor(input, () => scope);

const sort = [{ fieldName: 'size', order: 'asc' }] as const;
const scopeOf = (
  types: Readonly<Record<string, Record<string, string>>>,
  keys: readonly SortRequest[] = sort,
  nodeIds = ['a', 'b'],
): CursorScope =>
  cursorScope(nodeIds, keys, {
    byNode: new Map(Object.entries(types).map(([nodeId, own]) => [nodeId, fieldsOf(own)])),
  });

const both = { a: { size: 'long' }, b: {} };
const made = scopeOf(both);
const position = new Map([
  ['a', [null, 'x', 1.5]],
  ['b', ['9007199254740993', 3]],
]);
const cursor = printCursor(position, made);

test('a cursor reads back as it was', (t) => {
  t.deepEqual(parse(cursor, made), { position, scope: made });
});

test('the order of the nodes does not matter, their set and the sort do', (t) => {
  t.deepEqual(scopeOf(both, sort, ['b', 'a']), made);
  t.not(scopeOf(both, sort, ['a']).fingerprint, made.fingerprint);
  t.not(scopeOf(both, [{ fieldName: 'size', order: 'desc' }]).fingerprint, made.fingerprint);
});

test('one network keeps the scopes of its sorts and nodes apart', (t) => {
  const network = { byNode: new Map([['a', fieldsOf({ size: 'long', name: 'keyword' })]]) };
  const other = { byNode: new Map([['a', fieldsOf({ size: 'date', name: 'keyword' })]]) };
  const scopes = [
    cursorScope(['a'], sort, network),
    cursorScope(['a'], [{ fieldName: 'name', order: 'asc' }], network),
    cursorScope(['a', 'b'], sort, network),
    cursorScope(['a'], sort, other),
  ];
  t.is(new Set(scopes.map(({ fingerprint, sortedBy }) => `${fingerprint} ${sortedBy.get('a')}`)).size, 4);
  t.deepEqual(cursorScope(['a'], sort, network), scopes[0]);
});

test('ids of nodes may be any text', (t) => {
  const odd = new Map([
    ['10', ['"x"', 1]],
    ['a "b"', ['\\', 3]],
    ['__proto__', [2]],
  ]);
  t.deepEqual(parse(printCursor(odd, made), made)?.position, odd);
});

test('a cursor of another query is refused, and no cursor is the first page', (t) => {
  t.is(parse(null, made), null);
  t.is(parse([], made), null);
  for (const input of ['', 'abc', [1], 7, { a: 1 }])
    t.throws(() => parse(input, made), { code: 'BAD_USER_INPUT', message: /not a cursor/ });
  t.throws(() => parse(cursor, { ...made, fingerprint: 'other' }), {
    message: /other nodes or another sort/,
  });
});

for (const [what, types] of [
  ['has the field now', { a: { size: 'long' }, b: { size: 'long' } }],
  ['has lost it', { a: {}, b: {} }],
  ['holds other values in it', { a: { size: 'date' }, b: {} }],
] as const)
  test(`a cursor is refused when one of its nodes ${what}`, (t) => {
    t.throws(() => parse(cursor, scopeOf(types)), {
      code: 'BAD_USER_INPUT',
      message: /when node "[ab]" had other fields to sort by/,
    });
  });

test('other fields of a node do not matter, nor a node that gave no row yet', (t) => {
  t.notThrows(() => parse(cursor, scopeOf({ a: { size: 'long', name: 'keyword' }, b: {}, c: {} })));
});

test('a node that is down meanwhile goes on where it was, and its fields are remembered', (t) => {
  const read = parse(cursor, scopeOf({ a: { size: 'long' } }))!;
  t.deepEqual(read.position, position);
  const next = printCursor(read.position, read.scope);
  t.deepEqual(parse(next, made)?.position, position);
  t.throws(() => parse(next, scopeOf({ ...both, b: { size: 'long' } })), { message: /node "b"/ });
});
