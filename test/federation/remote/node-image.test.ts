import test from 'ava';
import type { NodeConnection } from '../../../src/federation/remote/http-client.ts';
import { getImage } from '../../../src/federation/remote/node-image.ts';
import { contextOf } from '../node-fixtures.ts';

test('the names of a picture lead to no other place of a node, which gets a credential', async (t) => {
  const requested: string[] = [];
  const node = {
    get: async (path: string) => {
      requested.push(path);
      return { status: 200, headers: {}, body: Buffer.from('') };
    },
  } as unknown as NodeConnection;
  for (const path of ['../admin/0', 'one/../0', './one/picture/0', 'one/..'])
    await t.throwsAsync(getImage(node, path, {}, contextOf()), { code: 'NOT_FOUND' }, path);
  await getImage(node, 'a..b/.picture/0', {}, contextOf());
  t.deepEqual(requested, ['/images/a..b/.picture/0']);
});
