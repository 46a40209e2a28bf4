import { openEngine } from '../../src/engines/open/open-engine.ts';
import type { WriteOperation } from '../../src/engines/engine.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import { configOf } from '../../test/introspection/fixture.ts';

// The catalogue that is downloaded. As a program: writes so many documents into a data folder.

const index = 'samples';

const properties: JsonObject = {
  id: { type: 'keyword' },
  tissue: { type: 'keyword' },
  bytes: { type: 'long' },
  taken: { type: 'date' },
  consented: { type: 'boolean' },
  labels: { type: 'keyword' },
  donors: { type: 'nested', properties: { name: { type: 'keyword' }, age: { type: 'integer' } } },
};

/** Every field of a sample. */
export const columns = Object.keys(properties)
  .filter((name) => name !== 'donors')
  .concat('donors.name', 'donors.age')
  .map((fieldName) => ({ fieldName }));

const documentAt = (position: number): JsonObject => ({
  id: `sample-${position}`,
  tissue: ['liver', 'lung', 'skin', 'blood'][position % 4]!,
  bytes: (position * 7919) % 1_000_003,
  taken: new Date(Date.UTC(2010, 0, 1 + (position % 5000))).toISOString(),
  consented: position % 3 === 0,
  labels: ['frozen', `batch ${position % 100}`],
  donors: [
    { name: `donor ${position % 1000}`, age: position % 90 },
    { name: `donor ${(position * 31) % 1000}`, age: (position * 3) % 90 },
  ],
});

export const samples = configOf({
  catalogueId: 'samples',
  documentType: 'sample',
  esIndex: index,
  extended: [{ fieldName: 'labels', isArray: true }],
});

const write = async (dataPath: string, rows: number): Promise<void> => {
  const engine = await openEngine({ kind: 'embedded', dataPath });
  await engine.manage({ kind: 'create', index, mapping: { properties } });
  const batch = 5_000;
  for (let from = 0; from < rows; from += batch) {
    const operations: WriteOperation[] = [];
    for (let position = from; position < Math.min(from + batch, rows); position++)
      operations.push({ kind: 'upsert', id: String(position), document: documentAt(position) });
    await engine.write(index, operations);
  }
  await engine.close();
};

if (import.meta.main) {
  const [dataPath, rows] = process.argv.slice(2);
  await write(dataPath!, Number(rows));
}
