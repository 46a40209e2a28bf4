import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { packagePath } from '../../../src/lib/runtime/server-version.ts';
import { ensureSample, acquireSampleLock } from '../../../src/cli/sample/sample.ts';
import { takeClaim } from '../../../src/engines/embedded/store/claim.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';

const catalogues = [
  { catalogueId: 'singapore', esIndex: 'singapore', folder: packagePath('configs/singapore') },
];

test('of several first starts at once, one loads the sample and the others wait and find it', async (t) => {
  const dataPath = mkdtempSync(join(tmpdir(), 'tributary-'));
  t.teardown(() => rmSync(dataPath, { recursive: true, force: true }));
  const stated: string[] = [];
  const say = (line: string): number => stated.push(line);
  const start = async (): Promise<number> => {
    const engine = await openEngine({ kind: 'embedded', dataPath });
    try {
      await ensureSample({ catalogues }, engine, say, () => acquireSampleLock(dataPath, say));
      return (await engine.describe('singapore')).documents;
    } finally {
      await engine.close();
    }
  };
  const held = takeClaim(join(dataPath, '@sample'))!;
  const starts = [start(), start(), start()];
  while (stated.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  t.true(
    stated.every((line) =>
      /^waiting for process \d+ since .*Z, which loads the sample catalogues$/.test(line),
    ),
  );
  held.release();
  t.deepEqual(await Promise.all(starts), [1_500, 1_500, 1_500]);
  t.deepEqual(
    stated.filter((line) => line.startsWith('loaded')),
    ['loaded the sample catalogue singapore: 1 500 documents'],
  );
  t.deepEqual(
    readdirSync(dataPath).filter((name) => name.startsWith('@sample')),
    [],
  );
});
