import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { temporaryFolder } from '../temporary-configs.ts';
import { loadIn } from './load-in.ts';

/** A form of public files: small files of that form, loaded as a user would, with what the load says. */
interface Form {
  /** What docs/loading.md calls the form. */
  readonly row: string;
  readonly file: string | Buffer;
  readonly options?: readonly string[];
  readonly says: readonly RegExp[];
}

const tsv = (...rows: readonly string[]): string =>
  `${rows.map((row) => row.replaceAll(' | ', '\t')).join('\n')}\n`;
const json = (value: unknown): string => JSON.stringify(value, null, 1);

const vcf = tsv(
  '##fileformat=VCFv4.2',
  '##INFO=<ID=DP,Number=1,Description="Depth, total">',
  '#CHROM | POS | ID | INFO | S1',
  '20 | 14370 | rs1 | NS=3;DP=14 | 0|0:48',
  '20 | 17330 | . | NS=3;DP=11 | 0|0:49',
  'X | 17331 | . | NS=3;DP=11 | 0|1:49',
);
const gtf = tsv(
  '#!genome-build GRCh38',
  '#!genome-version GRCh38',
  '1 | havana | gene | 11869 | 14409 | gene_id "ENSG1"; gene_name "A";',
  '1 | havana | transcript | 11869 | 14409 | gene_id "ENSG1";',
);
const bed = tsv(
  'chr1 | 1000 | 5000 | a | 960 | +',
  'chr1 | 2000 | 6000 | b | 900 | -',
  'chr2 | 2000 | 6000 | c | 900 | -',
);
const gdc = tsv('case_id | age | gender', 'u1 | 61 | female', "u2 | '-- | male", "u3 | 44 | '--");
const omop = 'person_id,year_of_birth,birth_datetime\n1,1980,19800102\n2,1975,19750203\n';
const packet = json({ id: 'P1', phenotypicFeatures: [{ type: { id: 'HP:1' } }, { type: { id: 'HP:2' } }] });
const beacon = json({
  meta: { beaconId: 'x' },
  response: { resultSets: [{ id: 'ds', results: [{ id: 'i1' }, { id: 'i2' }] }] },
});
const sparql = json({
  head: { vars: ['s'] },
  results: { bindings: [{ s: { value: 'a' } }, { s: { value: 'b' } }] },
});
const german = Buffer.from('Nr;Größe;Datum\r\n1;1,5;31.12.2020\r\n2;2,25;01.02.2021\r\n', 'latin1');
const survey =
  'StartDate,Finished,Q1\nStart Date,Finished,How old are you?\n2020-01-01,1,33\n2020-01-02,0,44\n2020-01-03,1,55\n';
const eurostat = tsv(
  'freq,geo\\TIME_PERIOD | 2019  | 2020 ',
  'A,AT | 1.5  | 2 ',
  'A,BE | :  | 2.5 ',
  'A,DE | 3.5  | 4 ',
);
const qualtrics =
  'Recorded,Q1\nEnd,How old are you?\n"{""ImportId"":""end""}","{""ImportId"":""QID1""}"\n2020-01-01 10:00:00,33\n2020-01-02 11:00:00,44\n';
const redcap = 'record_id,age,consent___1\n1,33,1\n2,,0\n';

