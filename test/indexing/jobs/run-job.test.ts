import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { latinName } from '../../../src/indexing/file-import/foreign-names.ts';
import { originField, originProperties } from '../../../src/introspection/fields/field.ts';
import { fakeRepository, part, record } from './fake-repository.ts';
import { indexAll, keysOf, onRecord, openQueue, run, storedDocuments, withoutRun } from './queue-fixture.ts';

const failure = new TributaryError('UPSTREAM_FAILED', 'page 2 of 3 did not come');

test('every record becomes a document with its origin', async (t) => {
  const repository = fakeRepository({}, [
    record('a', { size: 1 }),
    record('b', { size: 1.5 }, 'P'),
    part('f', 'c'),
  ]);
  const { queue, engine, indexed } = await openQueue(t, [repository]);
  const job = await run(queue, indexAll());
  t.is(job.state, 'succeeded');
  t.deepEqual(job.counts, { fetched: 3, indexed: 3, removed: 0, skipped: 0, failed: 0 });
  const documents = await storedDocuments(engine);
  t.deepEqual(Object.values(documents).map(withoutRun), [
    { name: 'a', size: 1, [originField]: { repository: 'museum', organization: 'O' } },
    { name: 'b', size: 1.5, [originField]: { repository: 'museum', organization: 'P' } },
    { name: 'f', [originField]: { repository: 'museum', organization: 'O', record: 'c' } },
  ]);
  const { properties } = await engine.describe('things');
  t.deepEqual(properties['size'], { type: 'double' });
  t.deepEqual(properties[originField], originProperties[originField]);
  t.true(indexed.includes('things'));
});

test('what is gone upstream is removed, within the requested organization', async (t) => {
  const repository = fakeRepository({}, [
    record('a'),
    record('b'),
    record('c', {}, 'P'),
    record('d', {}, 'P'),
  ]);
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  repository.records = [record('a')];
  const job = await run(queue, indexAll({ organization: 'O' }));
  t.deepEqual(job.counts, { fetched: 1, indexed: 1, removed: 1, skipped: 0, failed: 0 });
  t.deepEqual(await keysOf(engine), ['a', 'c', 'd']);
  await run(queue, indexAll());
  t.deepEqual(await keysOf(engine), ['a']);
});

test('documents of other repositories and of none stay', async (t) => {
  const one = fakeRepository({}, [record('a')]);
  const other = fakeRepository({ code: 'archive' }, [record('b')]);
  const { queue, engine } = await openQueue(t, [one, other]);
  await run(queue, indexAll());
  await run(queue, indexAll({ repositoryCode: 'archive' }));
  await engine.write('things', [{ kind: 'upsert', id: 'loaded', document: { name: 'by hand' } }]);
  one.records = [];
  const job = await run(queue, indexAll());
  t.is(job.counts.removed, 1);
  t.deepEqual(await keysOf(engine), ['b', 'loaded']);
});

test('after a fetch that failed midway nothing is removed, and the job has the reason', async (t) => {
  const repository = fakeRepository(
    {},
    ['a', 'b', 'c', 'd', 'e'].map((id) => record(id)),
  );
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  repository.records = ['a', 'b', 'c', 'new'].map((id) => record(id));
  repository.beforePage = (page) => {
    if (page === 1) throw failure;
  };
  const job = await run(queue, indexAll());
  t.is(job.state, 'failed');
  t.deepEqual(job.error, { code: 'UPSTREAM_FAILED', message: 'page 2 of 3 did not come' });
  t.deepEqual(await keysOf(engine), ['a', 'b', 'c', 'd', 'e']);
});

test('records that are not to be indexed any more are removed', async (t) => {
  const repository = fakeRepository({}, [record('a'), record('b')]);
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  repository.skipped.set('b', 'not published');
  const job = await run(queue, indexAll());
  t.deepEqual(job.counts, { fetched: 2, indexed: 1, removed: 1, skipped: 1, failed: 0 });
  t.deepEqual(await keysOf(engine), ['a']);
});

test('a record that is refused or cannot be shaped keeps its previous version, and the job reports it', async (t) => {
  const repository = fakeRepository({}, [record('a', { size: 1 }), record('b', { size: 1 }), part('f', 'c')]);
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  repository.records = [record('a', { size: 2 }), record('b', { size: 'large' }), part('f', 'c')];
  repository.failed.set('c', 'its document has no id');
  const job = await run(queue, indexAll());
  t.is(job.state, 'succeeded');
  t.deepEqual(job.counts, { fetched: 3, indexed: 1, removed: 0, skipped: 0, failed: 2 });
  t.deepEqual(
    job.errors.map(({ recordId }) => recordId),
    ['c', 'b'],
  );
  t.regex(job.errors[1]!.reason, /size/);
  const documents = await storedDocuments(engine);
  t.deepEqual(
    Object.entries(documents).map(([id, { size }]) => [id, size]),
    [
      ['b', 1],
      ['f', undefined],
      ['a', 2],
    ],
  );
});

