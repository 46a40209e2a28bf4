import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { collections } from './cases/collections.ts';
import { conform } from './cases/conform.ts';
import { openNaiveEngine } from './naive.ts';

const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
const embedded = await openEngine({ kind: 'embedded', dataPath });

test.after.always(async () => {
  await embedded.close();
  await rm(dataPath, { recursive: true });
});

const indexOf = (collection: string): string => collection.replaceAll(' ', '-');
conform({ name: 'embedded', engine: embedded, indexOf });
// a second opinion on what the cases expect: it looks at every document's JSON
conform({
  name: 'naive',
  engine: openNaiveEngine(),
  indexOf,
  lacks: (type) => `it knows no ${type}: real servers are the measure of that`,
});

test('there are at least 300 cases, each with a name of its own', (t) => {
  const names = collections.flatMap(({ name, checks }) => checks.map((check) => `${name}: ${check.name}`));
  t.is(new Set(names).size, names.length);
  t.true(names.length >= 300, String(names.length));
});
