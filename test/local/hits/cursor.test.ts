import test from 'ava';
import type { SortKey } from '../../../src/engines/engine.ts';
import { missing, printCursor } from '../../../src/engines/semantics/cursor.ts';
import {
  engineCursor,
  shownCursor,
  shownCursorPrinter,
  cursorSeal,
  shownHit,
} from '../../../src/local/hits/hits-query.ts';

const least = '-9223372036854775808';
const greatest = '9223372036854775807';

const key = (type: string, order: SortKey['order'], missing: SortKey['missing']): SortKey => ({
  field: { path: 'f', type, nestedIn: [] },
  order,
  missing,
  mode: 'min',
});

test('a missing number or date prints alike wherever it stands', (t) => {
  for (const type of ['long', 'date']) {
    t.deepEqual(shownCursor([greatest, 7], [key(type, 'asc', 'last')]), [least, 7]);
    t.deepEqual(shownCursor([least, 7], [key(type, 'asc', 'first')]), [least, 7]);
  }
});

test('the engine gets the marker of the end where the key puts missing values', (t) => {
  const markers = (order: SortKey['order'], missing: SortKey['missing']) =>
    [least, greatest].map((value) => engineCursor([value], [key('long', order, missing)])[0]);
  t.deepEqual(markers('asc', 'first'), [least, least]);
  t.deepEqual(markers('asc', 'last'), [greatest, greatest]);
  t.deepEqual(markers('desc', 'first'), [greatest, greatest]);
  t.deepEqual(markers('desc', 'last'), [least, least]);
});

test('keywords that look like a marker and the tie-break stay as they are', (t) => {
  const keyword = [key('keyword', 'asc', 'last')];
  t.deepEqual(shownCursor([greatest, greatest], keyword), [greatest, greatest]);
  t.deepEqual(engineCursor([least, least], keyword), [least, least]);
});

test('many cursors of one sort print as each by itself', (t) => {
  const keys = (['long', 'date', 'float', 'boolean', 'keyword', 'unsigned_long'] as const).flatMap((type) => [
    key(type, 'asc', 'first'),
    key(type, 'asc', 'last'),
    key(type, 'desc', 'first'),
  ]);
  const print = shownCursorPrinter(keys);
  const values = [least, greatest, 'Infinity', null, 7, 2 ** 63, '18446744073709551615', true];
  for (const value of values)
    for (const tieBreak of ['17', 'values:1;17', 17]) {
      const all = keys.map((_, at) => (at % 4 === 3 ? missing : { isMissing: false as const, value }));
      t.deepEqual(print(all, tieBreak), shownCursor(printCursor(all, keys, tieBreak), keys));
    }
});

const cursors = cursorSeal('a key that nobody knows');

test('sealed cursors have one length, however many records come before them', (t) => {
  const positions = [0, 9, 10, 999, 1e6, '17', '1000000', 'values:;0', 'values:;4294967295'];
  const lengths = positions.map(
    (position) => String(cursors.seal([position], 0)[0]).match(/tie:(.*)/)![1]!.length,
  );
  t.deepEqual(new Set(lengths).size, 1);
  for (const position of positions) t.deepEqual(cursors.open(cursors.seal([position], 0), 0), [position]);
});

for (const [name, cursor, sortKeys] of [
  ['a number', ['Atlas', 5, 17], 2],
  ['a text', ['Atlas', 'doc;1'], 1],
  ['nothing before it', [17], 0],
  ['a text that looks like a sealed one', ['tie:abc'], 0],
  ['a note on the values before it', ['Infinity', 'values:0;17'], 1],
] as const)
  test(`a tie-break is opaque and can be read again: ${name}`, (t) => {
    const shown = cursors.seal(cursor, sortKeys);
    t.deepEqual(shown.slice(0, sortKeys), cursor.slice(0, sortKeys));
    t.regex(String(shown[sortKeys]), /^(values:0;)?tie:[\w-]{30,}$/);
    t.notDeepEqual(cursors.seal(cursor, sortKeys), shown);
    t.deepEqual(cursors.open(shown, sortKeys), cursor);
  });

test('what nodes note on the values stays readable for those who merge', (t) => {
  t.regex(String(cursors.seal(['Infinity', 'values:0;17'], 1)[1]), /^values:0;tie:/);
});

test('a tie-break that is not sealed is refused, and a cursor without one is read as it is', (t) => {
  for (const cursor of [
    ['Atlas', 17],
    ['Atlas', 'doc-1'],
    ['Atlas', null],
    ['Infinity', 'values:0;17'],
  ])
    t.throws(() => cursors.open(cursor, 1), { code: 'BAD_USER_INPUT', message: /start again/ });
  t.deepEqual(cursors.open(['Atlas'], 1), ['Atlas']);
});

test('a cursor that was changed, or sealed under another key, is refused', (t) => {
  const [own] = cursors.seal([17], 0) as [string];
  const [foreign] = cursorSeal('another key').seal([17], 0);
  const changed = own.slice(0, -2) + (own.at(-2) === 'A' ? 'B' : 'A') + own.slice(-1);
  for (const tieBreak of [foreign!, changed, 'tie:abc', 'tie:'.padEnd(60, 'x')])
    t.throws(() => cursors.open([tieBreak], 0), {
      code: 'BAD_USER_INPUT',
      message: 'searchAfter is a cursor that this server cannot read; start again from the first page',
    });
});

const stored = { id: 'a', source: { title: 'Atlas' }, cursor: ['x', 7] };

test('a cursor is sealed when it is read, and only then', (t) => {
  const sealed: unknown[] = [];
  const cursors = {
    seal: (cursor: readonly unknown[], keys: number) => (sealed.push([cursor, keys]), ['x', 'sealed']),
    open: () => [],
  };
  const hit = shownHit(stored, [], cursors);
  t.deepEqual([hit.id, hit.source, sealed], ['a', { title: 'Atlas' }, []]);
  t.deepEqual([hit.rank, sealed], [['x', 7], []]);
  t.deepEqual(hit.cursor, ['x', 'sealed']);
  t.deepEqual(sealed, [[['x', 7], 0]]);
});

test('hits have no getters of their own, which would keep the pages of a download in memory', (t) => {
  const own = Object.getOwnPropertyDescriptors(shownHit(stored, [], undefined));
  t.deepEqual(Object.keys(own), ['id', 'nodeId', 'key', 'source']);
  t.true(Object.values(own).every((property) => property.get === undefined));
});
