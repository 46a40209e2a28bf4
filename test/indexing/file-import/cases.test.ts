import { parquetWriteBuffer } from 'hyparquet-writer';
import test from 'ava';
import type { ReadingArguments } from '../../../src/cli/load/load-options.ts';
import { readingOptions } from '../../../src/cli/load/load-options.ts';
import { optionText } from '../../../src/indexing/file-import/inference/proposals.ts';
import { summarizeFields } from '../../../src/indexing/file-import/inference/summarize-fields.ts';
import type { ImportFormat } from '../../../src/indexing/file-import/records/detect-format.ts';
import { detectFormat } from '../../../src/indexing/file-import/records/detect-format.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { load } from './load-file.ts';

/** Files as people have them, made after public reports about importers, with what they hold. */
interface Case {
  readonly file: string | Buffer;
  readonly documents?: readonly JsonObject[];
  readonly labels?: readonly string[];
  readonly types?: Readonly<Record<string, string>>;
  /** Options that are proposed, as they are typed. */
  readonly proposed?: readonly string[];
  readonly options?: ReadingArguments;
  readonly error?: RegExp;
  /** Lines that are rejected, with the reasons. */
  readonly rejects?: readonly (readonly [number, string])[];
}

const rows = (count: number, value: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${String(at)},${value(at)}\n`).join('');

const late = 10_050;

const cases: Readonly<Record<string, Case>> = {
  'quotes of titles in a tab-separated file': {
    file: 'id\ttitle\tyear\n1\t"Untitled\t1950\n2\t12"\t1960\n3\tBed\t1970\n',
    documents: [
      { id: 1, title: '"Untitled', year: 1950 },
      { id: 2, title: '12"', year: 1960 },
      { id: 3, title: 'Bed', year: 1970 },
    ],
  },
  'codes that look like exponents': {
    file: 'id,sample\n1,9e42\n2,1e10\n3,2e05\n',
    documents: [
      { id: 1, sample: '9e42' },
      { id: 2, sample: '1e10' },
      { id: 3, sample: '2e05' },
    ],
  },
  'integers past 2^53': {
    file: '{"id":"1","n":9007199254740993}\n{"id":"2","n":9007199254740995}\n{"id":"3","n":12}\n',
    documents: [
      { id: '1', n: '9007199254740993' },
      { id: '2', n: '9007199254740995' },
      { id: '3', n: 12 },
    ],
    types: { n: 'long' },
  },
  'a clinical file of a study': {
    file: '#Patient Identifier\tSex\tOverall Survival (Months)\n#Identifier of a patient\tSex\tMonths since diagnosis\n#STRING\tSTRING\tNUMBER\n#1\t1\t1\nPATIENT_ID\tSEX\tOS_MONTHS\nXX-0001\tMale\t31.7\nXX-0002\tFemale\t[Not Available]\n',
    documents: [
      { PATIENT_ID: 'XX-0001', SEX: 'Male', OS_MONTHS: '31.7' },
      { PATIENT_ID: 'XX-0002', SEX: 'Female', OS_MONTHS: '[Not Available]' },
    ],
    labels: ['Patient Identifier', 'Sex', 'Overall Survival (Months)'],
    proposed: ['--null "[Not Available]"'],
  },
  'a name of no letters in JSON': {
    file: '{"":5,"a":{" ":1}}\n{"":6}\n',
    documents: [{ column_e3b0c442: 5, a: { column_36a9e7f1: 1 } }, { column_e3b0c442: 6 }],
  },
  'a late zero byte': {
    file: `id,name\n${rows(late, (at) => (at === late - 1 ? 'a\0b' : 'x'))}`,
    rejects: [[late + 1, 'it has a zero byte (NUL), which no text has']],
  },
  'zero bytes in a small table': {
    file: 'id,name\n1,"a\0\nb"\n2,x\0\n3,y\n',
    documents: [{ id: 3, name: 'y' }],
    rejects: [
      [2, 'it has a zero byte (NUL), which no text has'],
      [4, 'it has a zero byte (NUL), which no text has'],
    ],
  },
  'halves of characters in NDJSON': {
    file: '{"id":1,"t":"\\ud83d\\ude00"}\n{"id":2,"t":["a","\\ud83dx"]}\n{"id":3,"\\ude00":1}\n{"id":4,"t":"\\\\ud83d"}\n',
    documents: [
      { id: 1, t: '😀' },
      { id: 4, t: '\\ud83d' },
    ],
    rejects: [
      [2, '"\\ud83dx" holds half of a surrogate pair, which is not a character'],
      [3, '"\\ude00" holds half of a surrogate pair, which is not a character'],
    ],
  },
  'halves of characters in a JSON array': {
    file: '[{"id":1,"t":"\\udc00"},{"id":2,"t":"b"}]',
    documents: [{ id: 2, t: 'b' }],
    rejects: [[1, '"\\udc00" holds half of a surrogate pair, which is not a character']],
  },
  'a zero byte in NDJSON': {
    file: '{"id":1}\n{"id":"x\0"}\n',
    documents: [{ id: 1 }],
    rejects: [[2, 'it has a zero byte (NUL), which no text has']],
  },
  'titles and totals': {
    file: 'Cohort export,,\nGenerated 5 Jan 2024,,\n,,\nid,age,sex\n1,30,F\n2,41,M\nTotal,2,\n',
    error: /the header seems to be line 4, below titles/,
  },
  'titles and totals, with the options that are named': {
    file: 'Cohort export,,\nGenerated 5 Jan 2024,,\n,,\nid,age,sex\n1,30,F\n2,41,M\nTotal,2,\n',
    options: { 'header-row': '4', comment: 'Total' },
    documents: [
      { id: 1, age: 30, sex: 'F' },
      { id: 2, age: 41, sex: 'M' },
    ],
  },
  'labels as written': {
    file: 'id,pH,mRNA,IL-6,CA 19-9,"eGFR (mL/min/1.73m²)",Alter bei Diagnose,Größe,H&E,+/- pain,0mour\n1,7.1,3,2,30,60,55,170,x,1,40\n',
    labels: [
      'id',
      'pH',
      'mRNA',
      'IL-6',
      'CA 19-9',
      'eGFR (mL/min/1.73m²)',
      'Alter bei Diagnose',
      'Größe',
      'H&E',
      '+/- pain',
      '0mour',
    ],
  },
  'dots at the end of names': {
    file: 'Nr.;Inv. Nr.;Titel\n1;A-1;Stuhl\n2;A-2;Tisch\n',
    documents: [
      { Nr: 1, Inv_Nr: 'A-1', Titel: 'Stuhl' },
      { Nr: 2, Inv_Nr: 'A-2', Titel: 'Tisch' },
    ],
  },
  'a header in Chinese': { file: '编号,性别,年龄\n1,女,30\n2,男,41\n', labels: ['编号', '性别', '年龄'] },
  'row names of R': {
    file: '"","sex","age"\n"1","F",61\n"2","M",70\n',
    documents: [
      { column_1: 1, sex: 'F', age: 61 },
      { column_1: 2, sex: 'M', age: 70 },
    ],
  },
  'one object': {
    file: '{\n  "id": "P1",\n  "sex": "F",\n  "age": 3\n}',
    documents: [{ id: 'P1', sex: 'F', age: 3 }],
  },
  'written dates': {
    file: 'id,d,e,f,g\n1,18-May-14,May 2014,"May 18, 2014",5/18/14\n2,02-Jun-14,June 2014,"June 2, 2014",6/2/14\n',
    proposed: [
      '--date-format d=d-MMM-yy',
      '--types e=date',
      '--date-format "e=MMM yyyy"',
      '--date-format "f=MMM d, yyyy"',
      '--date-format g=M/d/yy',
    ],
  },
  'NA, which is Namibia': {
    file: 'id,country,age\n1,NA,30\n2,DE,NA\n3,NA,41\n4,FR,NA\n',
    options: { null: ['age=NA'] },
    documents: [
      { id: 1, country: 'NA', age: 30 },
      { id: 2, country: 'DE' },
      { id: 3, country: 'NA', age: 41 },
      { id: 4, country: 'FR' },
    ],
  },
  'lists in cells': {
    file: 'id,genes,pheno,tags\n1,TP53;BRCA1,HP:1|HP:2,"[""a"",""b""]"\n2,BRCA1,HP:2,"[""b""]"\n3,TP53;KRAS;BRCA1,HP:3|HP:1,"[]"\n',
    proposed: ['--split "genes=;"', '--split "pheno=|"', '--split tags=json'],
  },
  'dates with the name of the month, and milliseconds': {
    file: '{"id":"a","at":1583650799000,"d":"Jun 12 1998"}\n{"id":"b","at":1603584000000,"d":"May 1 2001"}\n',
    proposed: ['--types at=date', '--types d=date', '--date-format "MMM d yyyy"'],
  },
  'dates that are written at length, and with a time': {
    file: 'a,b,c\n1998/06/12 10:30:00,12 Jun 1998 10:30,12. June 1998\n2001/02/23 23:05:00,23 Feb 2001 23:05,3. May 2001\n',
    proposed: [
      '--date-format "a=yyyy/M/d HH:mm:ss"',
      '--date-format "b=d MMM yyyy HH:mm"',
      '--date-format "c=d. MMM yyyy"',
    ],
  },
  'columns named by signs': {
    file: 'area,#,%\nA1,5,0.2\nA2,7,0.3\n',
    documents: [
      { area: 'A1', number: 5, percent: 0.2 },
      { area: 'A2', number: 7, percent: 0.3 },
    ],
    labels: ['area', '#', '%'],
  },
  'fields named by signs': {
    file: '{"#":5,"%":0.2}\n',
    documents: [{ number: 5, percent: 0.2 }],
    labels: ['#', '%'],
  },
  'Japanese in its own encoding': {
    file: Buffer.from('69642c96bc914f0a312c9363928682b382f10a', 'hex'),
    error: /--encoding shift_jis, in which this place reads "id,名前"/,
  },
  'Greek in its own encoding': {
    file: Buffer.from('69642cfcedefece10a312cc3e9fef1e3eff20a', 'hex'),
    error: /--encoding windows-1253, in which this place reads "id,όνομα"/,
  },
  'Japanese from the first byte on': {
    file: Buffer.from('96bc914f0a9363928682b382f10a', 'hex'),
    error: /--encoding shift_jis, in which this place reads "名前"/,
  },
  'Russian in KOI8-R': {
    file: Buffer.from('c9cdd12cc7cfd2cfc40a', 'hex'),
    error: /--encoding koi8-r, in which this place reads "имя,город"/,
  },
  'Polish in windows-1250': {
    file: Buffer.from('imi\xea,miasto\n\xa3ukasz,\xa3\xf3d\x9f\n', 'latin1'),
    error: /--encoding windows-1250, in which this place reads "imię,miasto", or --encoding windows-1252/,
  },
  'French of a Macintosh': {
    file: Buffer.from('nom,ville\nAndr\x8e,Orl\x8eans\n', 'latin1'),
    error: /--encoding macintosh, in which this place reads "André,Orléans", or --encoding windows-1252/,
  },
  'German in Latin-1': {
    file: Buffer.from('gr\xf6\xdfe;stra\xdfe\n\xf6l;\xbdl, \xc4hre, \xa75, 7\xb0C\n', 'latin1'),
    error: /--encoding windows-1252, in which this place reads "größe;straße"$/,
  },
  'a comment above the header, and one among the rows': {
    file: '# c\nid,name\n1,english\n# c\n2,x\n',
    documents: [{ id: '1', name: 'english' }, { id: '2', name: 'x' }, { id: '# c' }],
  },
  'lines of several values, not equally many, below a title': {
    file: 'clean this data!\nid,neighbor,name\n1,Ireland,Britain,67\n2,,Italy\n5\n',
    error:
      /^the first line has one cell \(clean this data!\), but most below seem to hold several, separated by , \(line 2: id,neighbor,name; .*load with --header-row 2 if that line has the names, or with --header-row 1 if it is one column$/,
  },
  'a column of texts, few of which have commas': {
    file: 'note\nred, round, big\ngreen thing\nblue\nyellow, x\n',
    types: { note: 'keyword' },
  },
  'a data package': {
    file: '{"name": "p",\n"resources": [{"path": "people.csv", "schema": {"fields": []}}]}\n',
    error: /the file is a data package, which describes tables: load people\.csv \(--records '' loads/,
  },
  'a data package on one line': {
    file: '{"resources":[{"path":"people.csv","schema":{"fields":[]}}]}\n',
    error: /load people\.csv/,
  },
  'resources of another kind': {
    file: '{"resources": [{"id": "a", "path": "x"}, {"id": "b", "path": "y"}]}\n',
    documents: [
      { id: 'a', path: 'x' },
      { id: 'b', path: 'y' },
    ],
  },
  'a BIDS sidecar': {
    file: '{"age": {"Units": "year"},\n"sex": {"Levels": {"M": "male"}}}\n',
    error: /the file is a BIDS sidecar, which describes the columns of a table: load the \.tsv file/,
  },
  'Dataset-JSON': {
    file: '{"datasetJSONVersion":"1.1.0","columns":[{"name":"A"},{"name":"B"}],"rows":[["x",1],["y",null]]}\n',
    documents: [
      { A: 'x', B: 1 },
      { A: 'y', B: null },
    ],
  },
  'Dataset-JSON 1.0': {
    file: '{"clinicalData":{"itemGroupData":{"IG.DM":{"itemData":[[1,"x"]]}}}}\n',
    error: /in Dataset-JSON 1\.0 the rows have no names: convert it to version 1\.1/,
  },
  'a sign alone in Latin-1': {
    file: Buffer.from('id,name\n1,english\n2,\xa9\n', 'latin1'),
    error: /--encoding windows-1252, in which this place reads "2,©"$/,
  },
  'rows without their empty ends': {
    file: 'id,a,b,c\n1,x,y,z\n2,x\n3,x,y\n4,p,q,r\n',
    documents: [
      { id: 1, a: 'x', b: 'y', c: 'z' },
      { id: 2, a: 'x' },
      { id: 3, a: 'x', b: 'y' },
      { id: 4, a: 'p', b: 'q', c: 'r' },
    ],
  },
  'no header': { file: '1,Ann,30\n2,Bob,41\n3,Eve,22\n', error: /looks like a record, not like a header/ },
  'columns in the order of the header': {
    file: 'a,b,c,d\n1,,3,4\n2,5,6,7\n',
    labels: ['a', 'b', 'c', 'd'],
    types: { a: 'long', b: 'long', c: 'long', d: 'long' },
  },
  'a word that begins with dashes': { file: 'id,v\n1,--\n2,3.5\n3,4.5\n', proposed: ['--null=--'] },
  'Latin-1 in NDJSON': {
    file: Buffer.from('{"id":"1","name":"José"}\n{"id":"2","name":"ok"}\n', 'latin1'),
    error: /not UTF-8.*--encoding.*José/s,
  },
  'names that occur again': {
    file: 'id,age,,age,sex,sex,\n1,30,x,31,F,F,\n2,40,y,41,M,M,\n',
    documents: [
      { id: 1, age: 30, column_3: 'x', age_2: 31, sex: 'F', sex_2: 'F' },
      { id: 2, age: 40, column_3: 'y', age_2: 41, sex: 'M', sex_2: 'M' },
    ],
  },
  'a Parquet column of whole doubles': {
    file: Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'd', data: [1, 2], type: 'DOUBLE' }] })),
    types: { d: 'double' },
  },
};

for (const [
  what,
  { file, documents, labels, types, proposed, options = {}, error, rejects = [] },
] of Object.entries(cases))
  test(`${what}: ${error === undefined ? 'the dry run and the load are right' : 'a question'}`, async (t) => {
    const format: ImportFormat = detectFormat(Buffer.from(file).subarray(0, 65_536));
    const loading = load(file, { format, reading: readingOptions(options) });
    if (error !== undefined) {
      await t.throwsAsync(loading, { message: error });
      return;
    }
    const found = await loading;
    t.deepEqual(
      found.rejects.map(({ line, reason }) => [line, reason]),
      rejects,
    );
    if (documents !== undefined) t.deepEqual(Object.values(found.documents), documents);
    if (labels !== undefined)
      t.deepEqual(
        found.report.header.filter(({ isNamed }) => isNamed).map(({ label }) => label),
        labels,
      );
    if (types !== undefined) t.like(found.types, types);
    if (proposed === undefined) return;
    const { evidence, properties, columns } = found.trial.plan;
    const offered = summarizeFields(evidence, properties, columns).flatMap(
      ({ proposal }) => proposal?.options ?? [],
    );
    t.deepEqual(offered.map(optionText), proposed);
  });
