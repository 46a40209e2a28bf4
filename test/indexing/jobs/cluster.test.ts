import test from 'ava';
import { openJobQueue } from '../../../src/indexing/jobs/job-runner.ts';
import { originProperties } from '../../../src/introspection/fields/field.ts';
import { onServers } from '../../engines/cluster/on-servers.ts';
import { fakeRepository, part, record } from './fake-repository.ts';
import { indexAll, keysOf, onRecord, run, temporaryFolder } from './queue-fixture.ts';

const name = 'tributary-jobs';

await onServers((server, engine) => {
  test.serial(
    `${server.name}: jobs index, find what is stale, rebuild and remove as with the embedded engine`,
    async (t) => {
      t.timeout(300_000);
      await engine.manage({ kind: 'delete', index: name });
      const museum = fakeRepository({ indexName: name, pageSize: 500 });
      const archive = fakeRepository({ indexName: name, code: 'archive' }, [
        part('f1', 'r'),
        part('f2', 'r'),
      ]);
      const queue = await openJobQueue({
        engine,
        repositories: [museum, archive],
        dataPath: await temporaryFolder(t),
      });
      t.teardown(() => queue.close());
      const ids = Array.from({ length: 2_500 }, (_, number) => `r${String(number).padStart(4, '0')}`);

      museum.records = ids.map((id, number) => record(id, { size: number }, number % 2 === 0 ? 'O' : 'P'));
      t.is((await run(queue, indexAll())).counts.indexed, 2_500);
      t.is((await run(queue, indexAll({ repositoryCode: 'archive' }))).state, 'succeeded');
      t.deepEqual((await engine.describe(name)).properties, {
        name: { type: 'keyword', ignore_above: 8_000 },
        size: { type: 'long' },
        ...originProperties,
      });

      museum.records = [record('r0000', { size: 'large' }), record('r0002', { size: 7 })];
      const stale = await run(queue, indexAll({ organization: 'O' }));
      t.deepEqual(stale.counts, { fetched: 2, indexed: 1, removed: 1_248, skipped: 0, failed: 1 });
      t.is((await keysOf(engine, name)).length, 1_250 + 2 + 2);

      museum.records = [record('r0000', { size: 'large' }), record('new')];
      const rebuilt = await run(queue, indexAll({ rebuild: true }));
      t.is(rebuilt.state, 'succeeded');
      t.deepEqual(await keysOf(engine, name), ['f1', 'f2', 'new', 'r0000']);
      t.regex((await engine.describe(name)).indices.join(), /^tributary-jobs_\d{17}$/);

      const removal = { ...onRecord('removeRecord', 'r'), repositoryCode: 'archive' };
      t.is((await run(queue, removal)).counts.removed, 2);
      t.is((await run(queue, onRecord('indexRecord', 'new'))).counts.indexed, 1);
      t.deepEqual(await keysOf(engine, name), ['new', 'r0000']);

      const tooLong = 'x'.repeat(600);
      museum.records = [record('a', {}, 'Q'), record(tooLong, {}, 'Q'), record('b', {}, 'Q')];
      const partly = await run(queue, indexAll({ organization: 'Q' }));
      t.deepEqual(partly.counts, { fetched: 3, indexed: 2, removed: 0, skipped: 0, failed: 1 });
      t.is(partly.errors[0]!.recordId, tooLong);
      for (const index of (await engine.describe(name)).indices)
        await engine.manage({ kind: 'delete', index });
    },
  );

  test.serial(`${server.name}: a rebuild keeps the analyzers that the mapping names`, async (t) => {
    t.timeout(300_000);
    const index = `${name}-analyzed`;
    await engine.manage({ kind: 'delete', index });
    const analysis = {
      analyzer: { plain: { type: 'custom', tokenizer: 'standard', filter: ['lowercase'] } },
    };
    const properties = { name: { type: 'text', analyzer: 'plain' } };
    await engine.manage({ kind: 'create', index, mapping: { properties }, settings: { analysis } });
    const repository = fakeRepository({ indexName: index }, [record('a')]);
    const queue = await openJobQueue({
      engine,
      repositories: [repository],
      dataPath: await temporaryFolder(t),
    });
    t.teardown(() => queue.close());
    t.like(await run(queue, indexAll({ rebuild: true })), { state: 'succeeded', error: null });
    const rebuilt = await engine.describe(index);
    t.deepEqual(rebuilt.settings?.['analysis'], analysis);
    t.like(rebuilt.properties, properties);
    for (const one of rebuilt.indices) await engine.manage({ kind: 'delete', index: one });
  });
});
