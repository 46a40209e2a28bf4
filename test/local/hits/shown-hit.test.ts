import test from 'ava';
import { ShownHit } from '../../../src/local/hits/cursor.ts';

const stored = { id: 'a', source: { title: 'Atlas' }, cursor: ['x', 7] };

test('a cursor is sealed when it is read, and only then', (t) => {
  const sealed: unknown[] = [];
  const cursors = {
    seal: (cursor: readonly unknown[], keys: number) => (sealed.push([cursor, keys]), ['x', 'sealed']),
    open: () => [],
  };
  const hit = new ShownHit(stored, [], cursors);
  t.deepEqual([hit.id, hit.source, sealed], ['a', { title: 'Atlas' }, []]);
  t.deepEqual(hit.cursor, ['x', 'sealed']);
  t.deepEqual(sealed, [[['x', 7], 0]]);
});

test('hits have no getters of their own, which would keep the pages of a download in memory', (t) => {
  const own = Object.getOwnPropertyDescriptors(new ShownHit(stored, [], undefined));
  t.deepEqual(Object.keys(own), ['id', 'source']);
  t.true(Object.values(own).every((property) => property.get === undefined));
});
