import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { openEngine } from '../../../../src/engines/open/open-engine.ts';
import { manyValues, samplesOfManyValues } from '../../many-values.ts';

const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
const engine = await openEngine({ kind: 'embedded', dataPath });

test.before(async () => {
  await engine.manage({ kind: 'create', index: 'many', mapping: manyValues.mapping });
  await manyValues.fill(engine, 'many');
});
test.after.always(async () => {
  await engine.close();
  await rm(dataPath, { recursive: true });
});

for (const [name, { facet, expected }] of Object.entries(samplesOfManyValues))
  test.serial(`a sample of ${name}`, async (t) => {
    const { facets } = await engine.search('many', { facets: [facet] });
    t.deepEqual(facets, [expected]);
  });

test.serial('a sample that is kept is made anew after a write, and after a deletion', async (t) => {
  const { facet } = samplesOfManyValues['few of many']!;
  const keysNow = async (): Promise<unknown> => {
    const { facets } = await engine.search('many', { facets: [facet] });
    return facets.map((one) => one.kind === 'distinct_sample' && one.sample?.keys);
  };
  t.deepEqual(await keysNow(), [100]);
  t.deepEqual(await keysNow(), [100]);
  await engine.write('many', [{ kind: 'upsert', id: 'new', document: { place: 0, name: 'another' } }]);
  t.deepEqual(await keysNow(), [101]);
  await engine.write('many', [{ kind: 'delete', id: 'new' }]);
  t.deepEqual(await keysNow(), [100]);
});
