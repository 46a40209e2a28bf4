import { open } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { checkStores } from '../../../src/cli/check/check.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

test('a file that is damaged in the middle is reported, although its index may still answer', async (t) => {
  const dataPath = temporaryFolder(t, {});
  const engine = await openEngine({ kind: 'embedded', dataPath });
  const document = { text: 'x'.repeat(500) };
  for (const index of ['good', 'bad']) {
    await engine.manage({ kind: 'create', index, mapping: { properties: {} } });
    await engine.write(
      index,
      Array.from({ length: 500 }, (_, n) => ({ kind: 'upsert', id: `${n}`, document }) as const),
    );
  }
  await engine.close();
  t.deepEqual(checkStores({ kind: 'embedded', dataPath }), { lines: [], fine: true });
  const file = await open(join(dataPath, 'bad.sqlite'), 'r+');
  await file.write(Buffer.alloc(40_960, 0xa5), 0, 40_960, 81_920);
  await file.close();
  const { lines, fine } = checkStores({ kind: 'embedded', dataPath });
  t.false(fine);
  t.is(lines.length, 1);
  t.regex(
    lines[0]!,
    /^ {2}index bad: the .*file.* is damaged: restore it from a backup, or delete the index/,
  );
});
