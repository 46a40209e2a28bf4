import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../temporary-configs.ts';
import { loadIn } from './load-in.ts';

const data = 'id,sex,age,name,extra\n01,1,44,Ann,x\n02,2,50,Bob,y\n03,3,9.5,Cid,z\n';
const book = `field,value,label,unit,description
sex,,Sex at birth,,as registered
sex,1,Female,,
sex,2,Male,,
sex,4,Other,,
age,,Age at diagnosis,years,
nam,,Mistyped,,
`;

const folderWith = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = temporaryFolder({});
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
};

const jsonIn = async (folder: string, name: string): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, 'configs/donors', name), 'utf8'));

const load = ['data.csv', '--catalogue', 'donors', '--id-field', 'id'];

test.serial('a codebook fills labels, units and types, and its contradictions are told', async (t) => {
  const folder = await folderWith({ 'data.csv': data, 'book.csv': book });
  const { code, output } = await loadIn(folder, [...load, '--codebook', 'book.csv']);
  t.is(code, 0, output);
  const lines = output.split('\n').filter((line) => line.startsWith('codebook: '));
  t.deepEqual(lines, [
    'codebook: sex has values without a label: 3',
    'codebook: labels of values that no record has: 4 of sex (Other)',
    'codebook: fields that the data lack: nam (is it name?)',
    'codebook: columns that the codebook lacks: id, name, extra',
  ]);
  t.like(await jsonIn(folder, 'extended.json'), {
    extended: [
      { fieldName: 'id' },
      {
        fieldName: 'sex',
        displayName: 'Sex at birth',
        description: 'as registered',
        displayValues: { 1: 'Female', 2: 'Male', 4: 'Other' },
      },
      { fieldName: 'age', displayName: 'Age at diagnosis', unit: 'years' },
    ],
  });
  t.like(await jsonIn(folder, 'mapping.json'), {
    mappings: { properties: { sex: { type: 'keyword' }, age: { type: 'double' } } },
  });
});

test.serial('of several tables not each needs to have all columns of a codebook', async (t) => {
  const folder = await folderWith({
    'a.csv': 'id,sex,age\n01,1,44\n02,2,50\n',
    'b.csv': 'id,age,site\n03,9.5,01\n',
    'book.csv': 'field,value,label\nsex,1,Female\nsex,2,Male\nsite,01,North\n',
  });
  const argv = ['a.csv', 'b.csv', '--catalogue', 'donors', '--id-field', 'id', '--codebook', 'book.csv'];
  const { code, output } = await loadIn(folder, argv);
  t.is(code, 0, output);
  t.regex(output, /codebook: columns that the codebook lacks: id, age\n/);
  t.like(await jsonIn(folder, 'mapping.json'), {
    mappings: { properties: { sex: { type: 'keyword' }, site: { type: 'keyword' } } },
  });
  t.regex(await readFile(join(folder, 'configs/donors/extended.json'), 'utf8'), /"01": "North"/);
});

test.serial('a newer codebook updates labels, keeps what else was edited, and changes no data', async (t) => {
  const folder = await folderWith({ 'data.csv': data, 'book.csv': book });
  await loadIn(folder, [...load, '--codebook', 'book.csv']);
  const file = join(folder, 'configs/donors/extended.json');
  const edited = (await readFile(file, 'utf8')).replace(
    '"displayName": "Sex at birth"',
    '"displayName": "Sex", "quickSearchEnabled": true',
  );
  await writeFile(file, edited);
  await writeFile(join(folder, 'newer.csv'), 'field,value,label\nsex,1,Woman\nsex,2,Man\nsex,3,Other\n');
  const mapping = await jsonIn(folder, 'mapping.json');
  const { code, output } = await loadIn(folder, ['--codebook', 'newer.csv', '--catalogue', 'donors']);
  t.is(code, 0, output);
  t.like(await jsonIn(folder, 'extended.json'), {
    extended: [
      { fieldName: 'id' },
      {
        displayName: 'Sex',
        quickSearchEnabled: true,
        description: 'as registered',
        displayValues: { 1: 'Woman', 2: 'Man', 3: 'Other' },
      },
      { displayName: 'Age at diagnosis', unit: 'years' },
    ],
  });
  t.deepEqual(await jsonIn(folder, 'mapping.json'), mapping);
});

