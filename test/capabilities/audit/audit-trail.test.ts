import { generateKeyPairSync } from 'node:crypto';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { keyedMac } from '../../../src/lib/runtime/keyed-mac.ts';
import { openAuditTrail, type AuditSettings } from '../../../src/capabilities/audit/audit-trail.ts';
import {
  auditedQuestions,
  verifyTrail,
  type VerifySettings,
} from '../../../src/capabilities/audit/verify-trail.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

const { privateKey: signingKey } = generateKeyPairSync('ed25519');
const keys = { signingKey, lineMac: keyedMac(Buffer.alloc(32, 1)) };
const open = (folder: string, changes: Partial<AuditSettings> = {}) =>
  openAuditTrail({ folder, ...keys, required: true, days: 10, warn: () => undefined, ...changes });
const question = (number: number) => ({ 'tributary.catalogue': 'cohort', 'http.request.id': `r${number}` });

/** Three files of five questions each, all closed. */
const closed = (t: ExecutionContext): string => {
  const folder = join(temporaryFolder(t, {}), 'audit');
  for (let file = 0; file < 3; file += 1) {
    const trail = open(folder);
    for (let number = 0; number < 5; number += 1) trail.write(question(file * 5 + number));
    trail.close();
  }
  return folder;
};

const verified = (folder: string, changes: Partial<VerifySettings> = {}) =>
  verifyTrail(folder, { ...keys, days: 10, ...changes });
const problems = (folder: string, changes: Partial<VerifySettings> = {}) =>
  verified(folder, changes).flatMap((file) => file.problems);

test('every question is a line, for the owner only, and an unaltered trail is found to be so', (t) => {
  const folder = closed(t);
  t.deepEqual(
    [...auditedQuestions(folder)].map((entry) => entry['http.request.id']),
    Array.from({ length: 15 }, (_, number) => `r${number}`),
  );
  t.deepEqual(
    verified(folder).map(({ lines, problems: found, notes }) => [lines, found, notes]),
    [
      [5, [], []],
      [5, [], []],
      [5, [], []],
    ],
  );
  t.true(readdirSync(folder).every((name) => (statSync(join(folder, name)).mode & 0o777) === 0o600));
});

test('the time of a line is that of its clock, to the millisecond, whichever second was before', (t) => {
  const folder = join(temporaryFolder(t, {}), 'audit');
  const times = [
    '2026-11-01T23:58:59.999Z',
    '2026-11-01T23:59:00.000Z',
    '2026-11-01T23:59:00.007Z',
    '2026-11-01T23:58:59.999Z',
    '2026-11-01T23:59:10.070Z',
  ];
  let now = Date.parse(times[0]!);
  const trail = open(folder, { nowMs: () => now });
  times.forEach((time, number) => {
    now = Date.parse(time);
    trail.write(question(number));
  });
  trail.close();
  t.deepEqual(
    [...auditedQuestions(folder)].map((entry) => entry['@timestamp']),
    times,
  );
});

test('every alteration of a closed file is found by who has the key', (t) => {
  const folder = closed(t);
  const names = readdirSync(folder).sort();
  const alterations: Readonly<Record<string, (lines: readonly string[], at: number) => readonly string[]>> = {
    'a letter': (lines, at) => lines.with(at, lines[at]!.replace(/[a-z]/, 'q')),
    'a blank': (lines, at) => lines.with(at, lines[at]!.replace(':', ': ')),
    'a line removed': (lines, at) => lines.toSpliced(at, 1),
    'a line twice': (lines, at) => lines.toSpliced(at, 0, lines[at]!),
    'two lines exchanged': (lines, at) =>
      at === 0 ? lines.toReversed() : lines.with(at, lines[at - 1]!).with(at - 1, lines[at]!),
    'the end cut off': (lines, at) => lines.slice(0, at),
    'an invented line': (lines, at) => lines.toSpliced(at, 0, JSON.stringify(question(99))),
  };
  const missed: string[] = [];
  for (const name of names.slice(0, 2)) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    const lines = text.trimEnd().split('\n');
    for (const [what, alter] of Object.entries(alterations))
      for (const [at] of lines.entries()) {
        writeFileSync(
          file,
          alter(lines, at)
            .map((line) => `${line}\n`)
            .join(''),
        );
        if (problems(folder).length === 0) missed.push(`${what} at ${at} of ${name}`);
      }
    writeFileSync(file, text);
  }
  t.deepEqual(missed, []);
  // of the last file the line that closes it can be cut off, as if the process had been killed: that is noted
  const last = join(folder, names[2]!);
  const text = readFileSync(last, 'utf8');
  writeFileSync(
    last,
    text
      .split('\n')
      .slice(0, -2)
      .map((line) => `${line}\n`)
      .join(''),
  );
  t.regex(verified(folder)[2]!.notes.join(), /not closed/);
  writeFileSync(last, text);
  t.deepEqual(problems(folder), []);
  const { privateKey } = generateKeyPairSync('ed25519');
  t.true(problems(folder, { signingKey: privateKey }).length > 0);
  t.true(problems(folder, { lineMac: keyedMac(Buffer.alloc(32, 2)) }).length > 0);
  const [first, second] = names.map((name) => join(folder, name)) as [string, string];
  renameSync(second, `${second}.away`);
  t.regex(problems(folder).join(), /file 2 before it is missing/);
  renameSync(first, second);
  t.true(problems(folder).length > 0);
});

