import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { batchMapping, stateAfter } from './batches.ts';
import { foundBatches } from './found-batches.ts';

const size = 50;
const isRoot = process.getuid?.() === 0;

const indexIn = async (t: ExecutionContext, dataPath: string): Promise<void> => {
  const engine = await openEngine({ kind: 'embedded', dataPath });
  await engine.manage({ kind: 'create', index: 'parts', mapping: batchMapping });
  await engine.close();
};

const folder = async (t: ExecutionContext): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'tributary-'));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
};

interface ChildOutcome {
  readonly acknowledged: number;
  /** The other lines: how it ended, and what it still found. */
  readonly lines: readonly string[];
}

/** Runs `durable-child.ts` behind a shell command that limits it. */
const writeUntilRefused = async (
  dataPath: string,
  limit = '',
  user: { readonly uid?: number } = {},
): Promise<ChildOutcome> => {
  const script = join(import.meta.dirname, 'durable-child.ts');
  const child = spawn(
    'sh',
    [
      '-c',
      `${limit} exec "$@"`,
      'sh',
      process.execPath,
      script,
      dataPath,
      ...[1, 2_000, size, 40].map(String),
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...user,
      env: { ...process.env, NODE_OPTIONS: '--disable-warning=TributaryWarning' },
    },
  );
  let acknowledged = 0;
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    if (/^\d+$/.test(line)) acknowledged = Number(line);
    else lines.push(line);
  }
  return { acknowledged, lines };
};

const holds = async (t: ExecutionContext, dataPath: string, acknowledged: number): Promise<void> => {
  const engine = await openEngine({ kind: 'embedded', dataPath });
  const found = await foundBatches(engine);
  await engine.close();
  t.deepEqual(found.stored, new Map(sorted(found.stored, stateAfter(acknowledged, size))));
  t.deepEqual(found.byFacet, found.byDocument);
};

/** The expected entries in the order found, so that only their content counts. */
const sorted = (found: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>) => [
  ...[...found.keys()].filter((id) => expected.has(id)).map((id) => [id, expected.get(id)!] as const),
  ...[...expected].filter(([id]) => !found.has(id)),
];

test('a full disk refuses the write, keeps what was acknowledged, and goes on answering', async (t) => {
  if (!isRoot) return t.pass('only root can mount a small disk');
  const dataPath = await folder(t);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=700k', 'none', dataPath], { stdio: 'ignore' });
  } catch {
    return t.pass('no disk can be mounted here');
  }
  try {
    await indexIn(t, dataPath);
    const { acknowledged, lines } = await writeUntilRefused(dataPath);
    t.true(acknowledged > 0);
    t.regex(lines[1]!, /^ENGINE_UNAVAILABLE the disk has no room for index parts/);
    t.is(lines[2], `found ${stateAfter(acknowledged, size).size}`);
    t.is(lines[3], 'closed');
    await holds(t, dataPath, acknowledged);
    t.deepEqual(
      (await readdir(dataPath)).filter((name) => name.endsWith('.tmp')),
      [],
    );
  } finally {
    execFileSync('umount', [dataPath]);
  }
});

test('a file that may not grow refuses the write and keeps what was acknowledged', async (t) => {
  const dataPath = await folder(t);
  await indexIn(t, dataPath);
  const { acknowledged, lines } = await writeUntilRefused(dataPath, 'ulimit -f 600;');
  t.true(acknowledged > 0);
  t.regex(lines[1]!, /^ENGINE_(ERROR|UNAVAILABLE) .*index parts/);
  t.is(lines[2], `found ${stateAfter(acknowledged, size).size}`);
  t.is(lines[3], 'closed');
  await holds(t, dataPath, acknowledged);
});

test('a data folder that cannot be written to says so', async (t) => {
  const dataPath = join(await folder(t), 'data');
  await mkdir(dataPath);
  await chmod(join(dataPath, '..'), 0o755);
  await indexIn(t, dataPath);
  await chmod(dataPath, 0o555);
  const { lines } = await writeUntilRefused(dataPath, '', isRoot ? { uid: 65_534 } : {});
  await chmod(dataPath, 0o755);
  t.deepEqual(lines.slice(2), ['found nothing', 'closed']);
  t.regex(lines[1]!, /^permission_denied .*data folder/);
});
