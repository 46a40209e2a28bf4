import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { Columns } from '../../../../src/engines/embedded/columns/columns.ts';
import { IndexFolder } from '../../../../src/engines/embedded/threads/index-folder.ts';

test.serial('a write that the columns cannot follow stands, and other indexes go on', async (t) => {
  const path = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(path, { recursive: true }));
  const folder = new IndexFolder(path);
  const mapping = { properties: { name: { type: 'keyword' } } };
  for (const index of ['one', 'other']) {
    folder.manage({ kind: 'create', index, mapping });
    folder.write(index, [{ id: 'a', text: '{"name":"x"}' }]);
  }
  folder.follow();
  const { append } = Columns.prototype;
  const restore = () => void (Columns.prototype.append = append);
  t.teardown(restore);
  t.deepEqual(folder.write('one', [{ id: 'b', text: '{"name":"y"}' }]), [{ status: 'created' }]);
  Columns.prototype.append = () => {
    throw new RangeError('Array buffer allocation failed');
  };
  t.notThrows(() => folder.follow());
  restore();
  t.is(folder.describe('one').documents, 2);
  t.is(folder.describe('other').documents, 1);
  t.deepEqual(folder.close(), []);
});
