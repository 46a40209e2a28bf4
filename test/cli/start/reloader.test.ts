import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { pino } from 'pino';
import { openReloader } from '../../../src/cli/start/reloader.ts';
import { configStamp } from '../../../src/config/config-stamp.ts';
import type { Config } from '../../../src/config/config.ts';
import { temporaryFolder } from '../../config/temporary-folder.ts';

test('an outcome that cannot be recorded is told, and the next reload runs', async (t) => {
  const served = { configsPath: temporaryFolder(t, {}), nodes: null, access: null } as unknown as Config;
  const told: string[] = [];
  const log = pino(
    { level: 'warn' },
    { write: (line) => void told.push((JSON.parse(line) as { msg: string }).msg) },
  );
  let applied = 0;
  const reloader = openReloader(served, {
    loaded: await configStamp(served),
    read: () => served,
    apply: async () => {
      applied += 1;
      return { changes: [], problems: [] };
    },
    begins: () => undefined,
    done: () => {
      throw new Error('ENOSPC: no space left on device');
    },
    log,
    everyMs: 3_600_000,
  });
  t.teardown(reloader.close);
  await reloader.reload();
  await reloader.reload();
  t.is(applied, 2);
  t.deepEqual(
    told,
    Array.from({ length: 2 }, () => 'a reload cannot be recorded'),
  );
});

test('what was edited before the files were watched is found, too', async (t) => {
  const configsPath = temporaryFolder(t, { 'books/base.json': {} });
  const served = { configsPath, nodes: null, access: null } as unknown as Config;
  const loaded = await configStamp(served);
  writeFileSync(join(configsPath, 'books', 'base.json'), '{"esIndex":"books"}');
  // the reloader alone keeps no process running
  const awake = setInterval(() => undefined, 1_000);
  t.teardown(() => clearInterval(awake));
  await new Promise<void>((resolve) => {
    const reloader = openReloader(served, {
      loaded,
      read: () => served,
      apply: async () => ({ changes: [], problems: [] }),
      begins: () => undefined,
      done: () => resolve(),
      log: pino({ level: 'silent' }),
      everyMs: 5,
    });
    t.teardown(reloader.close);
  });
  t.pass();
});

test('once closed, nothing is reloaded, and the outcome of what is under way not recorded', async (t) => {
  const served = { configsPath: temporaryFolder(t, {}), nodes: null, access: null } as unknown as Config;
  const [began, ends] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let applied = 0;
  let recorded = 0;
  const reloader = openReloader(served, {
    loaded: await configStamp(served),
    read: () => served,
    apply: async () => {
      applied += 1;
      began.resolve(undefined);
      await ends.promise;
      return { changes: [], problems: [] };
    },
    begins: () => undefined,
    done: () => void (recorded += 1),
    log: pino({ level: 'silent' }),
    everyMs: 3_600_000,
  });
  const underWay = reloader.reload();
  const waiting = reloader.reload();
  await began.promise;
  reloader.close();
  ends.resolve(undefined);
  await Promise.all([underWay, waiting, reloader.reload()]);
  t.deepEqual([applied, recorded], [1, 0]);
});
