import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { Engine, WriteOperation } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { TributaryError } from '../../../src/errors/errors.ts';
import { copyCheckpoint } from '../../../src/indexing/copy-checkpoint.ts';
import { copyIndex, type CopyRequest } from '../../../src/indexing/copy-index.ts';
import type { JsonObject } from '../../../src/json/json.ts';
import { all } from '../../../src/sqon/filter.ts';
import { onServers } from './on-servers.ts';

const documents = 3_000;
const ships = 'tributary-copied-ships';
const fleet = 'tributary-copied-fleet';
const mapping = {
  dynamic: 'strict',
  properties: {
    name: { type: 'keyword' },
    built: { type: 'date' },
    tons: { type: 'long' },
    crew: { type: 'nested', properties: { name: { type: 'keyword' } } },
  },
};

const documentOf = (n: number): JsonObject => ({
  name: `n${n % 11}`,
  built: new Date(n * 86_400_000).toISOString(),
  tons: [n, -n],
  crew: [{ name: 'Ö' }, { name: null }],
});
const upsert = (n: number): WriteOperation => ({ kind: 'upsert', id: `${n}/é`, document: documentOf(n) });

const contents = async (engine: Engine): Promise<ReadonlyMap<string, JsonObject>> => {
  const { hits } = await engine.search(ships, {
    hits: { filter: all, size: 10_000, offset: 0, sort: [], searchAfter: null, source: null, trackTotal: false },
    facets: [],
  }); // prettier-ignore
  return new Map(
    hits!.hits
      .map(({ id, source }) => [id, source] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
};

await onServers((server, cluster) => {
  test(`${server.name}: an index moves to the server, cut on the way, and back`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tributary-copy-'));
    const [before, after] = await Promise.all(
      ['before', 'after'].map((name) => openEngine({ kind: 'embedded', dataPath: join(folder, name) })),
    );
    t.teardown(async () => {
      await clear(cluster);
      await Promise.all([before!.close(), after!.close()]);
      await rm(folder, { recursive: true });
    });
    await clear(cluster);
    await before!.manage({ kind: 'create', index: ships, mapping });
    await before!.manage({ kind: 'alias', alias: fleet, indices: [ships] });
    await before!.write(ships, Array.from({ length: documents }, (_, n) => upsert(n))); // prettier-ignore
    const copy = (from: Engine, to: Engine, mode: CopyRequest['mode'] = 'refuse') =>
      copyIndex(from, to, { name: ships, body: null, mode }, copyCheckpoint(folder, ships, 'a', 'b'));

    await t.throwsAsync(copy(before!, failingAfter(cluster, 4)), { message: 'the power is gone' });
    await t.throwsAsync(cluster.describe(ships), { code: 'index_not_found' });
    const there = await copy(before!, cluster, 'resume');
    t.like(there, { documents, resumedAt: 1_500 });
    t.like(await cluster.describe(fleet), { indices: [there.index!], documents, dynamic: 'strict' });
    t.deepEqual(await contents(cluster), await contents(before!));
    await t.throwsAsync(copy(before!, cluster), { code: 'CONFLICT' });

    await t.throwsAsync(copy(cluster, failingAfter(after!, 3)), { message: 'the power is gone' });
    t.like(await copy(cluster, after!, 'resume'), { documents, resumedAt: 700 });
    t.like(await after!.describe(fleet), { documents, ...mapping });
    t.deepEqual(await contents(after!), await contents(before!));
  });
});

const failingAfter = (engine: Engine, writes: number): Engine => {
  let left = writes;
  return {
    ...engine,
    write: (index, operations) => {
      if (left === 0) throw new TributaryError('ENGINE_ERROR', 'the power is gone');
      left -= 1;
      return engine.write(index, operations);
    },
  };
};

/** What an earlier run may have left on a server that is kept. */
const clear = async (engine: Engine): Promise<void> => {
  try {
    for (const index of (await engine.describe(ships)).indices)
      await engine.manage({ kind: 'delete', index });
  } catch (error) {
    if (!(error instanceof TributaryError && error.code === 'index_not_found')) throw error;
  }
};