test.serial('codes that an index has as numbers are told, once, and what would change it', async (t) => {
  const folder = await folderWith({ 'data.csv': data, 'book.csv': book });
  await loadIn(folder, load);
  const says =
    /codebook: the index has these codes as numbers, so pages show ranges of them instead of their labels: sex\. /g;
  for (const argv of [
    [...load, '--codebook', 'book.csv'],
    ['--catalogue', 'donors', '--codebook', 'book.csv'],
  ]) {
    const { code, output } = await loadIn(folder, argv);
    t.is(code, 0, output);
    t.is([...output.matchAll(says)].length, 1, output);
    t.regex(output, /codebook: fields that the data lack: nam/);
  }
  const { output } = await loadIn(folder, [
    ...load,
    '--codebook',
    'book.csv',
    '--types',
    'sex=keyword',
    '--replace',
  ]);
  t.notRegex(output, says);
});

test.serial('codes are proposed no other type', async (t) => {
  const answers = data
    .replace('sex', 'smokes')
    .replace(/,[123],/g, ',yes,')
    .replace('yes', 'no');
  const coded = 'field,value,label\nsmokes,yes,Smokes\nsmokes,no,Does not smoke\n';
  const folder = await folderWith({ 'data.csv': answers, 'book.csv': coded });
  t.regex((await loadIn(folder, [...load, '--dry-run'])).output, /--types smokes=boolean/);
  t.notRegex((await loadIn(folder, [...load, '--dry-run', '--codebook', 'book.csv'])).output, /boolean/);
});

test.serial('values that break a declared type stop the load before it writes, with a command', async (t) => {
  for (const [value, command] of [
    ['old', `--types aged=keyword`],
    ['N/A', `--null aged=N/A`],
  ] as const) {
    const typed = 'field,value,label,type\naged,,Age,long\n';
    const text = data.replace('age', 'aged').replace('44', value).replace('9.5', '9');
    const folder = await folderWith({ 'data.csv': text, 'book.csv': typed });
    const argv = [...load, '--codebook', 'book.csv'];
    for (const options of [argv, [...argv, '--dry-run']]) {
      const { code, output } = await loadIn(folder, options);
      t.is(code, 1, output);
      t.true(
        output.includes(`the codebook says that aged is of type long, but line 2 has "${value}"`),
        output,
      );
      t.true(output.includes(command), output);
      await t.throwsAsync(readFile(join(folder, 'configs/donors/base.json')));
    }
    const [option, ...rest] = command.split(' ');
    t.is((await loadIn(folder, [...argv, option!, ...rest])).code, 0);
  }
});

test.serial('a codebook beside the data is proposed, and not taken', async (t) => {
  const folder = await folderWith({
    'data.csv': data,
    'data_codebook.csv': book,
    'dictionary.csv': 'a,b\n1,2\n',
  });
  const { output } = await loadIn(folder, load);
  t.regex(output, /proposed: --codebook data_codebook\.csv: it lies beside the data/);
  t.notRegex(JSON.stringify(await jsonIn(folder, 'extended.json')), /Female/);
});

test.serial('a new catalogue does not show what identifies people by a data dictionary', async (t) => {
  const dictionary =
    'field_name,form_name,field_type,field_label,select_choices_or_calculations,identifier\nname,f,text,Name,,y\nsex,f,radio,Sex,"1, Female | 2, Male | 3, Other",\n';
  const folder = await folderWith({ 'data.csv': data, 'book.csv': dictionary });
  const { output } = await loadIn(folder, [...load, '--codebook', 'book.csv']);
  t.regex(output, /codebook: these fields identify people: name\. New tables do not show them/);
  t.notRegex(JSON.stringify(await jsonIn(folder, 'table.json')), /"name"/);
  t.regex(JSON.stringify(await jsonIn(folder, 'facets.json')), /"fieldName":"name","isActive":false/);
});

test.serial('a codebook needs a catalogue, and data that can be read twice', async (t) => {
  const folder = await folderWith({ 'book.csv': book });
  const argv = ['--codebook', 'book.csv'];
  t.regex((await loadIn(folder, ['data.csv', '--index', 'donors', ...argv])).output, /goes with --catalogue/);
  t.regex((await loadIn(folder, ['-', '--catalogue', 'donors', ...argv])).output, /must be in a file/);
  t.regex((await loadIn(folder, ['--catalogue', 'donors', ...argv])).output, /there is no index donors yet/);
});
