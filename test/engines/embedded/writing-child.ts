import { openEngine } from '../../../src/engines/open/open-engine.ts';

// A process of its own that writes batches into index `parts` until it is done or killed; prints each batch once acknowledged.
// Arguments: data path, number of batches, documents in each.

const [dataPath, batches, size] = process.argv.slice(2);
const engine = await openEngine({ kind: 'embedded', dataPath: dataPath! });
for (let batch = 0; batch < Number(batches); batch++) {
  const operations = Array.from({ length: Number(size) }, (_, i) => ({
    kind: 'upsert' as const,
    id: `b${batch}-${i}`,
    document: { batch, size: i, tags: [`t${i % 3}`, 'all'] },
  }));
  await engine.write('parts', [...operations, { kind: 'delete', id: `b${batch}-0` }]);
  process.stdout.write(`${batch}\n`);
}
await engine.close();
