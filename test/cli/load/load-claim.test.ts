import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { indexNames, storePath } from '../../../src/engines/embedded/store/folder-files.ts';
import { nameClaims } from '../../../src/engines/embedded/store/claim.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { originProperties } from '../../../src/introspection/fields/field.ts';
import { programEnvironment, programFile } from '../../program.ts';
import { runHere } from '../run-here.ts';

const dataPath = (t: ExecutionContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const settingsOf = (folder: string) => ({
  NODES_PATH: 'off',
  CONFIGS_PATH: join(folder, 'configs'),
  DATA_PATH: folder,
});

const start = (folder: string, argv: readonly string[]): { child: ChildProcess; output: () => string } => {
  const child = spawn(process.execPath, [programFile, ...argv], {
    env: { ...programEnvironment, ...settingsOf(folder) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.on('error', () => undefined);
  return { child, output: () => output };
};

const tributary = (folder: string, argv: readonly string[], input = '') =>
  runHere(argv, settingsOf(folder), input);

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `{"id":${String(i)}}\n`).join('');

const loadX = ['load', '-', '--index', 'x', '--id-field', 'id', '--mapping'];

/** A load that has begun to fill its index and waits for more. */
const loading = async (t: ExecutionContext, folder: string, ...options: string[]) => {
  // with a closed mapping and a key nothing is inferred, so documents are written while the input is still read
  const mapping = join(folder, 'm.json');
  writeFileSync(mapping, '{"dynamic":"strict","properties":{"id":{"type":"long"}}}');
  const before = indexNames(folder);
  const { child, output } = start(folder, [...loadX, mapping, ...options]);
  t.teardown(() => child.kill('SIGKILL'));
  child.stdin!.write(lines(20_000));
  let index: string | undefined;
  for (;;) {
    const [claim] = nameClaims(folder);
    const filled = claim?.claimant.pid === child.pid ? claim!.claimant.indexes : [];
    index = filled.find((one) => !before.includes(one) && indexNames(folder).includes(one));
    if (index !== undefined) break;
    if (child.exitCode !== null) throw new Error(output());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [{ claimant }] = nameClaims(folder) as [ReturnType<typeof nameClaims>[0]];
  return {
    index,
    holder: `process ${String(child.pid)} since ${claimant.since.replace(/\.\d+Z/, 'Z')}`,
    pid: child.pid,
    end: async (how: 'complete' | 'killed') => {
      if (how === 'killed') child.kill('SIGKILL');
      else child.stdin!.end();
      await once(child, 'close');
      return output();
    },
  };
};

test('a replacement that was killed is listed as such, and the next one removes it', async (t) => {
  const folder = dataPath(t);
  await tributary(folder, ['load', '-', '--index', 'x'], lines(1));
  const first = await loading(t, folder, '--replace');
  const during = await tributary(folder, ['index', 'list']);
  t.true(
    during.output.includes(
      `${first.index}: being filled by process ${String(first.pid)}, to take the place of x when complete\n`,
    ),
    during.output,
  );
  await first.end('killed');
  const after = await tributary(folder, ['index', 'list']);
  t.is(after.code, 0, after.output);
  t.true(
    after.output.includes(
      `${first.index}: left by a load --replace of x that was ended: the next one removes it\n`,
    ),
    after.output,
  );

  const next = await tributary(folder, ['load', '-', '--index', 'x', '--replace'], lines(2));
  t.is(next.code, 0, next.output);
  t.true(
    next.output.includes(`removed ${first.index}, which an earlier load --replace left when it was ended\n`),
    next.output,
  );
  t.is(indexNames(folder).length, 1);
  t.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('@load')),
    [],
  );
});

test('an index whose process was ended before its file was complete is listed as left, and removed', async (t) => {
  const folder = dataPath(t);
  await tributary(folder, ['load', '-', '--index', 'x'], lines(1));
  const left = { replaced: 'x_20260101000000000', first: 'y' };
  for (const [name, index] of [
    ['x', left.replaced],
    ['y', left.first],
  ] as const) {
    writeFileSync(storePath(folder, index), '');
    writeFileSync(
      join(folder, `@load-${name}.json`),
      JSON.stringify({ pid: 1, host: 'h', since: '2026-01-01T00:00:00.000Z', indexes: [index] }),
    );
  }
  const list = await tributary(folder, ['index', 'list']);
  t.true(
    list.output.includes(
      `${left.replaced}: left by a load --replace of x that was ended: the next one removes it\n`,
    ),
    list.output,
  );
  t.true(
    list.output.includes(`y: not complete: process 1, which loaded it, was ended; load it again\n`),
    list.output,
  );
  t.is(list.code, 0, list.output);

  const next = await tributary(folder, ['load', '-', '--index', 'x', '--replace'], lines(2));
  t.is(next.code, 0, next.output);
  t.true(
    next.output.includes(
      `removed ${left.replaced}, which an earlier load --replace left when it was ended\n`,
    ),
    next.output,
  );
  const again = await tributary(folder, ['load', '-', '--index', 'y'], lines(3));
  t.is(again.code, 0, again.output);
  t.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('@load')),
    [],
  );
  t.false(indexNames(folder).includes(left.replaced));
  t.is((await tributary(folder, ['index', 'list'])).code, 0);
});

