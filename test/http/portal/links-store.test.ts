import { existsSync } from 'node:fs';
import test from 'ava';
import { openLinksStore } from '../../../src/http/portal/links-routes.ts';
import { temporaryFolder } from '../../config/temporary-folder.ts';

test('a view is found by its id, also after a restart, and each id is another', (t) => {
  const file = `${temporaryFolder(t, {})}/deep/links.db`;
  const store = openLinksStore(file, 1000);
  t.false(existsSync(file));
  const [one, other] = [store.keep('{"tab":"charts"}'), store.keep('{"tab":"charts"}')];
  t.regex(one, /^[\w-]{22}$/);
  t.not(one, other);
  store.close();
  const again = openLinksStore(file, 1000);
  t.is(again.find(one), '{"tab":"charts"}');
  t.is(again.find('x'.repeat(22)), null);
  t.is(again.find("' OR 1"), null);
  again.close();
});

test('the oldest give way when the room is used up', (t) => {
  const store = openLinksStore(`${temporaryFolder(t, {})}/links.db`, 10);
  const ids = ['aaaa', 'bbbb', 'cccc'].map((view) => store.keep(view));
  t.deepEqual(ids.map(store.find), [null, 'bbbb', 'cccc']);
  const large = store.keep('d'.repeat(11));
  t.deepEqual([...ids, large].map(store.find), [null, null, null, null]);
  store.close();
});
