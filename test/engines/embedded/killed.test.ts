import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import { LiveIndex } from '../../../src/engines/embedded/index/live-index.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { batchMapping, stateAfter } from './batches.ts';
import { foundBatches } from './found-batches.ts';
import { seeded } from '../random-documents.ts';

/** How often a process is killed; KILLS=100 for the full measure. */
const kills = Number(process.env['KILLS'] ?? 20);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const size = 12;

test('kill -9 at any moment loses nothing acknowledged and leaves nothing half written', async (t) => {
  t.timeout(kills * 20_000);
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(dataPath, { recursive: true }));
  const engine = await openEngine({ kind: 'embedded', dataPath });
  await engine.manage({ kind: 'create', index: 'parts', mapping: batchMapping });
  await engine.close();
  const random = seeded(seed);
  let last = 0;
  for (let kill = 0; kill < kills; kill++) {
    const during = random.chance(0.5) ? 'opening' : 'writing';
    const acknowledged = await writeUntilKilled(dataPath, last, during, random.below(500));
    last = await lastBatchIn(t, dataPath, Math.max(last, acknowledged), `seed ${seed}, kill ${kill}`);
  }
  t.log(`${last} batches, ${kills} kills`);
  t.true(last > 0, 'no batch was ever written');
});

/** Runs a writing process for so many milliseconds once it opens the folder, or has written; the last batch it acknowledged, or -1. */
const writeUntilKilled = async (
  dataPath: string,
  last: number,
  during: 'opening' | 'writing',
  afterMs: number,
): Promise<number> => {
  const script = join(import.meta.dirname, 'durable-child.ts');
  const child = spawn(process.execPath, [script, dataPath, ...[last + 1, 100_000, size, 3].map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let acknowledged = -1;
  for await (const line of createInterface(child.stdout)) {
    if (line === (during === 'opening' ? 'started' : String(last + 1))) {
      setTimeout(() => child.kill('SIGKILL'), afterMs);
    }
    if (line !== 'started') acknowledged = Number(line);
  }
  await ended;
  return acknowledged;
};

/** Checks that the folder holds all batches up to `acknowledged`, or one more, and nothing else; gives the last. */
const lastBatchIn = async (
  t: ExecutionContext,
  dataPath: string,
  acknowledged: number,
  which: string,
): Promise<number> => {
  const engine = await openEngine({ kind: 'embedded', dataPath });
  const found = await foundBatches(engine);
  await engine.close();
  // the batch under way may have been committed without its acknowledgement
  const state = [acknowledged + 1, acknowledged].find((number) =>
    isSame(found.stored, stateAfter(number, size)),
  );
  t.not(
    state,
    undefined,
    `${which}: ${acknowledged} batches were acknowledged, found ${JSON.stringify([...found.stored])}`,
  );
  t.deepEqual(found.byFacet, found.byDocument, which);
  const index = new LiveIndex(join(dataPath, 'parts.sqlite'), join(dataPath, 'parts.snapshot'));
  t.deepEqual(index.verify(), [], which);
  index.close();
  t.deepEqual(
    (await readdir(dataPath)).filter((name) => name.endsWith('.tmp')),
    [],
    which,
  );
  return state ?? acknowledged;
};

const isSame = (left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): boolean =>
  left.size === right.size && [...left].every(([id, batch]) => right.get(id) === batch);