test('a mapping that is not to grow stays, but for the origin', async (t) => {
  for (const dynamic of ['strict', 'false']) {
    const repository = fakeRepository({}, [record('a'), record('b', { size: 1 })]);
    const { queue, engine } = await openQueue(t, [repository]);
    const properties = { name: { type: 'keyword' } };
    await engine.manage({ kind: 'create', index: 'things', mapping: { dynamic, properties } });
    const job = await run(queue, indexAll());
    t.deepEqual((await engine.describe('things')).properties, { ...properties, ...originProperties });
    t.is(job.counts.failed, dynamic === 'strict' ? 1 : 0);
    t.deepEqual(await keysOf(engine), dynamic === 'strict' ? ['a'] : ['a', 'b']);
  }
});

test('fields that come later extend the mapping', async (t) => {
  const repository = fakeRepository({}, [record('a')]);
  const { queue, engine, indexed } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  const reported = indexed.length;
  repository.records = [record('a', { parts: [{ weight: 2 }] })];
  await run(queue, indexAll());
  const { properties } = await engine.describe('things');
  t.deepEqual(properties['parts'], { type: 'nested', properties: { weight: { type: 'long' } } });
  t.true(indexed.length > reported);
});

test('an alias of one index is written through', async (t) => {
  const repository = fakeRepository({ indexName: 'shown' }, [record('a')]);
  const { queue, engine } = await openQueue(t, [repository]);
  await engine.manage({ kind: 'create', index: 'things', mapping: { properties: {} } });
  await engine.manage({ kind: 'alias', alias: 'shown', indices: ['things'] });
  t.is((await run(queue, indexAll())).state, 'succeeded');
  t.deepEqual(await keysOf(engine, 'things'), ['a']);
});

test('one record is indexed, and the parts of it that are gone are removed', async (t) => {
  const repository = fakeRepository({}, [part('f1', 'r'), part('f2', 'r'), part('g', 's')]);
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  repository.records = [part('f2', 'r'), part('f3', 'r')];
  const job = await run(queue, onRecord('indexRecord', 'r'));
  t.deepEqual(job.counts, { fetched: 2, indexed: 2, removed: 1, skipped: 0, failed: 0 });
  t.deepEqual(await keysOf(engine), ['f2', 'f3', 'g']);
});

test('one record that is not to be indexed any more is removed', async (t) => {
  const repository = fakeRepository({}, [record('a'), record('b')]);
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  repository.skipped.set('a', 'not valid');
  const job = await run(queue, onRecord('indexRecord', 'a'));
  t.deepEqual(job.counts, { fetched: 1, indexed: 0, removed: 1, skipped: 1, failed: 0 });
  t.deepEqual(await keysOf(engine), ['b']);
});

test('a record the repository does not have fails its job, and what is indexed stays', async (t) => {
  const repository = fakeRepository({}, [record('a')]);
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  const job = await run(queue, onRecord('indexRecord', 'a', 'P'));
  t.deepEqual(job.error, { code: 'NOT_FOUND', message: 'repository museum has no record a of P' });
  t.deepEqual(await keysOf(engine), ['a']);
});

test('removing contacts no repository, takes all parts of a record, and leaves those of others', async (t) => {
  const repository = fakeRepository({}, [part('f1', 'r'), part('f2', 'r'), record('a', {}, 'P')]);
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  await engine.write('things', [{ kind: 'upsert', id: 'old', document: { name: 'of no repository' } }]);
  repository.beforePage = () => {
    throw failure;
  };
  t.is((await run(queue, onRecord('removeRecord', 'r'))).counts.removed, 2);
  t.is((await run(queue, onRecord('removeRecord', 'a', 'O'))).counts.removed, 0);
  t.deepEqual(await keysOf(engine), ['a', 'old']);
  t.is((await run(queue, onRecord('removeRecord', 'old'))).counts.removed, 1);
  t.is((await run(queue, onRecord('removeRecord', 'a', 'P'))).counts.removed, 1);
});

test('removing what is not there succeeds, also without an index', async (t) => {
  const { queue } = await openQueue(t, [fakeRepository()]);
  const job = await run(queue, onRecord('removeRecord', 'a'));
  t.is(job.state, 'succeeded');
  t.is(job.counts.removed, 0);
});