const forms: readonly Form[] = [
  {
    row: 'cBioPortal or GDC mutations',
    file: tsv('#version 2.4', 'Hugo_Symbol | Chromosome', 'TP53 | 17', 'KRAS | 12'),
    says: [/1 comment line above the header is not loaded/],
  },
  {
    row: 'cBioPortal meta files',
    file: 'cancer_study_identifier: brca\ndatatype: PATIENT_ATTRIBUTES\ndata_filename: data_clinical_patient.txt\n',
    says: [/has no records: load data_clinical_patient\.txt/],
  },
  {
    row: 'GDC API',
    file: json({ data: { hits: [{ id: 'a' }, { id: 'b' }], pagination: { count: 2 } }, warnings: {} }),
    says: [/the records are those in data\.hits/],
  },
  { row: 'GDC or TCGA clinical TSV', file: gdc, says: [/age +keyword/] },
  { row: 'GDC or TCGA clinical TSV', file: gdc, options: ['--null', "'--"], says: [/age +long/] },
  {
    row: 'VCF',
    file: vcf,
    says: [
      /\n +CHROM /,
      /^(?![^]*--id-field ID)/,
      /proposed: --split "INFO=;"/,
      /^(?![^]*--split "S1)/,
      /the last of 3 comment lines/,
    ],
  },
  { row: 'VCF', file: vcf, options: ['--split', 'INFO=;'], says: [/\n +INFO +keyword +NS=3 /] },
  { row: 'GTF, GFF', file: gtf, says: [/looks like a record[^]*--no-header/] },
  {
    row: 'GTF, GFF',
    file: gtf,
    options: ['--no-header', '--quote', 'none'],
    says: [/column_6 +keyword +gene_id "ENSG1"; gene_name/],
  },
  { row: 'BED', file: bed, says: [/looks like a record[^]*--no-header/] },
  { row: 'BED', file: bed, options: ['--no-header'], says: [/column_2 +long/, /3 documents|loaded 3/] },
  {
    row: 'BED',
    file: `track name=x description="y z"\n${bed}`,
    says: [/the first line has one cell[^]*--skip 1 --no-header/],
  },
  {
    row: 'BED',
    file: `track name=x description="y z"\n${bed}`,
    options: ['--skip', '1', '--no-header'],
    says: [/column_2 +long/],
  },
  {
    row: 'ClinVar',
    file: tsv('#AlleleID | Type', '15041 | Indel', '15042 | Deletion'),
    options: ['--id-field', '#AlleleID'],
    says: [/#AlleleID +long/],
  },
  {
    row: 'HPO',
    file: tsv(
      '#description: "x"',
      '#version: 2024',
      'database_id | hpo_id',
      'OMIM:1 | HP:1',
      'OMIM:1 | HP:2',
    ),
    says: [/2 comment lines above the header are not loaded/],
  },
  {
    row: 'HGNC, UniProt TSV',
    file: tsv('hgnc_id | alias_symbol', 'HGNC:5 | "A|B"', 'HGNC:6 | F|A|B', 'HGNC:7 | C|A|B'),
    says: [/proposed: --split "alias_symbol=\|"/],
  },
  { row: 'OMOP CSV', file: omop, says: [/proposed: --types birth_datetime=date --date-format yyyyMMdd/] },
  {
    row: 'OMOP CSV',
    file: omop,
    options: ['--types', 'birth_datetime=date', '--date-format', 'yyyyMMdd'],
    says: [/birth_datetime +date +1980-01-02/],
  },
  {
    row: 'FHIR bulk export',
    file: '{"resourceType":"Patient","id":"p1"}\n{"resourceType":"Patient","id":"p2"}\n',
    says: [/resourceType +keyword/, /^(?![^]*id-field)/],
  },
  {
    row: 'FHIR bundle',
    file: json({
      resourceType: 'Bundle',
      id: 'x',
      entry: [{ resource: { id: 'p1' } }, { resource: { id: 'p2' } }],
    }),
    says: [/the records are those in entry\.resource/],
  },
  {
    row: 'phenopackets, features as records',
    file: packet,
    options: ['--records', 'phenotypicFeatures'],
    says: [/type\.id +keyword/],
  },
  {
    row: 'Beacon v2 result sets',
    file: beacon,
    options: ['--records', 'response.resultSets.results'],
    says: [/loaded 2|2 documents/],
  },
  {
    row: 'SONG and Lyric exports',
    file: json([
      { analysisId: 'a1', samples: [{ id: 'x' }] },
      { analysisId: 'a2', samples: [] },
    ]),
    says: [/proposed: --id-field analysisId/],
  },
  {
    row: 'GBIF or Darwin Core',
    file: tsv('gbifID | scientificName | locality', '1 | Parus "major" L. | 12" above', '2 | Pica | x'),
    says: [/quotes are read as text/, /Parus "major" L\./],
  },
  {
    row: 'Socrata JSON',
    file: '[{"case_number":"A1","date":"2020-01-01T00:00:00.000"}\n,{"case_number":"A2","date":"2020-01-02T00:00:00.000"}]',
    says: [/date +date/],
  },
  {
    row: 'CKAN datastore',
    file: json({
      success: true,
      result: {
        fields: [{ id: '_id' }],
        records: [
          { _id: 1, name: 'a' },
          { _id: 2, name: 'b' },
        ],
      },
    }),
    says: [/the records are those in result\.records/],
  },
  {
    row: 'OData',
    file: json({ '@odata.context': 'x', value: [{ ID: 1 }, { ID: 2 }] }),
    says: [/the records are those in value/],
  },
  { row: 'SPARQL results as JSON', file: sparql, says: [/loaded 1 |1 document /] },
  {
    row: 'SPARQL results as JSON',
    file: sparql,
    options: ['--records', 'results.bindings'],
    says: [/s\.value +keyword/],
  },
  {
    row: 'GeoJSON',
    file: json({
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', id: 'f1', properties: { name: 'a' } },
        { type: 'Feature', id: 'f2', properties: { name: 'b' } },
      ],
    }),
    says: [/the records are those in features/],
  },
  {
    row: "search server's answer",
    file: json({
      took: 1,
      hits: {
        hits: [
          { _id: '1', _source: { a: 1 } },
          { _id: '2', _source: { a: 2 } },
        ],
      },
    }),
    says: [/the records are those in hits\.hits\._source/, /^(?![^]*no id or _id)/],
  },
  {
    row: 'Elasticsearch bulk file',
    file: '{"index":{"_index":"x","_id":"1"}}\n{"a":1}\n{"create":{"_id":"2"}}\n{"a":2}\n',
    says: [/^(?![^]*no id or _id)/],
  },
  {
    row: 'Solr',
    file: json({ responseHeader: {}, response: { docs: [{ id: '1' }, { id: '2' }] } }),
    says: [/the records are those in response\.docs/],
  },
  {
    row: '`mongoexport`',
    file: '{"_id":{"$oid":"5f"},"n":1}\n{"_id":{"$oid":"60"},"n":2}\n',
    says: [/^(?![^]*no id or _id)/, /\n +n +long/],
  },
  {
    row: 'MoMA, Met, Tate CSV',
    file: '\uFEFFTitle,ObjectID\r\n"Brücke\r\nVienna",2\r\n"City ""of"" Music",3\r\n',
    says: [/Brücke Vienna/, /loaded 2|2 documents/],
  },
  { row: 'German Excel CSV', file: german, says: [/the text is not UTF-8[^]*Größe/] },
  {
    row: 'German Excel CSV',
    file: german,
    options: ['--encoding', 'windows-1252', '--decimal', ',', '--date-format', 'dd.MM.yyyy'],
    says: [/Größe +double +1\.5/, /Datum +date +2020-12-31/],
  },
  {
    row: 'Excel "Unicode text"',
    file: Buffer.from('\uFEFFid\tname\r\n1\tÄ\r\n2\tB\r\n', 'utf16le'),
    says: [/name +keyword +Ä/],
  },
  { row: 'Google Sheets CSV and TSV', file: 'id,name\r\n1,"a, b"\r\n2,c\r\n', says: [/name +keyword +a, b/] },
  { row: 'REDCap export', file: redcap, says: [/consent___1 +long/] },
  {
    row: 'REDCap export',
    file: redcap,
    options: ['--types', 'consent___1=boolean'],
    says: [/consent___1 +boolean +true/],
  },
  { row: 'LimeSurvey, Qualtrics', file: survey, says: [/proposed: --header-row 1-2/] },
  { row: 'LimeSurvey, Qualtrics', file: qualtrics, says: [/proposed: --header-row 1-3/] },
  {
    row: 'LimeSurvey, Qualtrics',
    file: qualtrics,
    options: ['--header-row', '1-3'],
    says: [/Q1 How old are you\? +long/, /Recorded End +keyword/],
  },
  {
    row: 'LimeSurvey, Qualtrics',
    file: survey,
    options: ['--header-row', '1-2'],
    says: [/Q1 How old are you\? +long/, /StartDate Start Date +date/],
  },
  {
    row: 'Eurostat TSV and CSV',
    file: eurostat,
    says: [/freq,geo\\TIME_PERIOD +keyword +A,AT/, /proposed: --null ::? *2019 would be a number/],
  },
  {
    row: 'SAS `proc export`',
    file: 'SUBJID,VISIT,AT,AGE\n001,15MAR2019,01JAN2020:10:30:00,34\n002,02APR2019,02FEB2020:00:00:00,.\n',
    says: [
      /proposed: --date-format VISIT=ddMMMyyyy: VISIT would be a date/,
      /--date-format AT=ddMMMyyyy:HH:mm:ss: AT/,
      /--null \./,
    ],
  },
  { row: 'R `write.csv`', file: '"","age","sex"\n"1",5.1,"F"\n"2",4.9,"M"\n', says: [/column_1 +long/] },
  {
    row: 'R `write.table`',
    file: '"age" "sex"\n"1" 5.1 "F"\n"2" 4.9 "M"\n',
    says: [/column_1 +long/, /age +double/],
  },
  { row: 'pandas `to_csv`', file: ',id,name\n0,a,x\n1,b,y\n', says: [/column_1 +long/] },
  {
    row: 'BigQuery export',
    file: gzipSync('{"id":"1","n":"9007199254740993"}\n{"id":"2","n":"5"}\n'),
    says: [/n +keyword +9007199254740993/],
  },
];

const rows = readFileSync('docs/loading.md', 'utf8').split('## Forms of public files')[1]!.split('\n## ')[0]!;

for (const [at, { row, file, options = [], says }] of forms.entries())
  test.serial(`${String(at)}: ${row} ${options.join(' ')}`, async (t) => {
    t.true(rows.includes(row), 'the form is in docs/loading.md');
    const command = ['file', '--catalogue', 'c', ...options];
    const folder = temporaryFolder({ file });
    const trial = await loadIn(folder, [...command, '--dry-run']);
    const load = await loadIn(folder, command);
    t.is(trial.code, load.code);
    for (const one of says) {
      t.regex(trial.output, one);
      t.regex(load.output, one);
    }
  });
