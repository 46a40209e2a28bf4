import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../temporary-configs.ts';
import { loadIn } from './load-in.ts';

const patients = 'patient,age,sex\nP1,61,F\nP2,NA,M\nP3,70,F\n';
const corrected = patients.replace('NA', '62');

test.serial('a corrected file without an id column is a question, in a dry run as in the load', async (t) => {
  const folder = temporaryFolder({ 'p.csv': patients });
  t.is((await loadIn(folder, ['p.csv', '--catalogue', 'c'])).code, 0);
  writeFileSync(join(folder, 'p.csv'), corrected);
  for (const option of [[], ['--dry-run']]) {
    const { code, output } = await loadIn(folder, ['p.csv', '--catalogue', 'c', ...option]);
    t.is(code, 1);
    t.regex(
      output,
      /the records have no id, and c has records already, .*: load with --id-field FIELD \(patient: a different value in each of 3 records\), with --replace, or with --append if all records are new/,
    );
  }
  const other = await loadIn(folder, ['p.csv', '--catalogue', 'c', '--id-field', 'patient']);
  t.is(other.code, 1);
  t.regex(
    other.output,
    /the documents of c have keys that are not the values of patient \(P\d has the key [0-9a-f]{32}\), .*: load with --replace/,
  );
  writeFileSync(
    join(folder, 'ids.csv'),
    corrected.trimEnd().replace(/^/gm, (_, at: number) => (at === 0 ? 'id,' : `n${at},`)),
  );
  for (const option of [[], ['--dry-run']]) {
    const { code, output } = await loadIn(folder, ['ids.csv', '--catalogue', 'c', ...option]);
    t.is(code, 1);
    t.regex(
      output,
      /keys that are not the values of id \(one without it has the key [0-9a-f]{32}\), so the same/,
    );
  }
  const replaced = await loadIn(folder, ['p.csv', '--catalogue', 'c', '--id-field', 'patient', '--replace']);
  t.regex(replaced.output, /3 created, 0 updated/);
  const forgotten = await loadIn(folder, ['p.csv', '--catalogue', 'c']);
  t.regex(forgotten.output, /--id-field FIELD \(patient, the key of the documents that are there\)/);
  const again = await loadIn(folder, ['p.csv', '--catalogue', 'c', '--id-field', 'patient']);
  t.regex(again.output, /0 created, 3 updated/);
});

test.serial('records to append are new, even those that are there', async (t) => {
  const folder = temporaryFolder({ 'p.csv': patients });
  await loadIn(folder, ['p.csv', '--catalogue', 'c', '--append']);
  for (const total of [6, 9]) {
    const { output } = await loadIn(folder, ['p.csv', '--catalogue', 'c', '--append']);
    t.regex(output, /3 created, 0 updated/, String(total));
  }
  const both = await loadIn(folder, ['p.csv', '--catalogue', 'c', '--append', '--replace']);
  t.is(both.code, 2);
  t.regex(both.output, /--replace empties the index, and --append adds to it: give one of them/);
});

test.serial('keys of bulk actions, and an empty index, need no answer', async (t) => {
  const folder = temporaryFolder({
    'b.ndjson': '{"index":{"_id":"1"}}\n{"a":1}\n',
    'm.json': '{"properties":{"a":{"type":"long"}}}',
    'e.csv': '',
    'a.csv': 'a\n1\n',
  });
  await loadIn(folder, ['b.ndjson', '--index', 'x']);
  t.is((await loadIn(folder, ['b.ndjson', '--index', 'x'])).code, 0);
  await loadIn(folder, ['e.csv', '--index', 'y', '--mapping', 'm.json']);
  t.is((await loadIn(folder, ['a.csv', '--index', 'y'])).code, 0);
});

test.serial(
  '--types and --null with --replace take effect, and untouched starter files follow',
  async (t) => {
    const folder = temporaryFolder({ 'p.csv': 'id,age,site\n1,61,A\n2,NA,B\n3,7,A\n' });
    await loadIn(folder, ['p.csv', '--catalogue', 'c']);
    const again = await loadIn(folder, [
      'p.csv',
      '--catalogue',
      'c',
      '--replace',
      '--null',
      'NA',
      '--types',
      'age=integer',
    ]);
    t.is(again.code, 0, again.output);
    t.regex(again.output, /age +integer/);
    t.regex(again.output, /wrote extended\.json, table\.json, facets\.json, mapping\.json/);
    t.regex(readFileSync(join(folder, 'configs/c/mapping.json'), 'utf8'), /"integer"/);
    writeFileSync(
      join(folder, 'configs/c/facets.json'),
      '{"facets":{"aggregations":[{"fieldName":"place"}]}}',
    );
    const third = await loadIn(folder, ['p.csv', '--catalogue', 'c', '--replace']);
    t.regex(third.output, /age +keyword/);
    t.regex(
      third.output,
      /kept unchanged: facets\.json\nfacets\.json names place, which the index does not have/,
    );
  },
);

test.serial('the last lines say what to do next', async (t) => {
  const folder = temporaryFolder({ 'p.csv': 'patient,age\nP1,61\nP2,62\nP3,7\n' });
  const { output } = await loadIn(folder, ['p.csv', '--catalogue', 'c']);
  t.regex(
    output,
    /next: tributary start, and open the address that it prints\nbetter with: a field with the key of each record \(--id-field\); facets, labels and units/,
  );
});