test('a killed process loses at most the line that it was writing, and the next file covers the others', (t) => {
  const folder = temporaryFolder(t, {});
  const killed = open(folder);
  killed.write(question(0));
  killed.write(question(1));
  appendFileSync(join(folder, 'audit-00000001.jsonl'), '{"tributary.catalogue":"coh');
  const [file] = verified(folder);
  t.like(file, { lines: 2, problems: [] });
  t.regex(file!.notes.join(), /last line is incomplete/);
  const next = open(folder);
  next.write(question(2));
  next.close();
  t.deepEqual(problems(folder), []);
  const path = join(folder, 'audit-00000001.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('r1', 'r7'));
  t.regex(problems(folder).join(), /audit-00000001\.jsonl before it was altered/);
});

test('two processes write files of their own, each whole', (t) => {
  const folder = temporaryFolder(t, {});
  const [one, other] = [open(folder), open(folder)];
  for (let number = 0; number < 4; number += 1) (number % 2 === 0 ? one : other).write(question(number));
  one.close();
  other.close();
  t.deepEqual(problems(folder), []);
  t.is([...auditedQuestions(folder)].length, 4);
});

test('a file holds one day or so many bytes, and is kept so many days', (t) => {
  const folder = temporaryFolder(t, {});
  let nowMs = Date.parse('2026-11-01T23:59:59Z');
  const trail = open(folder, { nowMs: () => nowMs, maxBytes: 1_000 });
  trail.write(question(0));
  nowMs += 2_000;
  trail.write(question(1));
  t.is(readdirSync(folder).length, 2);
  for (let number = 0; number < 10; number += 1) trail.write(question(number));
  t.true(readdirSync(folder).length > 2);
  t.deepEqual(problems(folder), []);
  utimesSync(join(folder, 'audit-00000001.jsonl'), 0, nowMs / 1000 - 11 * 86_400);
  nowMs += 86_400_000;
  trail.write(question(11));
  t.false(readdirSync(folder).includes('audit-00000001.jsonl'));
  t.regex(
    problems(folder, { nowMs: () => nowMs }).join(),
    /file 1 before it is missing, although AUDIT_DAYS/,
  );
  t.deepEqual(problems(folder, { nowMs: () => nowMs + 11 * 86_400_000 }), []);
  trail.close();
});

test('where nothing can be written nothing is answered if that is required, else it is logged once a minute', (t) => {
  const folder = temporaryFolder(t, { audit: 'a file' });
  const unwritable = join(folder, 'audit');
  t.throws(() => open(unwritable), { message: /audit trail cannot be written/ });
  let warned = 0;
  let nowMs = 0;
  const trail = open(unwritable, { required: false, warn: () => (warned += 1), nowMs: () => nowMs });
  for (; nowMs <= 120_000; nowMs += 1_000) trail.write(question(1));
  t.is(warned, 3);
  rmSync(unwritable);
  trail.write(question(2));
  t.like([...auditedQuestions(unwritable)], [{ 'event.action': 'lost', 'tributary.lost': 121 }, question(2)]);
  trail.close();
});
