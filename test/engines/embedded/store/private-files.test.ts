import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openEmbeddedEngine } from '../../../../src/engines/embedded/embedded-engine.ts';
import { enterServer } from '../../../../src/cli/reload/reload.ts';
import { takeClaim } from '../../../../src/engines/embedded/store/claim.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';

test('only the user of the server reads records: files are 0600, the folder 0700', async (t) => {
  const folder = join(temporaryFolder(t, {}), 'data');
  const modes = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
    );
  const engine = openEmbeddedEngine(folder, 0);
  await engine.manage({ kind: 'create', index: 'shells', mapping: { properties: {} } });
  await engine.write('shells', [{ kind: 'upsert', id: 'a', document: { id: 'a' } }]);
  const claim = takeClaim(join(folder, '@load-shells'));
  t.teardown(() => claim?.release());
  t.teardown(enterServer(folder, 'http://localhost:1').close);
  const open = modes();
  await engine.close();
  const closed = modes();
  t.true('shells.sqlite-wal' in open && 'shells.snapshot' in closed, JSON.stringify([open, closed]));
  for (const seen of [open, closed]) t.deepEqual(new Set(Object.values(seen)), new Set(['600']));
  t.is((statSync(folder).mode & 0o777).toString(8), '700');
});
