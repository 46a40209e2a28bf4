import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { runReload, enterServer } from '../../../src/cli/reload/reload.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

test('a reload under way when the command comes is not taken for its own', async (t) => {
  const dataPath = temporaryFolder(t, {});
  // this process is the server
  const entry = enterServer(dataPath, 'http://localhost:1');
  t.teardown(entry.close);
  entry.begins();
  const hungUp = new Promise<void>((resolve) => process.once('SIGHUP', () => resolve()));
  const reloading = runReload([], { DATA_PATH: dataPath });
  await hungUp;
  entry.reloaded({ changes: [], problems: ['of files as they were before'] });
  // long enough for the command to find it
  await sleep(200);
  entry.begins();
  entry.reloaded({ changes: [], problems: [] });
  t.is(await reloading, 0);
});
