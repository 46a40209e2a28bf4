import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { programEnvironment, programFile } from '../../program.ts';
import { temporaryFolder } from '../temporary-configs.ts';

/** Runs a command line in a shell that knows `tributary`. */
const run = (folder: string, command: string) => {
  const script = `tributary() { "$NODE" "$PROGRAM" "$@"; }\n${command}`;
  const env = {
    ...programEnvironment,
    NODES_PATH: 'off',
    CONFIGS_PATH: 'configs',
    DATA_PATH: 'data',
    NODE: process.execPath,
    PROGRAM: programFile,
  };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
};

const commandIn = (output: string): string => /^as one command: (.*)$/m.exec(output)?.[1] ?? '';

const odd = [
  'pa$tient nr,"a ""b"" cost",count,`v`,born,seen,gone?,country,w=1\n',
  'P1,"1,5",--,-9,18-May-14,31.12.2020,ja,NA,1\n',
  'P2,"2,25",3.5,4,02-Jun-44,01.02.1999,nein,DE,-\n',
  'P3,"7,5",NA,NA,03-Jun-44,05.06.2001,ja,FR,3\n',
].join('');

test('all proposals of a dry run can be pasted as one command, which does what they say', (t) => {
  const folder = temporaryFolder({});
  writeFileSync(join(folder, "it's $x.csv"), odd);
  const trial = run(folder, `tributary load "it's \\$x.csv" --catalogue c --dry-run`);
  t.is(trial.code, 0, trial.output);
  const command = commandIn(trial.output);
  t.regex(command, /--null count=--,NA .*--null -( |$)/);
  const loaded = run(folder, command);
  t.is(loaded.code, 0, loaded.output);
  t.regex(loaded.output, /3 created, 0 updated, 0 rejected/);
  t.notRegex(loaded.output, /proposed/);
  for (const [column, type] of [
    ['cost', 'double'],
    ['count', 'double'],
    ['`v`', 'long'],
    ['born', 'date'],
    ['seen', 'date'],
    ['gone?', 'boolean'],
    ['country', 'keyword'],
  ])
    t.true(
      new RegExp(`^ .*${column!.replaceAll(/[`?]/g, '.')} +${type!} `, 'm').test(loaded.output),
      `${column!}: ${loaded.output}`,
    );
  const again = run(folder, command);
  t.regex(again.output, /0 created, 3 updated/);
});

test('after a load, the command replaces what was loaded', (t) => {
  const folder = temporaryFolder({ 'p.csv': 'patient,age,sex\nP1,61,F\nP2,[Not Available],M\nP3,70,F\n' });
  const first = run(folder, 'tributary load p.csv --catalogue c');
  t.is(first.code, 0, first.output);
  t.regex(first.output, /^proposed: --id-field patient: it has a different value in each record/m);
  const command = commandIn(first.output);
  t.is(command, 'tributary load p.csv --catalogue c --null "[Not Available]" --id-field patient --replace');
  const second = run(folder, command);
  t.is(second.code, 0, second.output);
  t.regex(second.output, /loaded 3 documents/);
  t.regex(
    run(folder, 'tributary load p.csv --catalogue c --id-field patient --null "[Not Available]"').output,
    /0 created, 3 updated/,
  );
});

test('a key of the first records may not be one of all', (t) => {
  const rows = Array.from({ length: 10_100 }, (_, at) => `${String(at % 10_050)},x\n`);
  const folder = temporaryFolder({ 'n.csv': `Nr,a\n${rows.join('')}` });
  const { output } = run(folder, 'tributary load n.csv --catalogue c --dry-run');
  t.regex(
    output,
    /^question: --id-field Nr: it has a different value in each of the first 10 000 records; if it does in all/m,
  );
  t.notRegex(output, /as one command/);
});

test('what a person has to decide is not in the command', (t) => {
  const folder = temporaryFolder({ 'd.csv': 'id,d,n\n1,01/02/2020,"1,234"\n2,03/04/2020,"2,345"\n' });
  const { output } = run(folder, 'tributary load d.csv --catalogue c --dry-run');
  t.regex(
    output,
    /^question: --date-format dd\/MM\/yyyy: d would be a date \(if the month comes first, MM\/dd\/yyyy\)$/m,
  );
  t.regex(
    output,
    /^question: --decimal ,: n would be a number \(if the comma groups thousands, --decimal \.\)$/m,
  );
  t.is(commandIn(output), '');
});
