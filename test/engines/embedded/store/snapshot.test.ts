import fs from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import test from 'ava';
import { Columns } from '../../../../src/engines/embedded/columns/columns.ts';
import type { KeywordColumn } from '../../../../src/engines/embedded/columns/keyword-column.ts';
import { numbersOf, type NumberColumn } from '../../../../src/engines/embedded/columns/number-column.ts';
import { readRow } from '../../../../src/engines/embedded/columns/row.ts';
import { layColumns } from '../../../../src/engines/embedded/store/snapshot-layout.ts';
import {
  paddedLength,
  readSnapshot,
  snapshotState,
  writeSnapshot,
} from '../../../../src/engines/embedded/store/snapshot.ts';
import { mixedMapping, randomDocument, seeded } from '../../random-documents.ts';

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

test('values past 2^53 come back although many objects behind them have none', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'x.snapshot');
  const mapping = { properties: { size: { type: 'long' }, at: { type: 'date_nanos' } } };
  const columns = new Columns(mapping);
  const first = { size: '9007199254740993', at: '2020-01-01T00:00:00.123456789Z' };
  for (let number = 1; number <= 300; number++)
    columns.append(number, `d${number}`, readRow(columns.tree, number === 1 ? first : {}, true));
  columns.seal();
  writeSnapshot(path, head, columns);
  const restored = new Columns(mapping);
  t.like(readSnapshot(path, { uid: 'u', mapping: 'm' }, restored), head);
  const numbers = (of: Columns, field: string, ordinal: number) =>
    numbersOf(of.column(field)!.data as NumberColumn, ordinal);
  for (const field of ['size', 'at'])
    for (const ordinal of [0, 299])
      t.deepEqual(numbers(restored, field, ordinal), numbers(columns, field, ordinal));
});

test('the head keeps the names of the file format, by which other versions read it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'x.snapshot');
  writeSnapshot(path, head, randomColumns());
  const file = await readFile(path);
  const { layout } = JSON.parse(file.subarray(16, 16 + file.readUInt32LE(4)).toString()) as {
    layout: object;
  };
  t.deepEqual(Object.keys(layout).sort(), ['ids', 'liveCount', 'spaces']);
  const [root] = (layout as { spaces: readonly object[] }).spaces;
  t.deepEqual(Object.keys(root!).sort(), ['columns', 'count', 'path', 'start', 'up']);
});

test('a snapshot is written without a copy of any array', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'x.snapshot');
  const { writeSync } = fs;
  let copied = 0;
  const counting = (file: number, bytes: Uint8Array, ...place: readonly number[]): number => {
    if (!(bytes.buffer instanceof SharedArrayBuffer)) copied += bytes.length;
    return writeSync(file, bytes, ...place);
  };
  Object.assign(fs, { writeSync: counting });
  syncBuiltinESMExports();
  const columns = randomColumns();
  try {
    writeSnapshot(path, head, columns);
  } finally {
    Object.assign(fs, { writeSync });
    syncBuiltinESMExports();
  }
  const headBytes = (await readFile(path)).readUInt32LE(4);
  t.true(copied >= headBytes);
  t.true(copied <= 16 + headBytes + 8 * layColumns(columns).arrays.length, String(copied));
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

test('a snapshot by earlier rules is whole, but not taken', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'x.snapshot');
  writeSnapshot(path, head, randomColumns());
  t.deepEqual(readSnapshot(path, head, new Columns(mixedMapping))?.number, head.number);
  const file = await readFile(path);
  file.write('"rules":1', file.indexOf('"rules":2'));
  file.writeUInt32LE(crc32(file.subarray(16), crc32(file.subarray(0, 8))), 8);
  await writeFile(path, file);
  t.is(snapshotState(path), 'whole');
  t.is(readSnapshot(path, head, new Columns(mixedMapping)), null);
});

test('the bytes of many strings have room behind them, so that the next write need not copy them', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'x.snapshot');
  const columns = new Columns(mixedMapping);
  const append = (target: Columns, number: number): void =>
    target.append(number, `document ${number}`, readRow(target.tree, {}, false));
  for (let number = 1; number <= 6_000; number++) append(columns, number);
  columns.seal();
  writeSnapshot(path, head, columns);
  const restored = new Columns(mixedMapping);
  readSnapshot(path, { uid: 'u', mapping: 'm' }, restored);
  const { table } = restored.ids.data as KeywordColumn;
  const { bytes } = table;
  for (const both of [columns, restored]) {
    append(both, 6_001);
    both.seal();
  }
  t.is(table.bytes, bytes);
  t.is(restored.idOf(6_000), 'document 6001');
  t.deepEqual(layColumns(restored), layColumns(columns));
});

test('parts of 2 GiB and more are padded like others', (t) => {
  for (const length of [0, 7, 2 ** 31 - 8, 2 ** 31 - 1, 2 ** 32 - 1])
    t.is(paddedLength(length), length + ((8 - (length % 8)) % 8));
});
