import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import type { Engine, WriteOperation, WriteOutcome } from '../../src/engines/engine.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import { bulkWriter, type BulkItem, jsonSize } from '../../src/indexing/bulk-writer.ts';
import fc from '../fast-check.ts';
import type { JsonValue } from '../../src/lib/json/json.ts';

const upsert = (id: string, text = ''): BulkItem => ({
  operation: { kind: 'upsert', id, document: { text } },
  recordId: id,
});

/** An engine of which only writing is used. */
const writing = (
  write: (operations: readonly WriteOperation[]) => Promise<readonly WriteOutcome[]>,
): Engine =>
  ({ write: (_index: string, operations: readonly WriteOperation[]) => write(operations) }) as Engine;

const created = (operations: readonly WriteOperation[]): readonly WriteOutcome[] =>
  operations.map(() => ({ status: 'created' }));

const options = (onOutcome: (item: BulkItem, outcome: WriteOutcome) => void = () => undefined) => ({
  signal: new AbortController().signal,
  index: async () => ({ index: 'things' }),
  onOutcome,
});

test('batches are bounded by count and by bytes, and no more than three are under way', async (t) => {
  const sizes: number[] = [];
  let inProgress = 0;
  let most = 0;
  const engine = writing(async (operations) => {
    sizes.push(operations.length);
    most = Math.max(most, ++inProgress);
    await delay(5);
    inProgress--;
    return created(operations);
  });
  const bulk = bulkWriter(engine, options());
  for (let number = 0; number < 8_500; number++) await bulk.add(upsert(`small ${number}`));
  const large = 'x'.repeat(1_500_000);
  for (let number = 0; number < 8; number++) await bulk.add(upsert(`large ${number}`, large));
  await bulk.finish();
  t.deepEqual(sizes, [2_000, 2_000, 2_000, 2_000, 506, 2]);
  t.is(most, 3);
});

test('every operation has its outcome reported', async (t) => {
  const refused = { status: 'refused', reason: 'odd', retryable: false } as const;
  const engine = writing(async (operations) =>
    operations.map(({ id }) => (id === 'b' ? refused : { status: 'updated' })),
  );
  const reported: string[] = [];
  const bulk = bulkWriter(
    engine,
    options(({ recordId }, { status }) => reported.push(`${recordId} ${status}`)),
  );
  for (const id of ['a', 'b', 'c']) await bulk.add(upsert(id));
  await bulk.finish();
  t.deepEqual(reported, ['a updated', 'b refused', 'c updated']);
});

test('a document that comes twice is written twice, one time after the other', async (t) => {
  const batches: string[][] = [];
  let inProgress = 0;
  const engine = writing(async (operations) => {
    t.is(inProgress++, 0);
    batches.push(operations.map(({ id }) => id));
    await delay(1);
    inProgress--;
    return created(operations);
  });
  const bulk = bulkWriter(engine, options());
  for (const id of ['a', 'b', 'a', 'c', 'b']) await bulk.add(upsert(id));
  await bulk.finish();
  t.deepEqual(batches, [
    ['a', 'b'],
    ['a', 'c', 'b'],
  ]);
});

test('errors of the engine are thrown by the next call, and nothing is in progress after settling', async (t) => {
  const failure = new TributaryError('permission_denied', 'not allowed');
  const bulk = bulkWriter(
    writing(() => Promise.reject(failure)),
    options(),
  );
  await bulk.add(upsert('a'));
  await t.throwsAsync(() => bulk.finish(), { is: failure });
  await bulk.settle();
});

test('waiting for a busy engine ends when the job is aborted', async (t) => {
  const controller = new AbortController();
  const engine = writing(async (operations) => {
    controller.abort(new TributaryError('CONFLICT', 'cancelled'));
    return operations.map(() => ({ status: 'refused', reason: 'busy', retryable: true }));
  });
  const bulk = bulkWriter(engine, { ...options(), signal: controller.signal });
  await bulk.add(upsert('a'));
  await t.throwsAsync(() => bulk.finish(), { message: 'cancelled' });
});

test('it is near the length of the text, for texts without escapes', (t) => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 30 });
  const property = fc.property(fc.object({ key: word, values: [word, fc.nat(), fc.boolean()] }), (value) => {
    const length = JSON.stringify(value).length;
    const size = jsonSize(value as JsonValue);
    return size >= length / 3 && size <= length * 5 + 8;
  });
  t.notThrows(() => fc.assert(property));
});
