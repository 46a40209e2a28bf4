import test from 'ava';
import type { Engine, WriteOperation } from '../../../src/engines/engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { readMappingBody } from '../../../src/indexing/mapping-body.ts';
import { indexBody, readDocuments } from '../../../src/indexing/read-documents.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { onServers } from './on-servers.ts';
import { collect } from '../../indexing/file-import/collect.ts';

const documents = 3_000;
const ships = 'tributary-exported-ships';
const again = 'tributary-exported-again';
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
  tons: [n + 1, -n - 1],
  crew: [{ name: 'Ö' }, { name: null }],
});
const upsert = (n: number): WriteOperation => ({ kind: 'upsert', id: `${n}/é`, document: documentOf(n) });

await onServers((server, cluster) => {
  test(`${server.name}: all documents are exported, and a body that creates such an index`, async (t) => {
    await clear(cluster);
    await cluster.manage({ kind: 'create', index: ships, mapping });
    await cluster.write(
      ships,
      Array.from({ length: documents }, (_, n) => upsert(n)),
    );
    const read = await collect(readDocuments(cluster, ships));
    t.is(read.length, documents);
    t.deepEqual(
      Object.fromEntries(read.map(({ id, src }) => [id, JSON.parse(src) as JsonObject])),
      Object.fromEntries(Array.from({ length: documents }, (_, n) => [`${n}/é`, documentOf(n)])),
    );
    const body = readMappingBody(indexBody(await cluster.describe(ships)), ships);
    await cluster.manage({ kind: 'create', index: again, mapping: body.mapping, settings: body.settings! });
    t.like(await cluster.describe(again), mapping);
  });
  return () => clear(cluster);
});

/** What an earlier run may have left on a server that is kept. */
const clear = async (engine: Engine): Promise<void> => {
  for (const index of [ships, again])
    try {
      await engine.manage({ kind: 'delete', index });
    } catch (error) {
      if (!(error instanceof TributaryError && error.code === 'index_not_found')) throw error;
    }
};
