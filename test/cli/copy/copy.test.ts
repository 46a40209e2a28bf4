import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import type { Engine, IndexDescription } from '../../../src/engines/engine.ts';
import { isJsonObject } from '../../../src/json/json.ts';
import { temporaryFolder } from '../temporary-configs.ts';
import { programEnvironment, programFile } from '../../program.ts';

const start = (
  folder: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [programFile, 'copy', ...argv], {
    cwd: folder,
    env: { ...programEnvironment, NODES_PATH: 'off', CONFIGS_PATH: 'configs', DATA_PATH: 'from', ...env },
  });

const copy = async (
  folder: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string }> => {
  const child = start(folder, argv, env);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
};

const within = async <Result>(
  folder: string,
  dataPath: string,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> => {
  const engine = await openEngine({ kind: 'embedded', dataPath: join(folder, dataPath) });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
};

const describe = (folder: string, dataPath: string, index: string): Promise<IndexDescription> =>
  within(folder, dataPath, (engine) => engine.describe(index));

/** A folder whose data folder `from` has these indexes, of so many documents. */
const filled = async (indexes: Readonly<Record<string, number>>): Promise<string> => {
  const folder = temporaryFolder();
  await within(folder, 'from', async (engine) => {
    for (const [index, count] of Object.entries(indexes)) {
      await engine.manage({ kind: 'create', index, mapping: { properties: { n: { type: 'long' } } } });
      for (let at = 0; at < count; at += 5_000)
        await engine.write(
          index,
          Array.from({ length: Math.min(5_000, count - at) }, (_, n) => ({
            ...{ kind: 'upsert' as const, id: `d${at + n}` },
            document: { n: at + n },
          })),
        );
    }
  });
  return folder;
};

const toEmbedded = ['--from', 'embedded', '--to', 'embedded', '--to-data-path', 'to'];

test('all indexes of a data folder, and once more', async (t) => {
  const folder = await filled({ ships: 30, boats: 0 });
  const first = await copy(folder, [...toEmbedded, '--all']);
  t.is(first.code, 0, first.output);
  t.regex(first.output, /boats: copied to boats_\d{17}, 0 documents in both/);
  t.regex(first.output, /ships: copied to ships_\d{17}, 30 documents in both/);
  t.is((await describe(folder, 'to', 'ships')).documents, 30);
  const again = await copy(folder, [...toEmbedded, '--all']);
  t.is(again.code, 1);
  t.regex(again.output, /tributary copy: boats: the target has boats already/);
  t.regex(again.output, /tributary copy: ships: the target has ships already, with 30 documents: --replace/);
  const resumed = await copy(folder, [...toEmbedded, '--all', '--resume']);
  t.is(resumed.code, 0, resumed.output);
  t.regex(resumed.output, /ships: the target has its 30 documents already/);
  const back = await copy(folder, ['--from', 'embedded', '--to', 'embedded', '--all', '--data-path', 'to', '--to-data-path', 'back']); // prettier-ignore
  t.is(back.code, 0, back.output);
  t.regex(back.output, /ships: copied to ships_\d{17}, 30 /);
});

test('a copy that is killed goes on where it was', async (t) => {
  const documents = 60_000;
  const folder = await filled({ ships: documents });
  const child = start(folder, [...toEmbedded, '--index', 'ships']);
  const ended = once(child, 'exit');
  await checkpointOf(folder);
  child.kill('SIGKILL');
  await ended;
  await t.throwsAsync(describe(folder, 'to', 'ships'), { code: 'index_not_found' });

  const again = await copy(folder, [...toEmbedded, '--index', 'ships']);
  t.is(again.code, 1);
  t.regex(
    again.output,
    /a copy of ships was interrupted after \d+ documents: --resume continues it, --replace starts over/,
  );
  const resumed = await copy(folder, [...toEmbedded, '--index', 'ships', '--resume']);
  t.is(resumed.code, 0, resumed.output);
  t.regex(resumed.output, /60 000 documents in both, the first [\d ]+ by an earlier run/);
  await within(folder, 'to', async (engine) => {
    t.is((await engine.describe('ships')).documents, documents);
    const field = { path: 'n', type: 'long', nestedIn: [] };
    const { facets } = await engine.search('ships', {
      facets: [{ field, filter: { kind: 'all' }, objects: {}, measure: { kind: 'stats' } }],
    });
    t.like(facets[0], { count: documents, sum: (documents * (documents - 1)) / 2 });
  });
  t.deepEqual(readdirSync(join(folder, 'from/copies')), []);
});

/** Waits until the copy has said how far it is, behind its first document. */
const checkpointOf = async (folder: string): Promise<void> => {
  const copies = join(folder, 'from/copies');
  for (let tried = 0; tried < 12_000; tried += 1) {
    await setTimeout(5);
    const [name] = existingFiles(copies);
    if (name === undefined) continue;
    const state: unknown = JSON.parse(readFileSync(join(copies, name), 'utf8'));
    if (isJsonObject(state) && state['cursor'] !== null) return;
  }
  throw new Error('the copy does not begin');
};

const existingFiles = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

test('a server that is away', async (t) => {
  const folder = await filled({ ships: 3 });
  const { code, output } = await copy(folder, ['--from', 'embedded', '--to', 'opensearch', '--all'], {
    TO_ES_HOST: 'http://name:secret@127.0.0.1:9',
  });
  t.is(code, 1);
  t.regex(output, /^tributary copy: ships: /m);
  t.notRegex(output, /secret/);
});

test('an index that is not there, and nothing at all', async (t) => {
  const folder = await filled({});
  const missing = await copy(folder, [...toEmbedded, '--index', 'ships']);
  t.is(missing.code, 1);
  t.regex(missing.output, /tributary copy: ships: .*ships/);
  const none = await copy(folder, [...toEmbedded, '--all']);
  t.is(none.code, 1);
  t.regex(none.output, /there is nothing to copy: .*from holds no index/);
});

test('a wrong command line, and help', async (t) => {
  const folder = temporaryFolder();
  const wrong = await copy(folder, ['--from', 'embedded']);
  t.is(wrong.code, 2);
  t.regex(wrong.output, /tributary copy: --to is missing[^]*Usage: tributary copy/);
  const help = await copy(folder, ['--help']);
  t.is(help.code, 0);
  t.regex(help.output, /^Usage: tributary copy/);
});
