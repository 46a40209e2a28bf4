import { DatabaseSync } from 'node:sqlite';
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { fileError } from '../../../src/engines/embedded/store/file-error.ts';
import { LiveIndex } from '../../../src/engines/embedded/index/live-index.ts';
import { readSnapshot } from '../../../src/engines/embedded/store/snapshot.ts';
import { Columns } from '../../../src/engines/embedded/columns/columns.ts';
import { createStore } from '../../../src/engines/embedded/store/store-file.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { mixedMapping, randomDocument, seeded } from '../random-documents.ts';
import { batchMapping, batchOf } from './batches.ts';
import { foundBatches } from './found-batches.ts';

/** How often a file is damaged at a random place; DAMAGES=200 for the full measure. */
const damages = Number(process.env['DAMAGES'] ?? 40);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);

interface Files {
  readonly folder: string;
  readonly store: string;
  readonly snapshot: string;
  /** The keys of the documents there are. */
  readonly ids: readonly string[];
}

/** An index with a snapshot and some documents past it, closed. */
const closedIndex = async (t: ExecutionContext): Promise<Files> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const [store, snapshot] = [join(folder, 'x.sqlite'), join(folder, 'x.snapshot')];
  createStore(store, mixedMapping);
  const index = new LiveIndex(store, snapshot);
  const random = seeded(seed);
  const write = (from: number, to: number) =>
    index.write(
      Array.from({ length: to - from }, (_, i) => ({
        id: `d${from + i}`,
        text: JSON.stringify(randomDocument(random)),
      })),
    );
  write(0, 300);
  write(100, 150);
  index.snapshot();
  write(290, 310);
  index.write([{ id: 'd7' }]);
  const ids = idsOf(index);
  index.close();
  return { folder, store, snapshot, ids };
};

const idsOf = ({ columns }: LiveIndex): readonly string[] =>
  Array.from({ length: columns.root.count }, (_, ordinal) => ordinal)
    .filter((ordinal) => columns.live[ordinal >>> 5]! & (1 << (ordinal & 31)))
    .map((ordinal) => columns.idOf(ordinal))
    .sort();

const opensWhole = (t: ExecutionContext, { store, snapshot, ids }: Files, which: string): void => {
  const index = new LiveIndex(store, snapshot);
  t.deepEqual(idsOf(index), ids, which);
  t.deepEqual(index.verify(), [], which);
  index.close();
};

test('a snapshot with a bit turned over anywhere is not believed', async (t) => {
  const files = await closedIndex(t);
  const whole = await readFile(files.snapshot);
  const random = seeded(seed);
  for (let i = 0; i < damages; i++) {
    const bytes = Buffer.from(whole);
    const at = random.below(bytes.length);
    bytes[at]! ^= 1 << random.below(8);
    await writeFile(files.snapshot, bytes);
    opensWhole(t, files, `seed ${seed}, byte ${at}`);
  }
});

test('a snapshot cut off anywhere, or overwritten from somewhere on, is not believed', async (t) => {
  const files = await closedIndex(t);
  const whole = await readFile(files.snapshot);
  const random = seeded(seed);
  for (let i = 0; i < damages / 2; i++) {
    const at = i === 0 ? 0 : random.below(whole.length);
    const rest = random.chance(0.5) ? Buffer.alloc(0) : Buffer.alloc(whole.length - at, random.below(256));
    await writeFile(files.snapshot, Buffer.concat([whole.subarray(0, at), rest]));
    opensWhole(t, files, `seed ${seed}, from byte ${at}`);
  }
});

test('a snapshot whose fields are not those of the mapping is not believed', async (t) => {
  const files = await closedIndex(t);
  const db = new DatabaseSync(files.store);
  const expected = {
    uid: String(db.prepare("SELECT v FROM meta WHERE k = 'uid'").get()!['v']),
    mapping: JSON.stringify(mixedMapping),
  };
  db.close();
  t.not(readSnapshot(files.snapshot, expected, new Columns(mixedMapping)), null);
  const other = new Columns({ properties: { tag: { type: 'keyword' } } });
  t.is(readSnapshot(files.snapshot, expected, other), null);
});

