import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import test from 'ava';
import { openLinksStore } from '../../../src/capabilities/portal/links-routes.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

test('a view is found by its id, also after a restart, and each id is another', (t) => {
  const file = `${temporaryFolder(t, {})}/deep/links.db`;
  const store = openLinksStore(file, 4_000);
  t.false(existsSync(file));
  const [one, other] = [store.keep('{"tab":"charts"}', 'ann'), store.keep('{"tab":"charts"}', 'ann')];
  t.regex(one, /^[\w-]{22}$/);
  t.not(one, other);
  store.close();
  const again = openLinksStore(file, 4_000);
  t.is(again.find(one), '{"tab":"charts"}');
  t.is(again.find('x'.repeat(22)), null);
  t.is(again.find("' OR 1"), null);
  again.close();
});

test('the oldest give way when the room is used up', (t) => {
  const store = openLinksStore(`${temporaryFolder(t, {})}/links.db`, 2_500);
  const ids = ['aaaa', 'bbbb', 'cccc'].map((view) => store.keep(view, 'ann'));
  t.deepEqual(ids.map(store.find), [null, 'bbbb', 'cccc']);
  const large = store.keep('d'.repeat(2_501), 'ann');
  t.deepEqual([...ids, large].map(store.find), [null, null, null, null]);
  store.close();
});

test('a caller who takes up the room loses their own links, and nobody else theirs', (t) => {
  const store = openLinksStore(`${temporaryFolder(t, {})}/links.db`, 5 * 1_024);
  const own = store.keep('aaaa', 'ann');
  const many = Array.from({ length: 50 }, (_, n) => store.keep(`b${n}`.padEnd(4), 'bob'));
  // one view of more than all of the others
  t.is(store.find(store.keep('c'.repeat(4_097), 'eve')), null);
  t.is(store.find(own), 'aaaa');
  t.deepEqual(
    many.filter((id) => store.find(id) !== null),
    many.slice(-4),
  );
  store.close();
});

test('a file from before links had callers is read on', (t) => {
  const file = `${temporaryFolder(t, {})}/links.db`;
  const before = new DatabaseSync(file);
  before.exec(`CREATE TABLE link (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, view TEXT NOT NULL);
    INSERT INTO link (id, bytes, view) VALUES ('${'x'.repeat(22)}', 2, '{}')`);
  before.close();
  const store = openLinksStore(file, 2_000);
  t.is(store.find('x'.repeat(22)), '{}');
  t.is(store.find(store.keep('{}', 'ann')), '{}');
  store.close();
});
