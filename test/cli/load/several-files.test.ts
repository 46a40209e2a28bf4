import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../temporary-configs.ts';
import { loadIn } from './load-in.ts';

const packet = (id: string, age: number): string => JSON.stringify({ id, subject: { age } }, null, 2);

test.serial('a folder of files is one load, in which each is named', async (t) => {
  const folder = temporaryFolder({
    'p/a.json': packet('A', 3),
    'p/more/b.json': packet('B', 4.5),
    'p/.hidden': 'x',
    'p/a.json.rejected.ndjson': '{}',
  });
  const trial = await loadIn(folder, ['p', '--catalogue', 'c', '--dry-run']);
  t.is(trial.code, 0, trial.output);
  t.regex(trial.output, /subject.age +double +3 +0 +0\n[^]*2 documents could be loaded/);
  const { output, code } = await loadIn(folder, ['p/a.json', 'p/more/b.json', '--catalogue', 'c']);
  t.is(code, 0, output);
  t.regex(output, /2 created, 0 updated, 0 rejected/);
});

test.serial('a folder is the same folder however its path is written', async (t) => {
  const folder = temporaryFolder({ 'p/a.json': packet('A', 3), 'p/.h/b.json': packet('B', 4), 'p/.c': 'x' });
  for (const named of ['p', './p', 'p/', 'p/../p/.', join(folder, 'p')]) {
    const { output } = await loadIn(folder, [named, '--catalogue', 'c', '--dry-run']);
    t.regex(output, /1 document could be loaded/, named);
  }
});

test.serial('links in a folder are the files that they lead to, each loaded once', async (t) => {
  const folder = temporaryFolder({ 'p/a.json': packet('A', 3), 'elsewhere/b.json': packet('B', 4) });
  symlinkSync('a.json', join(folder, 'p/latest.json'));
  symlinkSync('../elsewhere/b.json', join(folder, 'p/b.json'));
  symlinkSync('../elsewhere', join(folder, 'p/folder'));
  const { output, code } = await loadIn(folder, ['p', '--catalogue', 'c']);
  t.is(code, 0, output);
  t.regex(output, /2 created, 0 updated, 0 rejected/);
  symlinkSync('gone.json', join(folder, 'p/c.json'));
  const { output: broken } = await loadIn(folder, ['p', '--catalogue', 'c', '--dry-run']);
  t.regex(broken, /cannot read p\/c\.json: there is no such file/);
});

test.serial('types, mixed columns and rejects are of all files', async (t) => {
  const folder = temporaryFolder({
    'a.csv': 'id,n,code\n1,5,1.0\n',
    'b.csv': 'id,n,code\n2,6,x\n3,7\n4,1,2,3,4\n',
  });
  const trial = await loadIn(folder, ['a.csv', 'b.csv', '--catalogue', 'c', '--dry-run']);
  t.is(trial.code, 3, trial.output);
  t.regex(trial.output, /code is mixed: 1 number \(a\.csv line 2: 1\), 1 text \(b\.csv line 2: x\)/);
  t.regex(trial.output, /b\.csv line 4: 5 cells where the header has 3: cell 4 is "3"/);
  t.regex(trial.output, /b\.csv: 1 row has fewer cells than the header/);
  const { code, output } = await loadIn(folder, ['a.csv', 'b.csv', '--catalogue', 'c']);
  t.is(code, 3, output);
  t.regex(output, /code +keyword/);
  t.like(JSON.parse(readFileSync(join(folder, 'load.rejected.ndjson'), 'utf8')), { file: 'b.csv', line: 4 });
});

