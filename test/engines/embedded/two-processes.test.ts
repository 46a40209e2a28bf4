import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { LiveIndex } from '../../../src/engines/embedded/index/live-index.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { batchMapping, stateAfter } from './batches.ts';
import { foundBatches } from './found-batches.ts';
import { programEnvironment, programFile } from '../../program.ts';

const folder = async (t: ExecutionContext): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(path, { recursive: true }));
  return path;
};

/** Runs the program's command beside this process; resolves to its exit code. */
const tributary = async (dataPath: string, ...args: string[]): Promise<number> => {
  const env = { ...programEnvironment, DATA_PATH: dataPath, NODES_PATH: 'off' };
  const child = spawn(process.execPath, [programFile, ...args], { env, cwd: dataPath, stdio: 'ignore' });
  return ((await once(child, 'exit')) as [number])[0];
};

const lines = (count: number, batch: number): string =>
  Array.from({ length: count }, (_, id) => JSON.stringify({ id: `d${id}`, batch })).join('\n');

/** Waits until the search finds what is expected; if it never does, the error has how often it searched and failed. */
const untilFound = async (t: ExecutionContext, engine: Engine, expected: number): Promise<void> => {
  let found = -1;
  for (let tries = 0; tries < 3_000 && found !== expected; tries++) {
    found = (await foundBatches(engine)).stored.size;
    if (found !== expected) await sleep(20);
  }
  t.is(found, expected);
};

test('a load beside a running server is seen, and so is one that replaces everything behind the alias', async (t) => {
  const dataPath = await folder(t);
  const engine = await openEngine({ kind: 'embedded', dataPath });
  t.teardown(() => engine.close());
  const file = join(dataPath, 'parts.ndjson');
  await writeFile(file, lines(3_000, 1));
  t.is(await tributary(dataPath, 'load', file, '--index', 'parts'), 0);
  await untilFound(t, engine, 3_000);
  await writeFile(file, lines(1_200, 2));
  let isLoading = true;
  const replaced = tributary(dataPath, 'load', file, '--index', 'parts', '--replace').finally(
    () => (isLoading = false),
  );
  while (isLoading) {
    // all of the old or all of the new, at any moment
    const { stored, byFacet, byDocument } = await foundBatches(engine);
    t.true([3_000, 1_200].includes(stored.size), String(stored.size));
    t.deepEqual(byFacet, byDocument);
  }
  t.is(await replaced, 0);
  await untilFound(t, engine, 1_200);
  t.deepEqual((await foundBatches(engine)).byFacet, { 2: 1_200 });
});

test('searches go on without a failure while another process rewrites the documents they find', async (t) => {
  const dataPath = await folder(t);
  const engine = await openEngine({ kind: 'embedded', dataPath });
  t.teardown(() => engine.close());
  await engine.manage({ kind: 'create', index: 'parts', mapping: batchMapping });
  const script = join(import.meta.dirname, 'durable-child.ts');
  const child = spawn(process.execPath, [script, dataPath, ...[1, 60, 20, 25].map(String)], {
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  let searches = 0;
  for (; child.exitCode === null; searches++) {
    const { byFacet, byDocument } = await foundBatches(engine);
    t.deepEqual(byFacet, byDocument);
  }
  t.deepEqual(await ended, [0, null]);
  await untilFound(t, engine, stateAfter(60, 20).size);
  t.deepEqual(
    (await foundBatches(engine)).stored,
    new Map([...(await foundBatches(engine)).stored.keys()].map((id) => [id, stateAfter(60, 20).get(id)!])),
  );
  t.true(searches > 10);
});

test('columns that fell behind a trimmed list of deletions are made good from the other process’s snapshot', async (t) => {
  const dataPath = await folder(t);
  const engine = await openEngine({ kind: 'embedded', dataPath });
  await engine.manage({ kind: 'create', index: 'parts', mapping: batchMapping });
  await engine.close();
  const [one, other] = [0, 1].map(
    () => new LiveIndex(join(dataPath, 'parts.sqlite'), join(dataPath, 'parts.snapshot')),
  );
  const write = (index: LiveIndex, round: number) =>
    index.write(
      Array.from({ length: 50 }, (_, i) => ({ id: `d${i % 30}`, text: JSON.stringify({ batch: round }) })),
    );
  write(one!, 1);
  other!.catchUp(Infinity);
  write(one!, 2);
  one!.write([{ id: 'd3' }]);
  one!.snapshot();
  write(one!, 3);
  t.true(other!.catchUp(1));
  t.is(other!.columns.liveCount, one!.columns.liveCount);
  t.deepEqual([one!.verify(), other!.verify()], [[], []]);
  // what is behind must not take the place of what is newer
  one!.snapshot();
  other!.close();
  const third = new LiveIndex(join(dataPath, 'parts.sqlite'), join(dataPath, 'parts.snapshot'));
  t.deepEqual(third.verify(), []);
  for (const index of [one!, third]) index.close();
});