test('a second load into an index that is being made fails at once, names the other process, and leaves nothing', async (t) => {
  const folder = dataPath(t);
  const first = await loading(t, folder);
  const before = indexNames(folder);
  for (const option of [[], ['--replace']]) {
    const second = await tributary(folder, ['load', '-', '--index', 'x', ...option], lines(3));
    t.regex(second.output, /\n(?:x has [\d ]+ records now|there is no index x)\n$/);
    t.deepEqual(
      { ...second, output: second.output.replace(/[^\n]*\n$/, '') },
      {
        code: 1,
        output: `tributary load: another load is making the index of x (${first.holder}): wait until it is done, then load again\n`,
      },
    );
  }
  t.deepEqual(indexNames(folder), before);
  t.is((await tributary(folder, ['load', '-', '--index', 'y'], lines(1))).code, 0);
  t.regex(await first.end('complete'), /loaded 20 000 documents into x/);
  t.is((await tributary(folder, ['load', '-', '--index', 'x'], lines(3))).code, 0);
});

test('of two replacements at once, the second names the other process and leaves nothing', async (t) => {
  const folder = dataPath(t);
  await tributary(folder, ['load', '-', '--index', 'x'], lines(1));
  const first = await loading(t, folder, '--replace');
  const before = indexNames(folder);
  const second = await tributary(folder, ['load', '-', '--index', 'x', '--replace'], lines(3));
  t.is(second.code, 1);
  t.true(second.output.includes(`(${first.holder})`), second.output);
  t.deepEqual(indexNames(folder), before);
  t.regex(await first.end('complete'), /loaded 20 000 documents into x/);
});

test('a first load that was killed is listed as not complete, and the next load begins anew', async (t) => {
  const folder = dataPath(t);
  const first = await loading(t, folder);
  await first.end('killed');
  const list = await tributary(folder, ['index', 'list']);
  t.true(
    list.output.includes(
      `x: not complete: process ${String(first.pid)}, which loaded it, was ended; load it again\n`,
    ),
    list.output,
  );
  const again = await tributary(folder, ['load', '-', '--index', 'x'], lines(20_000));
  t.is(again.code, 0, again.output);
  t.regex(
    again.output,
    /removed x, which an earlier load left when it was ended\n[^]*20 000 created, 0 updated/,
  );
  t.notRegex((await tributary(folder, ['index', 'list'])).output, /not complete/);
});

for (const [what, isShared] of [
  ['has the types of the whole file after the next load', false],
  ['is kept where a repository wrote records to it, too', true],
] as const)
  test(`an index that a killed load left ${what}`, async (t) => {
    const folder = dataPath(t);
    await tributary(folder, ['load', '-', '--index', 'x'], lines(2));
    const left = { pid: 1, host: 'h', since: '2026-01-01T00:00:00.000Z', indexes: ['x'] };
    writeFileSync(join(folder, '@load-x.json'), JSON.stringify(left));
    if (isShared) {
      const engine = await openEngine({ kind: 'embedded', dataPath: folder });
      await engine.manage({ kind: 'extend', index: 'x', properties: originProperties });
      await engine.close();
    }
    const input = `${lines(3)}{"id":1.5}\n`;
    const trial = await tributary(folder, ['load', '-', '--index', 'x', '--dry-run'], input);
    const { output, code } = await tributary(folder, ['load', '-', '--index', 'x'], input);
    t.is(trial.code, code);
    if (isShared) t.regex(output, /1 created, 2 updated, 1 rejected/);
    else t.regex(output, /removed x, [^]*id +double[^]*4 created, 0 updated, 0 rejected/);
  });

test('an index that a killed load left stays in use until its replacement is complete', async (t) => {
  const folder = dataPath(t);
  await tributary(folder, ['load', '-', '--index', 'x'], lines(2));
  const left = { pid: 1, host: 'h', since: '2026-01-01T00:00:00.000Z', indexes: ['x'] };
  writeFileSync(join(folder, '@load-x.json'), JSON.stringify(left));
  for (const [input, code, names, listed] of [
    ['{"id":', 1, /^x$/, /x: not complete: process 1,/],
    [lines(3), 0, /^x_\d{17}$/, /^index.*\nx_\d+ .*\n$/],
  ] as const) {
    const replaced = await tributary(
      folder,
      ['load', '-', '--index', 'x', '--format', 'ndjson', '--replace'],
      input,
    );
    t.is(replaced.code, code, replaced.output);
    t.regex(indexNames(folder).join(), names);
    t.regex((await tributary(folder, ['index', 'list'])).output, listed);
  }
});

test('a replacement that was killed leaves the index of a killed first load marked as not complete', async (t) => {
  const folder = dataPath(t);
  await tributary(folder, ['load', '-', '--index', 'x'], lines(2));
  const left = { pid: 1, host: 'h', since: '2026-01-01T00:00:00.000Z', indexes: ['x'] };
  writeFileSync(join(folder, '@load-x.json'), JSON.stringify(left));
  await (await loading(t, folder, '--replace')).end('killed');
  const { output } = await tributary(folder, ['index', 'list']);
  t.regex(output, /\nx_\d+: left by a load --replace of x that was ended.*\nx: not complete: /);
  const again = await tributary(folder, ['load', '-', '--index', 'x'], lines(3));
  t.regex(again.output, /removed x_.*\nremoved x, [^]*3 created, 0 updated/);
});

test('a complete replacement whose process was ended before it said so is no index that is to begin anew', async (t) => {
  const folder = dataPath(t);
  await tributary(folder, ['load', '-', '--index', 'x_1', '--alias', 'x'], lines(2));
  const left = { pid: 1, host: 'h', since: '2026-01-01T00:00:00.000Z', indexes: ['x', 'x_1'] };
  writeFileSync(join(folder, '@load-x.json'), JSON.stringify(left));
  const trial = await tributary(folder, ['load', '-', '--index', 'x', '--dry-run'], '{"id":1.5}\n');
  t.regex(trial.output, /1 record would be rejected/);
});