test.serial('a name with dots is the same field in all files', async (t) => {
  const files = { 'a.csv': 'id,donor.age,donor.sex\n1,5,F\n', 'b.csv': 'donor.age,id\n7.5,2\n' };
  const objects = await loadIn(temporaryFolder(files), ['a.csv', 'b.csv', '--catalogue', 'c']);
  t.is(objects.code, 0, objects.output);
  t.regex(objects.output, /donor\.age +double +5 +0 +0\n/);
  t.notRegex(objects.output, /donor_age/);
  const text = await loadIn(temporaryFolder(files), ['b.csv', 'a.csv', '--catalogue', 'c']);
  t.is(text.code, 0, text.output);
  t.regex(text.output, /donor_age +double +7\.5 +0 +0\n/);
  t.notRegex(text.output, /donor\.age +(long|double)/);
  const both = await loadIn(temporaryFolder({ 'a.csv': 'id,Nr.\n1,5\n', 'b.csv': 'id,Nr.,Nr\n2,6,7\n' }), [
    'a.csv',
    'b.csv',
    '--catalogue',
    'c',
  ]);
  t.regex(both.output, /Nr +long +5 +0 +0\n +Nr_2 +long +6 +1 +0\n/);
});

test.serial('what several files have in common is printed once', async (t) => {
  const features = JSON.stringify({ id: 'A', features: [{ type: 'x' }] }, null, 1);
  const folder = temporaryFolder({ 'a.json': features, 'b.json': features, 'c.json': '[{"id":"C"}]' });
  const { output } = await loadIn(folder, ['a.json', 'b.json', 'c.json', '--catalogue', 'c', '--dry-run']);
  t.is(output.match(/loaded as one record/g)?.length, 1);
  t.regex(output, /^a\.json and 1 more: the file is one JSON object and loaded as one record/m);
});

test.serial('a named pipe is refused among several files, which are read twice', async (t) => {
  const folder = temporaryFolder({ 'a.csv': 'id,n\n1,2\n' });
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const { code, output } = await loadIn(folder, ['a.csv', 'pipe', '--catalogue', 'c']);
  t.is(code, 1, output);
  t.regex(output, /pipe is a stream, which cannot be one of several files/);
});

for (const [what, files, message] of [
  [
    'of another kind',
    { 'a.csv': 'id,n\n1,2\n', 'b.json': '[{"id":1}]' },
    /b\.json: it is json, but a\.csv is csv: load them one after the other/,
  ],
  [
    'that is broken',
    { 'a.json': '[{"id":1}]', 'b.json': '[{"id":1},' },
    /b\.json: the text ends inside the array/,
  ],
  ['that is not read', { 'a.json': '[{"id":1}]', 'b.pdf': '%PDF-1.4' }, /b\.pdf: a PDF is not read/],
  [
    'of another table',
    {
      'a.tsv': 'PATIENT\tSEX\tAGE\tSITE\nP1\tF\t4\tLung\n',
      'b.tsv': 'SAMPLE\tPATIENT\tKIND\tTUBE\nS1\tP1\tRNA\t7\n',
    },
    /b\.tsv: its table differs from that of a\.tsv, of whose columns it has PATIENT: load them one after the other, each into a catalogue of its own/,
  ],
] as const)
  test.serial(`one file ${what} is named`, async (t) => {
    const folder = temporaryFolder({});
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { code, output } = await loadIn(folder, [...Object.keys(files), '--catalogue', 'c', '--dry-run']);
    t.is(code, 1, output);
    t.regex(output, message);
    const loaded = await loadIn(folder, [...Object.keys(files), '--catalogue', 'c']);
    t.is(loaded.code, 1, loaded.output);
    t.regex(loaded.output, message);
    // what was read of a file that is broken in its middle is loaded, as of a single file
    t.is(/loaded 2 documents/.test(loaded.output), what === 'that is broken', loaded.output);
  });

test.serial('tables that lack some columns of the others are one load', async (t) => {
  const folder = temporaryFolder({ 'a.csv': 'id,n,code\n1,5,x\n', 'b.csv': 'id,n,place\n2,6,y\n' });
  const { code, output } = await loadIn(folder, ['a.csv', 'b.csv', '--catalogue', 'c']);
  t.is(code, 0, output);
  t.regex(output, /2 created, 0 updated, 0 rejected/);
});

test.serial('--records reaches into objects that are one a line', async (t) => {
  const folder = temporaryFolder({ 's.json': '{"head":{},"results":{"bindings":[{"a":1},{"a":2}]}}\n' });
  const { output } = await loadIn(folder, ['s.json', '--catalogue', 'c', '--records', 'results.bindings']);
  t.regex(output, /2 created, 0 updated, 0 rejected/);
});
