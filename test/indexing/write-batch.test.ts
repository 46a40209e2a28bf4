import test from 'ava';
import type { Engine, WriteOperation, WriteOutcome } from '../../src/engines/engine.ts';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import { writeBatch } from '../../src/indexing/write-batch.ts';

const operations: readonly WriteOperation[] = ['a', 'b', 'c'].map((id) => ({
  kind: 'upsert',
  id,
  document: {},
}));
const away = new TributaryError('ENGINE_UNAVAILABLE', 'the engine is away');

/** An engine that answers a write with each of these in turn, the last one for ever. */
const scripted = (...answers: readonly ((ids: string[]) => readonly WriteOutcome[])[]) => {
  const requested: string[][] = [];
  const write: Engine['write'] = (_index, written) => {
    const ids = written.map((operation) => operation.id);
    requested.push(ids);
    return Promise.resolve(answers[Math.min(requested.length, answers.length) - 1]!(ids));
  };
  return { engine: { write } as Engine, requested };
};
const noWait = (): Promise<void> => Promise.resolve();
const created: WriteOutcome = { status: 'created' };
const busy: WriteOutcome = { status: 'refused', reason: 'busy', retryable: true };
const wrong: WriteOutcome = { status: 'refused', reason: 'wrong', retryable: false };
const fail = (): never => {
  throw away;
};

test('only what is worth it is tried again, and outcomes keep their places', async (t) => {
  const { engine, requested } = scripted(
    () => [busy, wrong, created],
    () => [created],
  );
  t.deepEqual(await writeBatch(engine, 'i', operations, noWait), [created, wrong, created]);
  t.deepEqual(requested, [['a', 'b', 'c'], ['a']]);
});

test('what stays busy is refused after six attempts', async (t) => {
  const { engine, requested } = scripted((ids) => ids.map(() => busy));
  t.deepEqual(await writeBatch(engine, 'i', operations, noWait), [busy, busy, busy]);
  t.is(requested.length, 6);
});

test('an engine that comes back is written to, one that stays away throws', async (t) => {
  const { engine } = scripted(fail, fail, (ids) => ids.map(() => created));
  t.deepEqual(await writeBatch(engine, 'i', operations, noWait), [created, created, created]);
  await t.throwsAsync(writeBatch(scripted(fail).engine, 'i', operations, noWait), { is: away });
});

test('a wait that the engine requests is respected, up to a minute', async (t) => {
  const waitFor = (retryAfterSeconds: number) => (): never => {
    throw new TributaryError('ENGINE_UNAVAILABLE', 'the engine is away', { details: { retryAfterSeconds } });
  };
  const { engine } = scripted(waitFor(30), waitFor(86_400), (ids) => ids.map(() => created));
  const waits: number[] = [];
  const wait = (ms: number): Promise<void> => {
    waits.push(ms);
    return Promise.resolve();
  };
  t.deepEqual(await writeBatch(engine, 'i', operations, wait), [created, created, created]);
  t.deepEqual(waits, [30_000, 60_000]);
});

test('an error that will not pass is not tried again', async (t) => {
  const denied = new TributaryError('permission_denied', 'not allowed');
  const { engine, requested } = scripted(() => {
    throw denied;
  });
  await t.throwsAsync(writeBatch(engine, 'i', operations, noWait), { is: denied });
  t.is(requested.length, 1);
});

test('a request that is refused as a whole is taken apart until only the culprit is refused', async (t) => {
  const { engine, requested } = scripted((ids) => {
    if (ids.includes('c')) throw new TributaryError('BAD_USER_INPUT', 'the key c is too long');
    return ids.map(() => created);
  });
  const refused: WriteOutcome = { status: 'refused', reason: 'the key c is too long', retryable: false };
  t.deepEqual(await writeBatch(engine, 'i', operations, noWait), [created, created, refused]);
  t.deepEqual(requested, [['a', 'b', 'c'], ['a'], ['b', 'c'], ['b'], ['c']]);
});

test('what is taken apart and meets an engine that is away is tried again whole', async (t) => {
  const refuse = (): never => {
    throw new TributaryError('PAYLOAD_TOO_LARGE', 'too large');
  };
  const accept = (ids: readonly string[]): readonly WriteOutcome[] => ids.map(() => created);
  const { engine, requested } = scripted(refuse, accept, fail, accept);
  t.deepEqual(await writeBatch(engine, 'i', operations, noWait), [created, created, created]);
  t.deepEqual(requested, [['a', 'b', 'c'], ['a'], ['b', 'c'], ['a', 'b', 'c']]);
});
