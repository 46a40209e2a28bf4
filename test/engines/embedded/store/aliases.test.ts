import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { DataFolder } from '../../../../src/engines/embedded/threads/data-folder.ts';
import type { Engine } from '../../../../src/engines/engine.ts';
import { openEngine } from '../../../../src/engines/open/open-engine.ts';
import { asTributaryError } from '../../../../src/lib/errors/errors.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';

const open = (dataPath: string): Promise<Engine> => openEngine({ kind: 'embedded', dataPath });

/** Two indexes with an alias each and one of both. */
const filled = async (t: ExecutionContext): Promise<string> => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(dataPath, { recursive: true }));
  const engine = await open(dataPath);
  for (const index of ['a', 'b', 'c'])
    await engine.manage({ kind: 'create', index, mapping: { properties: {} } });
  await engine.manage({ kind: 'alias', alias: 'first', indices: ['a'] });
  await engine.manage({ kind: 'alias', alias: 'moved', indices: ['a'] });
  await engine.manage({ kind: 'alias', alias: 'moved', indices: ['b'] });
  await engine.manage({ kind: 'alias', alias: 'both', indices: ['a', 'b'] });
  await engine.manage({ kind: 'alias', alias: 'gone', indices: ['c'] });
  await engine.manage({ kind: 'delete', index: 'c' });
  await engine.close();
  return dataPath;
};

const seen = async (dataPath: string) => {
  const engine = await open(dataPath);
  try {
    const indices = async (name: string) =>
      (await engine.describe(name).catch((error: unknown) => asTributaryError(error).code)) as {
        indices: readonly string[];
      };
    const found: unknown[] = [];
    for (const name of ['first', 'moved', 'both', 'a', 'b']) found.push((await indices(name)).indices);
    return [...found, await indices('gone')];
  } finally {
    await engine.close();
  }
};

const right = [['a'], ['b'], ['a', 'b'], ['a'], ['b'], 'index_not_found'];

const damages: Readonly<Record<string, (file: string) => Promise<void>>> = {
  'is not a database': (file) => writeFile(file, 'nothing of the kind'.repeat(1_000)),
  'is empty': (file) => truncate(file, 0),
  'is cut short': (file) => truncate(file, 4_096),
  'is gone': (file) => rm(file),
};

for (const [name, damage] of Object.entries(damages))
  test.serial(`a file of aliases that ${name} is rebuilt from the indexes`, async (t) => {
    const dataPath = await filled(t);
    t.deepEqual(await seen(dataPath), right);
    await damage(join(dataPath, '@aliases.sqlite'));
    t.deepEqual(new DataFolder(dataPath).summary('first').aliases, ['both', 'first']);
    t.deepEqual(await seen(dataPath), right);
  });

test.serial('a running engine sees that the file of aliases was made anew', async (t) => {
  const dataPath = await filled(t);
  const engine = await open(dataPath);
  t.teardown(() => engine.close());
  t.deepEqual((await engine.describe('first')).indices, ['a']);
  await rm(join(dataPath, '@aliases.sqlite'));
  const other = await open(dataPath);
  await other.manage({ kind: 'alias', alias: 'first', indices: ['b'] });
  await other.close();
  t.deepEqual((await engine.describe('first')).indices, ['b']);
  t.deepEqual((await engine.describe('both')).indices, ['a', 'b']);
});

test.serial('listing the indexes of a folder that has none writes nothing there', (t) => {
  const folder = temporaryFolder(t, { 'notes.txt': '' });
  t.deepEqual(new DataFolder(folder).names(), []);
  t.deepEqual(readdirSync(folder), ['notes.txt']);
});

test.serial('what is listed can be deleted, and nothing else', async (t) => {
  const dataPath = await filled(t);
  const folder = new DataFolder(dataPath);
  await copyFile(join(dataPath, 'a.sqlite'), join(dataPath, 'Copy of a.sqlite'));
  t.deepEqual(folder.names(), ['a', 'b']);
  t.deepEqual(folder.strangers(), ['Copy of a.sqlite']);
  t.throws(() => folder.delete('first'), { message: 'first is an alias: delete a instead' });
  t.throws(() => folder.delete('Copy of a'), { message: /^index Copy of a does not exist: there are a, b$/ });
  folder.delete('a');
  await rm(join(dataPath, 'b.sqlite'));
  t.deepEqual(folder.names(), []);
  t.throws(() => folder.summary('moved'), { message: /^index b does not exist/ });
  folder.delete('moved');
  t.throws(() => folder.delete('moved'), { message: /^index moved does not exist/ });
});

test.serial('an index takes the name of an alias whose indexes are gone', async (t) => {
  const dataPath = await filled(t);
  await rm(join(dataPath, 'b.sqlite'));
  const engine = await open(dataPath);
  t.teardown(() => engine.close());
  await engine.manage({ kind: 'create', index: 'moved', mapping: { properties: {} } });
  t.deepEqual((await engine.describe('moved')).indices, ['moved']);
});

test.serial(
  'what a replacement left when it was ended is not listed, and is in no way of the next',
  async (t) => {
    const dataPath = await filled(t);
    const file = join(dataPath, 'films.sqlite');
    const engine = await open(dataPath);
    t.teardown(() => engine.close());
    for (const index of ['films', 'films_1', 'films_2'])
      await engine.manage({ kind: 'create', index, mapping: { properties: {} } });
    await copyFile(file, `${file}.before`);
    await engine.manage({ kind: 'alias', alias: 'films', indices: ['films_1'], replacesIndex: true });
    // ended before it could delete the index
    await copyFile(`${file}.before`, file);
    t.deepEqual((await engine.describe('films')).indices, ['films_1']);
    t.deepEqual(new DataFolder(dataPath).names(), ['a', 'b', 'films_1', 'films_2']);
    await engine.manage({ kind: 'alias', alias: 'films', indices: ['films_2'] });
    t.deepEqual((await engine.describe('films')).indices, ['films_2']);
    t.false(existsSync(file));
    await t.throwsAsync(engine.manage({ kind: 'alias', alias: 'a', indices: ['b'] }), {
      message: 'index a exists already',
    });
  },
);
