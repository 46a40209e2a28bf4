import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { Engine } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { onServers } from '../../engines/cluster/on-servers.ts';
import { seeded } from '../../engines/random-documents.ts';
import type { Random } from '../../engines/random-documents.ts';
import { randomConsortium } from './consortium.ts';
import type { Institution } from './consortium.ts';
import { checkFacets, checkHits, checkListed } from './checks.ts';
import { openConsortium } from './opened.ts';
import { randomFilter, randomSort } from './questions.ts';

// many nodes that name, code and lack things answer as their records say, read off one by one

/** Questions in all, NETWORK_CASES=30000 for the full measure, and the first seed to repeat a failure with. */
const cases = Number(process.env['NETWORK_CASES'] ?? 67);
const firstSeed = Number(process.env['FUZZ_SEED'] ?? 1);
const questionsEach = 60;

const compareSeed = async (engine: Engine, seed: number, overHttp: boolean): Promise<void> => {
  const random = seeded(seed);
  // over the wire lists with excepted values are searched less exactly
  const institutions = randomConsortium(random, !overHttp);
  const network = await openConsortium(institutions, engine, `network-${process.pid}-${seed}`, overHttp);
  try {
    for (let question = 0; question < questionsEach; question += 1)
      await compareOne(network, institutions, random).catch((error: unknown) => {
        throw new Error(`FUZZ_SEED=${seed}, question ${question}: ${(error as Error).message}`, {
          cause: error,
        });
      });
  } finally {
    await network.close();
  }
};

type Opened = Awaited<ReturnType<typeof openConsortium>>;

const compareOne = async (
  network: Opened,
  institutions: readonly Institution[],
  random: Random,
): Promise<void> => {
  const filter = random.chance(0.1) ? null : randomFilter(random, 3);
  const question = { network, institutions, filter };
  try {
    switch (random.below(3)) {
      case 0:
        return await checkFacets(question, random.chance(0.2), random.chance(0.8));
      case 1:
        return await checkListed(question, random);
      default:
        return await checkHits(question, randomSort(random), 1 + random.below(7), random);
    }
  } catch (error) {
    assert.fail(
      `${(error as Error).message}\n${JSON.stringify(filter)}\n${JSON.stringify(institutions.map(({ own, ...one }) => ({ own: [...own], ...one })))}`,
    );
  }
};

const compareAll = async (engine: Engine, share: number, overHttp: boolean): Promise<void> => {
  for (let done = 0, seed = firstSeed; done < cases * share; done += questionsEach, seed += 1)
    await compareSeed(engine, seed, overHttp);
};

await onServers((server, engine) => {
  test.serial(`a random network of ${server.name} answers as its records say`, async (t) => {
    t.timeout(120_000 + cases * 1_000);
    await compareAll(engine, 1, false);
    t.pass();
  });
});

test('a random network of the embedded engine answers as its records say', async (t) => {
  // on a busy machine it takes twenty times as long
  t.timeout(600_000);
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  const engine = await openEngine({ kind: 'embedded', dataPath });
  t.teardown(async () => {
    await engine.close();
    await rm(dataPath, { recursive: true });
  });
  await compareAll(engine, 1, false);
  await compareAll(engine, 0.1, true);
  t.pass();
});
