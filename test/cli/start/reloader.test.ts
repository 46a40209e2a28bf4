import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { openReloader, type ReloaderParts } from '../../../src/cli/start/reloader.ts';
import { configStamp } from '../../../src/server/config/config-stamp.ts';
import type { Config } from '../../../src/server/config/config.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

/** A reloader that checks its files only if the test says how often. */
const openFor = (t: ExecutionContext, parts: Partial<ReloaderParts>) => {
  const reloader = openReloader({
    stamp: async () => 'first',
    loaded: 'first',
    apply: async () => ({ changes: [], problems: [] }),
    begins: () => undefined,
    done: () => undefined,
    log: pino({ level: 'silent' }),
    everyMs: 3_600_000,
    ...parts,
  });
  t.teardown(reloader.close);
  // the reloader alone keeps no process running
  const awake = setInterval(() => undefined, 1_000);
  t.teardown(() => clearInterval(awake));
  return reloader;
};

test('an outcome that cannot be recorded is logged, and the next reload runs', async (t) => {
  const lines: string[] = [];
  let applied = 0;
  const reloader = openFor(t, {
    apply: async () => {
      applied += 1;
      return { changes: [], problems: [] };
    },
    done: () => {
      throw new Error('ENOSPC: no space left on device');
    },
    log: pino(
      { level: 'warn' },
      { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
    ),
  });
  await reloader.reload();
  await reloader.reload();
  t.is(applied, 2);
  t.deepEqual(
    lines,
    Array.from({ length: 2 }, () => 'a reload cannot be recorded'),
  );
});

test('a server that stops while the files are looked at applies nothing of them', async (t) => {
  let applied = 0;
  const reloader = openFor(t, {
    stamp: async () => {
      reloader.close();
      return 'second';
    },
    apply: async () => ({ changes: [String((applied += 1))], problems: [] }),
  });
  await reloader.reload();
  t.is(applied, 0);
});

for (const name of ['base.json', 'BASE.JSON'])
  test(`edits from before the files were watched are found, too: ${name}`, async (t) => {
    const configsPath = temporaryFolder(t, { [`books/${name}`]: {} });
    const served = {
      configsPath,
      catalogues: [],
      nodes: null,
      hubs: null,
      access: null,
      http: { portal: null },
    } as unknown as Config;
    const stamp = () => configStamp(served);
    const loaded = await stamp();
    writeFileSync(join(configsPath, 'books', name), '{"esIndex":"books"}');
    await new Promise<void>(
      (resolve) => void openFor(t, { stamp, loaded, everyMs: 5, done: () => resolve() }),
    );
    t.pass();
  });

test('files that still change are not read', async (t) => {
  // what each check finds; a reload takes the last stamp itself
  const stamps = ['first', 'second', 'third', 'fourth', 'fourth'];
  const left: number[] = [];
  await new Promise<void>(
    (resolve) =>
      void openFor(t, {
        stamp: async () => stamps.shift() ?? 'fourth',
        everyMs: 1,
        begins: () => void left.push(stamps.length),
        done: () => resolve(),
      }),
  );
  t.deepEqual(left, [0]);
});

test('once closed, it reloads nothing, and records no outcome of a reload in progress', async (t) => {
  const [began, ends] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let applied = 0;
  let recorded = 0;
  const reloader = openFor(t, {
    apply: async () => {
      applied += 1;
      began.resolve(undefined);
      await ends.promise;
      return { changes: [], problems: [] };
    },
    done: () => void (recorded += 1),
  });
  const inProgress = reloader.reload();
  const waiting = reloader.reload();
  await began.promise;
  reloader.close();
  ends.resolve(undefined);
  await Promise.all([inProgress, waiting, reloader.reload()]);
  t.deepEqual([applied, recorded], [1, 0]);
});
