import test from 'ava';
import type { IndexAction } from '../../src/engines/engine.ts';
import { describeIfThere, openTarget } from '../../src/indexing/index-target.ts';
import type { IndexTarget, TargetRequest } from '../../src/indexing/index-target.ts';
import type { MemoryEngine } from './memory-engine.ts';
import { memoryEngine } from './memory-engine.ts';

const mapping = { dynamic: false, properties: { a: { type: 'long' } } };

const open = async (memory: MemoryEngine, request: Partial<TargetRequest>): Promise<IndexTarget> => {
  const name = request.name ?? 'works';
  const existing = await describeIfThere(memory.engine, name);
  return openTarget(memory.engine, { name, aliases: [], mapping, replace: false, ...request, existing });
};

test('an index that is not there is created, and gets its aliases at the end', async (t) => {
  const memory = memoryEngine();
  const target = await open(memory, { aliases: ['w'] });
  t.like(target, { index: 'works', created: true, dynamic: false, properties: mapping.properties });
  t.deepEqual(memory.aliases.size, 0);
  await target.finish();
  t.deepEqual(memory.log, ['create works', 'alias w of works']);
});

test('an index is created with the settings that its mapping needs', async (t) => {
  const memory = memoryEngine();
  const settings = { analysis: { normalizer: { small: { filter: ['lowercase'] } } } };
  const made: IndexAction[] = [];
  const engine = {
    ...memory.engine,
    manage: (action: IndexAction) => {
      made.push(action);
      return memory.engine.manage(action);
    },
  };
  await open({ ...memory, engine }, { settings });
  await open({ ...memory, engine }, { settings, replace: true });
  t.deepEqual(
    made.map((action) => (action.kind === 'create' ? action.settings : null)),
    [settings, settings],
  );
});

test('an alias of another index goes on naming it', async (t) => {
  const memory = memoryEngine();
  await (await open(memory, { name: 'one', aliases: ['all'] })).finish();
  await (await open(memory, { name: 'two', aliases: ['all'] })).finish();
  t.deepEqual(memory.aliases.get('all'), ['one', 'two']);
});

test('an index that is there is extended, and not undone', async (t) => {
  const memory = memoryEngine();
  await open(memory, {});
  const target = await open(memory, { mapping: { properties: { b: { type: 'date' } } } });
  t.like(target, { created: false, properties: { a: { type: 'long' }, b: { type: 'date' } } });
  await target.abandon();
  t.true(memory.indices.has('works'));
});

test('whether an index that is there grows is for its own mapping to say', async (t) => {
  const memory = memoryEngine();
  await open(memory, {});
  const engine = {
    ...memory.engine,
    describe: async (name: string) => ({ ...(await memory.engine.describe(name)), dynamic: 'strict' }),
  };
  t.false((await open({ ...memory, engine }, { mapping: { dynamic: true } })).dynamic);
  t.true((await open(memory, { mapping: { dynamic: true } })).dynamic);
});

test('an alias of several indexes is refused, naming them', async (t) => {
  const memory = memoryEngine();
  await open(memory, { name: 'one' });
  await open(memory, { name: 'two' });
  memory.aliases.set('both', ['one', 'two']);
  await t.throwsAsync(open(memory, { name: 'both' }), { code: 'CONFLICT', message: /one, two/ });
});

test('a replacement is filled beside the old index and takes its place, names and all', async (t) => {
  const memory = memoryEngine();
  await (await open(memory, { aliases: ['w'] })).finish();
  await open(memory, { name: 'other' });
  memory.aliases.set('all', ['other', 'works']);

  const target = await open(memory, { replace: true, aliases: ['new'] });
  t.regex(target.index, /^works_\d{17}$/);
  t.true(memory.indices.has('works'));
  await target.finish();
  t.deepEqual([...memory.indices.keys()], ['other', target.index]);
  t.deepEqual(Object.fromEntries(memory.aliases), {
    w: [target.index],
    all: ['other', target.index],
    works: [target.index],
    new: [target.index],
  });
});

/** An index that a replacement makes is named by the millisecond. */
const nextMillisecond = async (): Promise<void> => {
  for (const now = Date.now(); Date.now() === now;) await new Promise(setImmediate);
};

test('a second replacement removes the first, but never an index it did not make', async (t) => {
  const memory = memoryEngine();
  await open(memory, { name: 'works-2024' });
  memory.aliases.set('works', ['works-2024']);
  const first = await open(memory, { replace: true });
  await first.finish();
  t.deepEqual([...memory.indices.keys()], ['works-2024', first.index]);
  await nextMillisecond();
  const second = await open(memory, { replace: true });
  await second.finish();
  t.deepEqual([...memory.indices.keys()], ['works-2024', second.index]);
});

test('of two replacements at once, the second to be complete fails and leaves nothing', async (t) => {
  const memory = memoryEngine();
  await (await open(memory, {})).finish();
  const first = await open(memory, { replace: true });
  await nextMillisecond();
  const second = await open(memory, { replace: true });
  t.not(first.index, second.index);
  await second.finish();
  const error = await t.throwsAsync(first.finish());
  t.like(error, {
    code: 'CONFLICT',
    message:
      'another process replaced works in the meantime, and its documents are kept: load again to replace them',
  });
  t.deepEqual(memory.aliases.get('works'), [second.index]);
  t.is(await describeIfThere(memory.engine, first.index), null);
});

test('of two that create an index at once, the second gets an error about the first', async (t) => {
  const memory = memoryEngine();
  const request = { name: 'works', aliases: [], mapping, replace: false, existing: null };
  await openTarget(memory.engine, request);
  t.regex(
    (await t.throwsAsync(openTarget(memory.engine, request)))?.message ?? '',
    /^another process has just created works/,
  );
});