test('an empty repository makes no index', async (t) => {
  const { queue, engine } = await openQueue(t, [fakeRepository()]);
  t.is((await run(queue, indexAll())).state, 'succeeded');
  await t.throwsAsync(() => engine.describe('things'), { message: /does not exist/ });
});

test('a value that the index would keep and index as another fails its record, whose previous version stays', async (t) => {
  const first = { size: 1, day: '2020-01-02', on: true, mail: '10.0.0.1' };
  const repository = fakeRepository({}, [record('a', first), record('b', first)]);
  const { queue, engine } = await openQueue(t, [repository]);
  await run(queue, indexAll());
  repository.records = [
    record('a', { ...first, size: 1.5 }),
    record('b', { ...first, size: 2 }),
    record('c', { ...first, day: 'May 2014' }),
    record('d', { ...first, size: '12 kg' }),
    record('e', { ...first, 'x.': 1 }),
  ];
  const job = await run(queue, indexAll());
  t.deepEqual(job.errors, [
    { recordId: 'a', reason: 'field size: 1.5 is not of type long' },
    { recordId: 'c', reason: 'field day: "May 2014" is not of type date' },
    { recordId: 'd', reason: 'field size: "12 kg" is not of type long' },
    {
      recordId: 'e',
      reason:
        'the key "x." has an empty part: dots stand between the names of objects and fields, as in "a.b"',
    },
  ]);
  t.deepEqual(job.counts, { fetched: 5, indexed: 1, removed: 0, skipped: 0, failed: 4 });
  const documents = await storedDocuments(engine);
  t.deepEqual(
    Object.entries(documents).map(([id, document]) => [id, document['size']]),
    [
      ['a', 1],
      ['b', 2],
    ],
  );
});

test('the first job gives each field a type that holds all of its values', async (t) => {
  const records = [
    { size: 1, day: '2020-01-02', code: 1 },
    { size: 2 },
    { size: 1.5, day: 'May 2014', code: 3 },
  ];
  for (const rebuild of [false, true]) {
    const repository = fakeRepository(
      {},
      records.map((one, at) => record(String(at), one)),
    );
    const { queue, engine } = await openQueue(t, [repository]);
    const job = await run(queue, indexAll({ rebuild }));
    t.deepEqual(job.counts, { fetched: 3, indexed: 3, removed: 0, skipped: 0, failed: 0 });
    const { properties } = await engine.describe('things');
    const typeOf = (field: string): unknown => (properties[field] as { type: string }).type;
    t.deepEqual(['size', 'day', 'code'].map(typeOf), ['double', 'keyword', 'long']);
  }
});

test('numbers of many digits are longs, and keep their digits', async (t) => {
  const one = { ...record('a', { n: '9007199254740993' }), rounded: { name: 'a', n: 9007199254740992 } };
  const { queue, engine } = await openQueue(t, [fakeRepository({}, [record('b', { n: 1 }), one])]);
  t.is((await run(queue, indexAll())).counts.failed, 0);
  t.like((await engine.describe('things')).properties, { n: { type: 'long' } });
  t.is((await storedDocuments(engine))['a']?.['n'], '9007199254740993');
});

test('fractions that a double does not hold are rounded where they are numbers', async (t) => {
  const exact = { n: '0.12345678901234567891', code: '0.12345678901234567891' };
  const rounded = { name: 'a', n: 0.12345678901234568, code: 0.12345678901234568 };
  const one = { ...record('a', exact), rounded };
  const { queue, engine } = await openQueue(t, [fakeRepository({}, [record('b', { code: 'x' }), one])]);
  t.is((await run(queue, indexAll())).counts.failed, 0);
  t.like((await engine.describe('things')).properties, { n: { type: 'double' }, code: { type: 'keyword' } });
  t.like((await storedDocuments(engine))['a'], { n: 0.12345678901234568, code: '0.12345678901234567891' });
});

test('names that GraphQL cannot have are made up as for files, and those that it cannot distinguish fail', async (t) => {
  const first = record('a', { 年齢: 30, 性別: 'F', 'a b': 1 });
  const repository = fakeRepository({}, [first, record('b', { 年齢: 41 }), record('c', { 'a-b': 2 })]);
  const { queue, engine } = await openQueue(t, [repository]);
  const job = await run(queue, indexAll());
  t.deepEqual(job.errors, [
    { recordId: 'c', reason: 'the fields "a b" and "a-b" would both be a_b in GraphQL: rename one of them' },
  ]);
  const { properties } = await engine.describe('things');
  t.deepEqual(
    Object.keys(properties).filter((name) => name !== originField),
    ['name', latinName('年齢'), latinName('性別'), 'a b'],
  );
  t.is((await storedDocuments(engine))['b']?.[latinName('年齢')], 41);
});
