import { setImmediate as turnEnd } from 'node:timers/promises';
import test from 'ava';
import { openEmbeddedEngine } from '../../../src/engines/embedded/embedded-engine.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { JobTask } from '../../../src/indexing/jobs/job.ts';
import { dynamicIndex, writeRecords } from '../../../src/indexing/jobs/record-writer.ts';
import { newKeyedLock } from '../../../src/lib/concurrency/locks.ts';
import { originProperties } from '../../../src/introspection/fields/field.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { memoryEngine } from '../memory-engine.ts';
import { temporaryFolder } from './queue-fixture.ts';

const keyword = { type: 'keyword', ignore_above: 8_000 };

const growing = (engine: Engine, onGrown = (): void => undefined, lock = newKeyedLock()) => {
  const prepare = dynamicIndex({ engine, name: 'things', lock, onGrown });
  return (documents: readonly JsonObject[]) =>
    prepare(
      documents.map((document, at) => ({
        recordId: String(at),
        operation: { kind: 'upsert', id: String(at), document },
      })),
    );
};

test('an index is created for the first documents, and announced', async (t) => {
  const { engine, log } = memoryEngine();
  let grown = 0;
  const index = growing(engine, () => void grown++);
  t.is((await index([{ size: 1 }, { size: 1.5, name: 'a' }])).index, 'things');
  const made = ['create things', 'extend things by size, name'];
  t.deepEqual(log, made);
  const { properties } = await engine.describe('things');
  t.deepEqual(properties, { size: { type: 'double' }, name: keyword, ...originProperties });
  await index([{ size: 2 }]);
  t.is(grown, 2);
  t.deepEqual(log, made);
});

test('an index that is there gets what it lacks, once', async (t) => {
  const { engine, log } = memoryEngine();
  await engine.manage({
    kind: 'create',
    index: 'things',
    mapping: { properties: { size: { type: 'long' } } },
  });
  const index = growing(engine);
  await index([{ size: 1 }]);
  await index([
    { size: 1, name: 'a' },
    { empty: [], nothing: null },
  ]);
  await index([{ name: 'b' }]);
  t.deepEqual(log, ['create things', 'extend things by tributary_origin', 'extend things by name']);
});

test('two jobs that bring one new field as different types agree on one', async (t) => {
  const engine = openEmbeddedEngine(await temporaryFolder(t), 0);
  t.teardown(() => engine.close());
  const lock = newKeyedLock();
  const indexes = [growing(engine, undefined, lock), growing(engine, undefined, lock)] as const;
  await Promise.all(indexes.map((index) => index([{ name: 'a' }])));
  await Promise.all([indexes[0]([{ size: 1 }]), indexes[1]([{ size: 'large' }])]);
  t.deepEqual((await engine.describe('things')).properties['size'], { type: 'long' });
});

test('a conflict with a faster process is retried', async (t) => {
  const { engine } = memoryEngine();
  const manage = engine.manage.bind(engine);
  let raced = false;
  const overtaken: Engine = {
    ...engine,
    manage: async (action) => {
      if (!raced) {
        raced = true;
        await manage({ kind: 'create', index: 'things', mapping: { properties: { size: keyword } } });
      }
      return manage(action);
    },
  };
  await growing(overtaken)([{ size: 1 }]);
  t.deepEqual((await engine.describe('things')).properties, { size: keyword, ...originProperties });
});

test('a mapping that cannot grow is an error', async (t) => {
  const { engine } = memoryEngine();
  await engine.manage({ kind: 'create', index: 'things', mapping: { properties: originProperties } });
  const full = new TributaryError('CONFLICT', 'the limit of total fields has been exceeded');
  const index = growing({ ...engine, manage: () => Promise.reject(full) });
  await t.throwsAsync(() => index([{ size: 1 }]), { is: full });
});

test('records whose next page fails are not written any more when that is known', async (t) => {
  const { engine } = memoryEngine();
  await engine.manage({ kind: 'create', index: 'things', mapping: { properties: {} } });
  let isWritten = false;
  const slow: Engine = {
    ...engine,
    write: async (...batch) => {
      for (let turn = 0; turn < 5; turn += 1) await turnEnd();
      isWritten = true;
      return engine.write(...batch);
    },
  };
  const task = {
    ...{ engine: slow, repository: { config: { code: 'museum' } }, run: 'first' },
    ...{ signal: new AbortController().signal, progress: { counts: {} } },
  } as unknown as JobTask;
  const failure = new TributaryError('UPSTREAM_FAILED', 'page 2 did not come');
  const pages = async function* () {
    // as many as are sent at once
    const records = Array.from({ length: 2_000 }, (_, at) => ({
      documentId: `${at}`,
      recordId: `${at}`,
      organization: 'O',
      document: {},
    }));
    yield { records, skipped: [], failed: [], total: null };
    throw failure;
  };
  await t.throwsAsync(
    writeRecords(task, pages(), async () => ({ index: 'things' })),
    { is: failure },
  );
  t.true(isWritten);
});
