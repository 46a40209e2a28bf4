import { execFile } from 'node:child_process';
import fs, { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { claimState, claimantText, takeClaim } from '../../../../src/engines/embedded/store/claim.ts';

const claimPath = (t: ExecutionContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, '@work');
};

test('a claim is held by one at a time, who is named, and leaves no file', (t) => {
  const path = claimPath(t);
  t.is(claimState(path), null);
  const first = takeClaim(path)!;
  t.is(first.previous, null);
  first.note(['a']);
  t.is(takeClaim(path), null);
  t.like(claimState(path), { held: true, claimant: { pid: process.pid, host: hostname(), indexes: ['a'] } });
  first.release();
  t.deepEqual(readdirSync(join(path, '..')), []);
  const second = takeClaim(path)!;
  t.is(second.previous, null);
  second.release();
});

test('of several processes that take a claim in turns, each is alone with it', async (t) => {
  const path = claimPath(t);
  const module = new URL('../../../../src/engines/embedded/store/claim.ts', import.meta.url).href;
  const [file, times] = [`${path}.count`, 40];
  writeFileSync(file, '0');
  const program = `import { readFileSync, writeFileSync } from 'node:fs';
    const { takeClaim } = await import(${JSON.stringify(module)});
    for (let time = 0; time < ${times}; time += 1) {
      const claim = takeClaim(${JSON.stringify(path)}, 60_000);
      const count = Number(readFileSync(${JSON.stringify(file)}, 'utf8'));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      writeFileSync(${JSON.stringify(file)}, String(count + 1));
      claim.release();
    }`;
  const run = promisify(execFile);
  const processes = ['a', 'b', 'c'].map(() => run(process.execPath, ['--input-type=module', '-e', program]));
  await Promise.all(processes);
  t.is(readFileSync(file, 'utf8'), String(processes.length * times));
});

test('the next process after one that was ended learns of it, and a note that was cut short names nobody', (t) => {
  const path = claimPath(t);
  const claimant = { pid: 1, host: 'elsewhere', since: '2026-01-31T09:00:00.123Z', indexes: ['b'] };
  writeFileSync(`${path}.json`, JSON.stringify(claimant));
  t.deepEqual(claimState(path), { claimant, held: false });
  t.is(claimantText(claimant), 'process 1 on elsewhere since 2026-01-31T09:00:00Z');
  const next = takeClaim(path)!;
  t.deepEqual(next.previous, claimant);
  t.deepEqual(claimState(path)?.claimant.indexes, ['b']);
  next.release();
  t.false(existsSync(`${path}.json`));
  writeFileSync(`${path}.json`, '{"pid":1');
  t.is(claimState(path), null);
});

test.serial('on a full disk nothing is claimed, and what an ended process left is still known', (t) => {
  const path = claimPath(t);
  const claimant = { pid: 1, host: 'elsewhere', since: '2026-01-31T09:00:00.123Z', indexes: ['b'] };
  const takeOnFullDisk = (): void => {
    const write = fs.writeFileSync;
    fs.writeFileSync = () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    syncBuiltinESMExports();
    try {
      t.throws(() => takeClaim(path), { code: 'ENOSPC' });
    } finally {
      fs.writeFileSync = write;
      syncBuiltinESMExports();
    }
  };
  takeOnFullDisk();
  t.deepEqual(readdirSync(join(path, '..')), []);
  writeFileSync(`${path}.json`, JSON.stringify(claimant));
  takeOnFullDisk();
  t.deepEqual(claimState(path), { claimant, held: false });
});