test('a store cut off anywhere says so or answers right', async (t) => {
  const files = await closedIndex(t);
  const { length } = await readFile(files.store);
  const random = seeded(seed);
  let refused = 0;
  for (let i = 0; i < damages; i++) {
    const copy = join(files.folder, `copy-${i}`);
    await cp(files.store, `${copy}.sqlite`);
    if (random.chance(0.7)) await cp(files.snapshot, `${copy}.snapshot`);
    const at = i === 0 ? 0 : random.below(length);
    await truncate(`${copy}.sqlite`, at);
    try {
      const index = new LiveIndex(`${copy}.sqlite`, `${copy}.snapshot`);
      // what stands in the columns was read before, documents are refused where they are lost
      t.deepEqual(idsOf(index), files.ids, `seed ${seed}, length ${at}`);
      for (const { number } of numbersOf(index)) index.documents.document(number, true);
      t.notDeepEqual(index.verify(), [], `seed ${seed}, length ${at}`);
      index.close();
    } catch (error) {
      const reason = error instanceof TributaryError ? error : fileError(error, 'index x');
      t.true(
        reason !== null && ['ENGINE_ERROR', 'index_not_found'].includes(reason.code),
        `length ${at}: ${(error as Error).stack}`,
      );
      refused++;
    }
  }
  t.true(refused > damages / 2, String(refused));
});

const numbersOf = ({ columns }: LiveIndex) =>
  Array.from({ length: columns.root.count }, (_, ordinal) => ({
    ordinal,
    number: columns.docIds.at(ordinal),
  })).filter(({ ordinal }) => (columns.live[ordinal >>> 5]! & (1 << (ordinal & 31))) !== 0);

test('files that are not an index, or of another version, are distinguished; a damaged index can be deleted and made anew', async (t) => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(dataPath, { recursive: true }));
  const engine = await openEngine({ kind: 'embedded', dataPath });
  t.teardown(() => engine.close());
  await engine.manage({ kind: 'create', index: 'newer', mapping: batchMapping });
  const file = join(dataPath, 'newer.sqlite');
  for (const layout of [1, 99]) {
    const db = new DatabaseSync(file);
    db.exec(`UPDATE meta SET v = ${layout} WHERE k = 'layout'`);
    db.close();
    const before = await readFile(file);
    await t.throwsAsync(engine.search('newer', { facets: [] }), {
      code: 'mapping_fetch_error',
      message: `the index file has layout ${layout}, this program reads 2: use the version that wrote it, or remove it with tributary index delete, and load the documents again`,
    });
    t.deepEqual(await readFile(file), before);
  }
  await writeFile(join(dataPath, 'parts.sqlite'), Buffer.alloc(10_000, 'no index'));
  const damaged = { code: 'ENGINE_ERROR', message: /index parts is damaged/ };
  await t.throwsAsync(engine.search('parts', { facets: [] }), damaged);
  await t.throwsAsync(engine.write('parts', batchOf(1, 5)), damaged);
  await t.throwsAsync(engine.describe('parts'), damaged);
  await engine.manage({ kind: 'delete', index: 'parts' });
  await engine.manage({ kind: 'create', index: 'parts', mapping: batchMapping });
  await engine.write('parts', batchOf(1, 5));
  t.true((await foundBatches(engine)).stored.size > 0);
});

test('a deletion that was cut short is gone through with', async (t) => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(dataPath, { recursive: true }));
  const engine = await openEngine({ kind: 'embedded', dataPath });
  t.teardown(() => engine.close());
  await engine.manage({ kind: 'create', index: 'parts', mapping: batchMapping });
  await engine.write('parts', batchOf(1, 5));
  const db = new DatabaseSync(join(dataPath, 'parts.sqlite'));
  db.exec("INSERT INTO meta VALUES ('deleted', 1)");
  db.close();
  await t.throwsAsync(engine.describe('parts'), { code: 'index_not_found' });
  await engine.manage({ kind: 'create', index: 'parts', mapping: batchMapping });
  t.is((await engine.describe('parts')).documents, 0);
});
