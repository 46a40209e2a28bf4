import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { batchOf } from './batches.ts';

// A process of its own that writes batch after batch into index `parts`, now and then closing the engine, which writes
// its snapshot, and opening it again. Prints a line for each batch once it is acknowledged, and the error that ends it.
// Arguments: data path, number of the first batch, most batches, documents in each, batches between two openings.

const [dataPath, first, most, size, between] = process.argv.slice(2);
const open = () => openEngine({ kind: 'embedded', dataPath: dataPath! });

process.stdout.write('started\n');
let engine = await open();
try {
  for (let number = Number(first); number < Number(first) + Number(most); number++) {
    await engine.write('parts', batchOf(number, Number(size)));
    process.stdout.write(`${number}\n`);
    if (number % Number(between) === 0) {
      await engine.close();
      engine = await open();
    }
  }
  process.stdout.write('done\n');
} catch (error) {
  process.stdout.write(
    error instanceof TributaryError ? `${error.code} ${error.message}\n` : `bug ${String(error)}\n`,
  );
  // what is there is still found, whatever stands in the way of writing
  const hits = {
    filter: { kind: 'all' },
    size: 0,
    offset: 0,
    sort: [],
    searchAfter: null,
    source: [],
    trackTotal: true,
  } as const;
  const found = await engine.search('parts', { hits, facets: [] }).catch(() => null);
  process.stdout.write(`found ${found?.hits?.total ?? 'nothing'}\n`);
}
await engine.close();
process.stdout.write('closed\n');
