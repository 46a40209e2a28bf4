import { join } from 'node:path';
import test from 'ava';
import type { CopyEnd } from '../../../src/cli/copy/copy-engines.ts';
import { namesOfAll } from '../../../src/cli/copy/copy-names.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { TributaryError } from '../../../src/errors/errors.ts';
import { temporaryFolder } from '../temporary-configs.ts';

/** A search server that has these indexes. */
const cluster = (...names: readonly string[]): CopyEnd => {
  const refuse = (): Promise<never> => Promise.reject(new Error('not asked'));
  const engine: Engine = {
    describe: (index) =>
      names.includes(index)
        ? Promise.resolve({ indices: [index], aliases: [], properties: {}, documents: 1 })
        : Promise.reject(new TributaryError('index_not_found', `no ${index}`)),
    ...{ search: refuse, write: refuse, manage: refuse, close: () => Promise.resolve() },
  };
  const none = { user: undefined, password: undefined, apiKey: undefined, caFile: undefined };
  return {
    settings: { kind: 'opensearch', url: 'http://search:9200', ...none },
    engine,
    place: 'http://search:9200/',
  };
};

const configs = (): NodeJS.ProcessEnv => ({
  NODES_PATH: 'off',
  ES_ARRANGER_SETS_INDEX: 'saved',
  CONFIGS_PATH: temporaryFolder({
    'ships/base.json': { documentType: 'ship', esIndex: 'fleet' },
    'boats/base.json': { documentType: 'boat', esIndex: 'harbour' },
  }),
});

test('of a search server: the indexes that catalogues and saved sets use, as far as they are there', async (t) => {
  t.deepEqual(await namesOfAll(cluster('harbour', 'saved', 'of others'), configs()), ['harbour', 'saved']);
});

test('of a search server without any of them: an error that names it', async (t) => {
  await t.throwsAsync(namesOfAll(cluster('of others'), configs()), {
    code: 'INPUT_INVALID',
    message: /no catalogue's index is at http:\/\/search:9200\//,
  });
});

test('of a data folder: every index, by the name that it answers to', async (t) => {
  const dataPath = join(temporaryFolder(), 'data');
  const engine = await openEngine({ kind: 'embedded', dataPath });
  t.teardown(() => engine.close());
  for (const index of ['boats', 'ships_20260102030405006', 'ships_1'])
    await engine.manage({ kind: 'create', index, mapping: {} });
  await engine.manage({ kind: 'alias', alias: 'ships', indices: ['ships_20260102030405006'] });
  await engine.manage({ kind: 'alias', alias: 'old', indices: ['ships_1'] });
  const end = { settings: { kind: 'embedded', dataPath }, engine, place: dataPath } as const;
  t.deepEqual(await namesOfAll(end, {}), ['boats', 'ships_1', 'ships']);
});
