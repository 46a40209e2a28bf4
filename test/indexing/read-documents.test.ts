import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Engine } from '../../src/engines/engine.ts';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { indexBody, readDocuments } from '../../src/indexing/read-documents.ts';
import { collect } from './file-import/collect.ts';

const mapping = { dynamic: 'strict', properties: { n: { type: 'long' }, text: { type: 'keyword' } } };

/** An engine with the index `ships_1`, also called `ships`, of these documents, and the sizes of the pages read. */
const filled = async (t: ExecutionContext, documents: number, text = '') => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-read-'));
  const engine = await openEngine({ kind: 'embedded', dataPath: folder });
  t.teardown(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });
  await engine.manage({ kind: 'create', index: 'ships_1', mapping });
  await engine.manage({ kind: 'alias', alias: 'ships', indices: ['ships_1'] });
  const upserts = Array.from({ length: documents }, (_, n) => ({
    ...{ kind: 'upsert' as const, id: `d${n}` },
    document: { n, text },
  }));
  await engine.write('ships_1', upserts);
  const sizes: number[] = [];
  const observed: Engine = {
    ...engine,
    search: (index, query) => {
      sizes.push(query.hits!.size);
      return engine.search(index, query);
    },
  };
  return { engine: observed, sizes };
};

test('every document once, in pages that grow up to a limit', async (t) => {
  const { engine, sizes } = await filled(t, 6_000);
  const read = await collect(readDocuments(engine, 'ships'));
  t.is(read.length, 6_000);
  t.deepEqual(
    read.map(({ id, src }) => [id, src]),
    Array.from({ length: 6_000 }, (_, n) => [`d${n}`, `{"n":${n},"text":""}`]),
  );
  t.deepEqual(sizes.slice(0, 6), [100, 200, 400, 800, 1_600, 2_000]);
});

test('long documents come in smaller pages', async (t) => {
  const { engine, sizes } = await filled(t, 120, 'x'.repeat(80_000));
  t.is((await collect(readDocuments(engine, 'ships'))).length, 120);
  t.deepEqual(sizes.slice(0, 2), [100, 49]);
});

test('an empty index, and a page that is not complete', async (t) => {
  const { engine } = await filled(t, 0);
  t.deepEqual(await collect(readDocuments(engine, 'ships')), []);
  const partial: Engine = {
    ...engine,
    search: async (index, query) => ({
      ...(await engine.search(index, query)),
      warnings: ['a shard failed'],
    }),
  };
  await t.throwsAsync(collect(readDocuments(partial, 'ships')), {
    code: 'ENGINE_ERROR',
    message: 'ships cannot be read completely: a shard failed',
  });
});

test('the body of an index has its mapping, and the settings that every product knows', async (t) => {
  const { engine } = await filled(t, 0);
  t.deepEqual(indexBody(await engine.describe('ships')), { mappings: mapping });
  const rules = { dynamic_templates: [] };
  const settings = {
    ...{ 'analysis.analyzer.a.type': 'standard', number_of_shards: '3' },
    ...{ 'routing.allocation.include._tier_preference': 'data_content', uuid: 'u' },
  };
  t.deepEqual(indexBody({ ...(await engine.describe('ships')), dynamicRules: rules, settings }), {
    mappings: { ...rules, ...mapping },
    settings: { 'analysis.analyzer.a.type': 'standard', number_of_shards: '3' },
  });
});
