import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { claimName } from '../../../src/cli/load/load-claim.ts';
import { DataFolder } from '../../../src/engines/embedded/threads/data-folder.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { all } from '../../../src/sqon/filter.ts';

const mapping = { properties: { a: { type: 'keyword' } } };
const write = (engine: Engine, id: string) =>
  engine.write('films', [{ kind: 'upsert', id, document: { a: id } }]);
const count = async (engine: Engine): Promise<number | null | undefined> => {
  const hits = {
    filter: all,
    size: 5,
    offset: 0,
    sort: [],
    searchAfter: null,
    source: null,
    trackTotal: true,
  } as const;
  return (await engine.search('films', { hits, facets: [] })).hits?.total;
};

/** A small disk that holds an index, filled up to its last byte; null where none can be mounted. */
const fullDisk = async (t: ExecutionContext): Promise<string | null> => {
  const dataPath = mkdtempSync(join(tmpdir(), 'tributary-'));
  t.teardown(() => rmSync(dataPath, { recursive: true, force: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', dataPath], { stdio: 'ignore' });
  } catch {
    return null;
  }
  t.teardown(() => void execFileSync('umount', ['-l', dataPath]));
  const engine = await openEngine({ kind: 'embedded', dataPath });
  await engine.manage({ kind: 'create', index: 'films', mapping });
  await engine.manage({ kind: 'alias', alias: 'movies', indices: ['films'] });
  await write(engine, '1');
  await engine.close();
  const { bavail, bsize } = statfsSync(dataPath);
  writeFileSync(join(dataPath, 'other'), Buffer.alloc(bavail * bsize));
  return dataPath;
};

const refused = (t: ExecutionContext, error: Error | undefined): void => {
  t.like(error, { code: 'ENGINE_UNAVAILABLE' });
  t.regex(error?.message ?? '', /no room .*index films.*free some space/);
};

test('on a full disk indexes are served and refuse writes, until there is room again', async (t) => {
  const dataPath = await fullDisk(t);
  if (dataPath === null) return t.pass('no disk can be mounted here');
  const settings = { kind: 'embedded', dataPath } as const;
  const engine = await openEngine(settings);
  t.teardown(() => engine.close());
  t.like(await engine.describe('movies'), { indices: ['films'], documents: 1 });
  t.is(await count(engine), 1);
  refused(t, await t.throwsAsync(write(engine, '2')));
  t.like(await t.throwsAsync(engine.manage({ kind: 'create', index: 'x', mapping })), {
    code: 'ENGINE_UNAVAILABLE',
  });
  refused(t, await t.throwsAsync(claimName(settings, engine, 'films', true, () => undefined)));
  t.deepEqual(
    readdirSync(dataPath).filter((name) => name.startsWith('@load')),
    [],
  );
  rmSync(join(dataPath, 'other'));
  t.deepEqual(await write(engine, '2'), [{ status: 'created' }]);
  t.is(await count(engine), 2);
});

test('on a full disk indexes are listed, verified, exported and deleted', async (t) => {
  const dataPath = await fullDisk(t);
  if (dataPath === null) return t.pass('no disk can be mounted here');
  const folder = new DataFolder(dataPath);
  t.like(folder.summary('movies'), { name: 'films', documents: 1, aliases: ['movies'] });
  t.deepEqual(folder.verify('films'), []);
  t.deepEqual(
    [...folder.documents('films')],
    [{ docId: 1, id: '1', src: '{"a":"1"}' }].map(
      (document) => Object.assign(Object.create(null), document) as typeof document,
    ),
  );
  refused(
    t,
    t.throws(() => folder.compact('films')),
  );
  folder.delete('films');
  t.deepEqual(folder.names(), []);
});
