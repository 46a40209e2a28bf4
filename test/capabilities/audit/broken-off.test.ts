import { spawn, type ChildProcessByStdio } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { openAuditTrail } from '../../../src/capabilities/audit/audit-trail.ts';
import { auditedQuestions, verifyTrail } from '../../../src/capabilities/audit/verify-trail.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { below, seeded } from '../disclosure/random-units.ts';
import { programEnvironment } from '../../program.ts';
import { trailFixture } from './trail-fixture.ts';

const program = fileURLToPath(new URL('./writing-process.ts', import.meta.url));
const folderOf = (t: ExecutionContext): string => join(temporaryFolder(t, {}), 'audit');

const linesOf = async (child: ChildProcessByStdio<null, Readable, null>): Promise<readonly number[]> => {
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  // the last one may have been printed in part
  return text.split('\n').slice(0, -1).map(Number);
};

const start = (command: string, argv: readonly string[]) =>
  spawn(command, argv, { env: programEnvironment, stdio: ['ignore', 'pipe', 'inherit'] });

const problemsIn = (folder: string): readonly string[] =>
  verifyTrail(folder, trailFixture).flatMap(({ name, problems }) => problems.map((one) => `${name}: ${one}`));

const numbersIn = (folder: string): readonly unknown[] =>
  [...auditedQuestions(folder)].flatMap(({ number }) => (number === undefined ? [] : [number]));

test('a process that is killed loses no line that it answered, and every file is verified', async (t) => {
  const folder = folderOf(t);
  const random = seeded(7);
  for (let round = 1; round <= 4; round += 1) {
    const before = round === 1 ? 0 : numbersIn(folder).length;
    const child = start(process.execPath, [program, folder]);
    const written = linesOf(child);
    while (!existsSync(folder) || readdirSync(folder).length < round) await sleep(5);
    await sleep(below(random, 60));
    child.kill('SIGKILL');
    const answered = await written;
    const numbers = numbersIn(folder).slice(before);
    t.deepEqual(numbers.slice(0, answered.length), answered);
    t.deepEqual(problemsIn(folder), []);
    t.regex(verifyTrail(folder, trailFixture).at(-1)!.notes.join(), /not closed|incomplete|is empty/);
  }
});

test('a file that ends anywhere is verified as far as it goes', (t) => {
  const folder = folderOf(t);
  const trail = openAuditTrail({ ...trailFixture, folder, warn: (error) => t.fail(String(error)) });
  for (let number = 0; number < 3; number += 1) trail.write({ 'tributary.catalogue': 'cohort', number });
  trail.close();
  const file = join(folder, readdirSync(folder)[0]!);
  const whole = readFileSync(file, 'utf8');
  for (let length = whole.length - 1; length >= 0; length -= 1) {
    truncateSync(file, length);
    const [found] = verifyTrail(folder, trailFixture);
    t.deepEqual(found!.problems, [], String(length));
    t.is(found!.notes.length, length < whole.indexOf('\n') + 1 && length > 0 ? 2 : 1);
  }
});

test('nothing can be added to a file that a killed process left, nor to an open one', (t) => {
  const folder = folderOf(t);
  const open = () => openAuditTrail({ ...trailFixture, folder, warn: (error) => t.fail(String(error)) });
  // never closed, as of a process that was killed
  open().write({ 'tributary.catalogue': 'cohort', number: 0 });
  const [name] = readdirSync(folder);
  const last = readFileSync(join(folder, name!), 'utf8').trimEnd().split('\n').at(-1)!;
  const invent = (previous: unknown): void => {
    const line = JSON.stringify({ 'tributary.catalogue': 'cohort', 'tributary.previous': previous });
    appendFileSync(join(folder, name!), `${line}\n`);
  };
  const { 'tributary.previous': before } = JSON.parse(last) as Record<string, unknown>;
  invent(before);
  t.regex(problemsIn(folder).join(), /line 3 does not follow/);
  const next = open();
  next.write({ 'tributary.catalogue': 'cohort', number: 1 });
  next.close();
  t.regex(problemsIn(folder).join(), /line 3 does not follow/);
});

test('lines do not go into a file that somebody removed, which verify misses', (t) => {
  const folder = folderOf(t);
  const trail = openAuditTrail({ ...trailFixture, folder, warn: (error) => t.fail(String(error)) });
  trail.write({ 'tributary.catalogue': 'cohort', number: 0 });
  rmSync(folder, { recursive: true });
  trail.write({ 'tributary.catalogue': 'cohort', number: 1 });
  trail.close();
  t.deepEqual(numbersIn(folder), [1]);
  t.regex(problemsIn(folder).join(), /file 1 before it is missing, although AUDIT_DAYS are not over/);
});

test('what cannot be read does not end the trail', (t) => {
  const folder = folderOf(t);
  // reading a folder fails whoever the user is
  mkdirSync(join(folder, 'audit-00000001.jsonl'), { recursive: true });
  const trail = openAuditTrail({
    ...trailFixture,
    required: true,
    folder,
    warn: (error) => t.fail(String(error)),
  });
  trail.write({ 'tributary.catalogue': 'cohort', number: 1 });
  trail.close();
  t.is(verifyTrail(folder, trailFixture)[1]!.lines, 1);
  t.regex(problemsIn(folder).join(), /audit-00000001\.jsonl: it cannot be read/);
});

const isLinux = process.platform === 'linux' && existsSync('/usr/bin/prlimit');

// the limit on the size of files stands for a full disk
(isLinux ? test : test.skip)(
  'a disk that was full leaves no part of a line behind, and says what was lost',
  async (t) => {
    const folder = folderOf(t);
    const child = start('sh', [
      '-c',
      'ulimit -S -f 20; exec "$0" "$@"',
      process.execPath,
      program,
      folder,
      '9',
    ]);
    const written = await linesOf(child);
    t.deepEqual(problemsIn(folder), []);
    t.deepEqual(numbersIn(folder), written);
    t.true(written.length > 20);
    const lost = [...auditedQuestions(folder)].flatMap((entry) => entry['tributary.lost'] ?? []);
    t.is(
      lost.reduce<number>((sum, one) => sum + Number(one), 0),
      9,
    );
    t.is(readdirSync(folder).length, 1);
    t.is(
      statSync(join(folder, readdirSync(folder)[0]!)).size,
      readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8').replaceAll('\0', '').length,
    );
  },
);
