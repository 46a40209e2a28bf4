import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { Columns } from '../../../src/engines/embedded/columns.ts';
import { readRow } from '../../../src/engines/embedded/row.ts';
import { layColumns } from '../../../src/engines/embedded/snapshot-layout.ts';
import { readSnapshot, writeSnapshot } from '../../../src/engines/embedded/snapshot.ts';
import { mixedMapping, randomDocument, seeded } from '../random-documents.ts';

const head = { uid: 'u', mapping: 'm', number: 90, deletion: 3 };

const randomColumns = (): Columns => {
  const columns = new Columns(mixedMapping);
  const random = seeded(7);
  for (let number = 1; number <= 90; number++) {
    columns.append(number, `d${number}`, readRow(columns.tree, randomDocument(random), false));
  }
  for (const number of [4, 50, 90]) columns.remove(number);
  columns.seal();
  return columns;
};

test('columns come back from a snapshot as they were, and grow on', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'x.snapshot');
  const columns = randomColumns();
  writeSnapshot(path, head, columns);
  const restored = new Columns(mixedMapping);
  t.like(readSnapshot(path, { uid: 'u', mapping: 'm' }, restored), head);
  t.deepEqual(layColumns(restored), layColumns(columns));
  for (const both of [columns, restored]) {
    both.append(91, 'later', readRow(both.tree, randomDocument(seeded(8)), false));
    both.seal();
  }
  t.deepEqual(layColumns(restored), layColumns(columns));
});

test('a snapshot of another store or mapping is not taken', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'x.snapshot');
  t.is(readSnapshot(path, head, new Columns(mixedMapping)), null);
  writeSnapshot(path, head, randomColumns());
  t.is(readSnapshot(path, { ...head, uid: 'other' }, new Columns(mixedMapping)), null);
  t.is(readSnapshot(path, { ...head, mapping: 'other' }, new Columns(mixedMapping)), null);
});
