import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { Engine } from '../../src/engines/engine.ts';
import { openEngine } from '../../src/engines/open.ts';
import { collections } from './cases/collections.ts';
import { runCheck } from './cases/run-check.ts';
import { openNaiveEngine } from './naive.ts';

const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
const engines: Readonly<Record<string, Engine>> = {
  embedded: await openEngine({ kind: 'embedded', dataPath }),
  naive: openNaiveEngine(),
};

test.after.always(async () => {
  await Promise.all(Object.values(engines).map((engine) => engine.close()));
  await rm(dataPath, { recursive: true });
});

for (const [name, engine] of Object.entries(engines)) {
  for (const collection of collections) {
    test(`${name}: ${collection.name}`, async (t) => {
      const index = collection.name.replaceAll(' ', '-');
      await engine.manage({ kind: 'create', index, mapping: collection.mapping });
      const written = await engine.write(
        index,
        Object.entries(collection.documents).map(([id, document]) => ({ kind: 'upsert', id, document })),
      );
      t.true(
        written.every(({ status }) => status === 'created'),
        JSON.stringify(written),
      );
      for (const check of collection.checks) await runCheck(t, engine, index, check);
    });
  }
}
