import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { CodedField } from '../../../src/indexing/codebook/codebook.ts';
import { readCodebook } from '../../../src/indexing/codebook/read-codebook.ts';

const bookOf = async (t: ExecutionContext, text: string | Buffer) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-codebook-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'book.csv');
  await writeFile(file, text);
  const book = await readCodebook(file);
  return Object.fromEntries([...book].map(([name, field]) => [name, shown(field)]));
};

const shown = ({ values, missing, isIdentifier, ...field }: CodedField) => ({
  ...field,
  ...(values.size > 0 && { values: Object.fromEntries(values) }),
  ...(missing.length > 0 && { missing }),
  ...(isIdentifier && { isIdentifier }),
});

const exported =
  'Variable / Field Name,Form Name,Section Header,Field Type,Field Label,"Choices, Calculations, OR Slider Labels",Field Note,Text Validation Type OR Show Slider Number,Text Validation Min,Text Validation Max,Identifier?,Branching Logic (Show field only if...)';
const ofApi =
  'field_name,form_name,section_header,field_type,field_label,select_choices_or_calculations,field_note,text_validation_type_or_show_slider_number,text_validation_min,text_validation_max,identifier,branching_logic';
const rows = `
id,visit,,text,Study number,,,,,,,
name,visit,,text,Name,,,,,,y,
sex,visit,<h1>About you</h1>,radio,"<b>Sex</b>,&nbsp;at birth","0, Female | 1, Male|-1 , Other, or none",as registered,,,,,
smokes,visit,,yesno,Smokes?,,,,,,,[sex]='1'
asked,visit,,truefalse,Asked,,,,,,,
site,visit,,checkbox,Site,"1, Lung | C50.1, Breast | -9, Other",,,,,,
born,visit,,text,Born,,,date_dmy,,,Y,
phone,visit,,text,Phone,,,phone,,,,
age,visit,,text,Age,,,integer,0,120,,
weight,visit,,text,Weight,,kg,number_1dp,,,,
total,visit,,calc,Total,[age]+[weight],,,,,,
hello,visit,,descriptive,Welcome,,,,,,,
`;

const dictionary = {
  id: { label: 'Study number' },
  name: { label: 'Name', isIdentifier: true },
  sex: {
    label: 'Sex , at birth',
    description: 'as registered',
    type: 'keyword',
    values: { 0: 'Female', 1: 'Male', '-1': 'Other, or none' },
  },
  smokes: { label: 'Smokes?', type: 'keyword', values: { 1: 'Yes', 0: 'No' } },
  asked: { label: 'Asked', type: 'keyword', values: { 1: 'True', 0: 'False' } },
  site___1: { label: 'Site: Lung', type: 'keyword', values: { 1: 'Checked', 0: 'Unchecked' } },
  site___c50_1: { label: 'Site: Breast', type: 'keyword', values: { 1: 'Checked', 0: 'Unchecked' } },
  site____9: { label: 'Site: Other', type: 'keyword', values: { 1: 'Checked', 0: 'Unchecked' } },
  born: { label: 'Born', type: 'date', isIdentifier: true },
  phone: { label: 'Phone', type: 'keyword' },
  age: { label: 'Age', type: 'long' },
  weight: { label: 'Weight', description: 'kg', type: 'double' },
  total: { label: 'Total' },
  visit_complete: { type: 'keyword', values: { 0: 'Incomplete', 1: 'Unverified', 2: 'Complete' } },
};

for (const [where, header] of [
  ['as REDCap exports it', exported],
  ['as its API gives it', ofApi],
  ['with a byte order mark', `\uFEFF${exported}`],
] as const)
  test(`a data dictionary, ${where}`, async (t) => {
    t.deepEqual(await bookOf(t, header + rows), dictionary);
  });

test('a dictionary with semicolons, and lines that end as on Windows', async (t) => {
  const text = `${ofApi.replaceAll(',', ';')}\r\nsex;visit;;radio;Sex;"0, Female | 1, Male";;;;;;\r\n`;
  t.like(await bookOf(t, text), { sex: { values: { 0: 'Female', 1: 'Male' } } });
});

test('the first column of a dictionary has the fields, whatever its name', async (t) => {
  const text = `${ofApi.replace('field_name', '1')}\nsex,visit,,radio,Sex,"0, Female | 1, Male",,,,,,\n`;
  t.deepEqual(await bookOf(t, text), {
    sex: { label: 'Sex', type: 'keyword', values: { 0: 'Female', 1: 'Male' } },
    visit_complete: dictionary.visit_complete,
  });
});

test('choices that are not codes with labels are refused, with the field', async (t) => {
  const text = `${ofApi}\nsex,visit,,radio,Sex,Female | Male,,,,,,\n`;
  await t.throwsAsync(bookOf(t, text), { message: /choices of sex that are not understood at "Female"/ });
});

test('a plain codebook: rows about fields, and rows about their values', async (t) => {
  const text = `Field,Value,Label,Unit,Description,Type,Missing
sex,,Sex,,as registered,,
sex,1,Female,,,,
sex,2,Male,,,,
sex,9,,,,,yes
height,,Height,cm,without shoes,double,
`;
  t.deepEqual(await bookOf(t, text), {
    sex: {
      label: 'Sex',
      description: 'as registered',
      type: 'keyword',
      values: { 1: 'Female', 2: 'Male' },
      missing: ['9'],
    },
    height: { label: 'Height', unit: 'cm', description: 'without shoes', type: 'double' },
  });
});

for (const [what, text, message] of [
  [
    'a value with two labels',
    'field,value,label\nsex,1,Female\nsex,1,Male\n',
    /row 3: the value 1 of sex has two labels/,
  ],
  ['a row without a field', 'field,value,label\n,1,Female\n', /row 2: it names no field/],
  [
    'an unknown type',
    'field,value,label,type\nage,,Age,number\n',
    /row 2: the type number is not one of keyword/,
  ],
  [
    'another table',
    'id,age\n1,2\n',
    /is not a codebook: a REDCap data dictionary, or a CSV file with the header field,value,label/,
  ],
  ['text in another encoding', Buffer.from('field,value,label\nsex,1,fémin\n', 'latin1'), /it is not UTF-8/],
  ['an open quote', 'field,value,label\nsex,1,"Fem\n', /is not a table/],
] as const)
  test(`a codebook is refused: ${what}`, async (t) => {
    await t.throwsAsync(bookOf(t, text), { code: 'INPUT_INVALID', message });
  });
