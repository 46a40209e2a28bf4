import { writeFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { Hierarchy } from '../../../src/introspection/hierarchies/hierarchy.ts';
import { openHierarchy } from '../../../src/introspection/hierarchies/open-hierarchies.ts';
import fc from '../../fast-check.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

const obo = `format-version: 1.4
data-version: hp/releases/2026-01-01
ontology: hp ! a comment

[Term]
id: HP:0000118 ! the root of what is found
name: Phenotypic abnormality

[Term]
id: HP:0001250
name: Seizure
alt_id: HP:0002279
alt_id: HP:0000002
synonym: "Epileptic \\"fit\\"" EXACT layperson [ORCID:1]
synonym: "Épilepsie" RELATED []
is_a: HP:0000118 ! Phenotypic abnormality
relationship: part_of HP:0000707 ! Nervous system
relationship: has_part HP:9999999 ! elsewhere

[Term]
id: HP:0000707
name: Abnormality of the nervous system {source="x"}
is_a: HP:0000118 {source="y"} ! Phenotypic abnormality

[Term]
id: HP:0000002
name: obsolete Something
is_obsolete: true
replaced_by: HP:0001250
replaced_by: HP:0000118

[Typedef]
id: part_of
name: part of
is_a: HP:0000118
`;

const csv = `code,parent,label,synonyms,obsolete,replaced_by,part_of
HP:0000118,,Phenotypic abnormality,,,,
HP:0001250,HP:0000118,Seizure,"Epileptic ""fit""|Épilepsie",,,HP:0000707
HP:0000707,HP:0000118,Abnormality of the nervous system,,,,
HP:0000002,,obsolete Something,,true,HP:0001250,
HP:0002279,,,,true,HP:0001250,
`;

const fhir = {
  resourceType: 'CodeSystem',
  version: '2026',
  content: 'complete',
  concept: [
    {
      code: 'HP:0000118',
      display: 'Phenotypic abnormality',
      concept: [
        {
          code: 'HP:0001250',
          display: 'Seizure',
          designation: [{ value: 'Epileptic "fit"' }, { value: 'Épilepsie', language: 'fr' }],
          property: [{ code: 'partOf', valueCode: 'HP:0000707' }],
        },
      ],
    },
    {
      code: 'HP:0000707',
      display: 'Abnormality of the nervous system',
      property: [{ code: 'parent', valueCode: 'HP:0000118' }],
    },
    {
      code: 'HP:0000002',
      display: 'obsolete Something',
      property: [
        { code: 'status', valueCode: 'retired' },
        { code: 'replacedBy', valueCode: 'HP:0001250' },
      ],
    },
    {
      code: 'HP:0002279',
      property: [
        { code: 'inactive', valueBoolean: true },
        { code: 'replaced-by', valueCode: 'HP:0001250' },
      ],
    },
  ],
};

const open = (
  t: ExecutionContext,
  file: string,
  content: string | Buffer,
  relations: readonly string[] = [],
): Promise<Hierarchy> => {
  const folder = temporaryFolder(t, {});
  writeFileSync(join(folder, file), content);
  return openHierarchy({ name: 'hp', path: join(folder, file), file, relations });
};

const messageOf = async (opened: Promise<Hierarchy>): Promise<string> =>
  opened.then(
    () => 'no error',
    (error: unknown) => (error instanceof TributaryError ? error.message : String(error)),
  );

/** Everything that is known of the terms, by id. */
const contentOf = (hierarchy: Hierarchy) =>
  Object.fromEntries(
    Array.from({ length: hierarchy.size }, (_, term) => [
      hierarchy.id(term),
      {
        label: hierarchy.label(term),
        synonyms: hierarchy.synonyms(term),
        parents: hierarchy.ids(hierarchy.parents(term)),
        obsolete: hierarchy.isObsolete(term),
        replacedBy: hierarchy.replacedBy(term),
      },
    ]),
  );

for (const relations of [[], ['part_of']])
  test(`the three formats say the same with relations ${relations.join()}`, async (t) => {
    const fromObo = await open(t, 'hp.obo', obo, relations);
    const fromCsv = await open(t, 'hp.csv', csv, relations);
    const fromJson = await open(t, 'hp.json', JSON.stringify(fhir), relations);
    t.is(fromObo.version, 'hp/releases/2026-01-01');
    t.is(fromJson.version, '2026');
    t.is(fromCsv.version, null);
    t.deepEqual(contentOf(fromCsv), contentOf(fromObo));
    t.deepEqual(contentOf(fromJson), contentOf(fromObo));
    t.is(fromCsv.fingerprint, fromObo.fingerprint);
    t.is(fromJson.fingerprint, fromObo.fingerprint);
    const seizure = fromObo.indexOf('HP:0001250')!;
    t.deepEqual(
      fromObo.ids(fromObo.parents(seizure)),
      relations.length === 0 ? ['HP:0000118'] : ['HP:0000118', 'HP:0000707'],
    );
    t.deepEqual(fromObo.synonyms(seizure), ['Epileptic "fit"', 'Épilepsie']);
    t.is(fromObo.replacedBy(fromObo.indexOf('HP:0002279')!), seizure);
  });

test('packed files, byte order marks, line ends and wrong extensions make no difference', async (t) => {
  const { fingerprint } = await open(t, 'hp.obo', obo);
  const files: readonly (readonly [string, string | Buffer])[] = [
    ['hp.obo.gz', gzipSync(obo)],
    ['hp.csv', obo],
    ['terms', JSON.stringify(fhir)],
    ['hp.csv', `\uFEFF${csv.replaceAll('\n', '\r\n')}`],
    ['hp.csv', csv.replaceAll('\n', '\r')],
    ['hp.csv', csv.trimEnd()],
    ['hp.csv', gzipSync(csv)],
    ['hp.txt', csv.replaceAll(/,(?=[^"]*(?:"[^"]*"[^"]*)*$)/gm, ';')],
    ['hp.tsv', csv.replaceAll(',', '\t')],
    ['hp.csv', csv.replace('code,parent,label', 'ID,is_a,Name')],
  ];
  for (const [file, content] of files) {
    const hierarchy = await open(t, file, content);
    t.is(hierarchy.fingerprint, fingerprint, `${file} ${content.toString().slice(0, 40)}`);
    t.is(hierarchy.label(hierarchy.indexOf('HP:0001250')!), 'Seizure', file);
  }
});

test('a term with several parents has several lines, wherever they stand', async (t) => {
  const hierarchy = await open(t, 'a.csv', 'code,parent,label\nx,a,X\na,,A\nb,,B\nx,b,X\n');
  t.deepEqual(hierarchy.ids(hierarchy.parents(hierarchy.indexOf('x')!)), ['a', 'b']);
});

test('each line of such a term may say again what it is part of', async (t) => {
  const table = 'code,parent,part_of\na,,\nb,,\nc,,\nx,a,c\nx,b,c\n';
  const hierarchy = await open(t, 'a.csv', table, ['part_of']);
  t.deepEqual(hierarchy.ids(hierarchy.parents(hierarchy.indexOf('x')!)), ['a', 'b', 'c']);
  t.regex(
    await messageOf(open(t, 'a.csv', `${table}x,b,c\n`, ['part_of'])),
    /^a\.csv line 7: "x" is there twice, first in line 5/,
  );
});

test('quoted cells may hold separators, quotes and line breaks', async (t) => {
  const hierarchy = await open(t, 'a.csv', 'code,parent,label\na,,"One, ""two""\nthree"\nb, "a" ,4" nail\n');
  t.is(hierarchy.label(hierarchy.indexOf('a')!), 'One, "two" three');
  t.is(hierarchy.label(hierarchy.indexOf('b')!), '4" nail');
});

test('cells lose the spaces around them, of any kind, and quotes between tabs are text', async (t) => {
  const spaced = await open(
    t,
    'a.csv',
    'code , parent,label,synonyms\n\u00A0a\u3000,,\u2003é é \t, x | y|| \n \n',
  );
  t.deepEqual([spaced.label(0), spaced.synonyms(0)], ['é é', ['x', 'y']]);
  const tabbed = await open(
    t,
    'a.tsv',
    '# by hand\ncode\tparent\tlabel\na\t\t"An open quote\n"b"\t"a"\t"He said ""hm"""\r\n',
  );
  t.deepEqual(
    ['a', 'b'].map((id) => tabbed.label(tabbed.indexOf(id)!)),
    ['"An open quote', 'He said "hm"'],
  );
});

/** A CodeSystem with each of these concepts in a line of its own, from the second. */
const codeSystem = (...concepts: readonly string[]): string =>
  `{"resourceType": "CodeSystem", "concept": [\n${concepts.join('\n')}]}`;

const refused: readonly (readonly [file: string, content: string | Buffer, message: RegExp])[] = [
  ['a.csv', 'name,value\n1,2\n', /^a\.csv line 1: a header with the columns code and parent expected$/],
  ['a.csv', 'code,parent\na,b\n', /^a\.csv line 2: "a" stands under "b", which is not in the file$/],
  ['a.csv', 'code,parent\na,\nb,a\nb,a\n', /^a\.csv line 4: "b" is there twice, first in line 3/],
  ['a.csv', 'code,parent\na,\na,\n', /^a\.csv line 3: "a" is there twice, first in line 2/],
  [
    'a.csv',
    'code,parent,label\na,,A\nb,,B\nx,a,X\nx,b,Y\n',
    /^a\.csv line 5: "x" has another label, first in line 4$/,
  ],
  ['a.csv', 'code,parent\na,b\nb,a\n', /^a\.csv line \d: "." stands under itself: "." under "." under "."$/],
  [
    'a.csv',
    'code,parent,label\nb,,B\nx,b,X ray\nx,a,X\n',
    /^a\.csv line 4: "x" has another label, first in line 3$/,
  ],
  ['a.csv', 'code,parent,label\n,a,X\n', /^a\.csv line 2: "" is not an id: it is empty$/],
  ['a.csv', 'code,parent,label\na,,"X\n', /^a\.csv line 2: a quote is not closed$/],
  ['a.csv', 'code,parent,label\na,,"X\nY"\n\na,,\n', /^a\.csv line 5: "a" is there twice, first in line 2/],
  ['a.csv', `code,parent,label\na,,"X${'\n'.repeat(20)}"`, /^a\.csv line 2: a quote is not closed/],
  ['a.csv', Buffer.from('code,parent,label\na,,\xe9\n', 'latin1'), /^a\.csv is not UTF-8: convert it$/],
  [
    'a.obo',
    `${obo}\n[Term]\nid: HP:0001250\n`,
    /^a\.obo line \d+: "HP:0001250" is there twice, first in line 10$/,
  ],
  [
    'a.obo',
    '[Term]\nid: a\nis_a: b ! B\n',
    /^a\.obo line 2: "a" stands under "b", which is not in the file$/,
  ],
  [
    'a.json',
    '{"resourceType": "ValueSet"}',
    /^a\.json is not a FHIR CodeSystem with its concepts: resourceType: /,
  ],
  ['a.json', '{"resourceType": "CodeSystem"', /^a\.json is not JSON$/],
  [
    'a.json',
    codeSystem('{"code": "a.1"},', '{"code":"ab1"},', '{"code" : "a.1"}'),
    /^a\.json line 4: "a\.1" is there twice, first in line 2$/,
  ],
  [
    'a.json',
    codeSystem('{"code": "a"},', '{"code": "b", "property": [{"code": "parent", "valueCode": "c"}]}'),
    /^a\.json line 3: "b" stands under "c", which is not in the file$/,
  ],
  [
    'a.json',
    '{"resourceType": "CodeSystem", "hierarchyMeaning": "part-of", "concept": []}',
    /^a\.json nests concepts in what they are part of: list "part_of" under relations$/,
  ],
  ['a.csv.gz', gzipSync(csv).subarray(0, 60), /^a\.csv\.gz cannot be read: it is a damaged gzip file$/],
];

for (const [file, content, message] of refused)
  test(`refused: ${message.source}`, async (t) => {
    t.regex(await messageOf(open(t, file, content)), message);
  });

test('a missing file is refused', async (t) => {
  const path = join(temporaryFolder(t, {}), 'gone.obo');
  t.is(
    await messageOf(openHierarchy({ name: 'hp', path, file: 'gone.obo', relations: [] })),
    'gone.obo cannot be read: there is no such file or folder',
  );
});

test('a file is read again only when it has changed', async (t) => {
  const path = join(temporaryFolder(t, {}), 'a.csv');
  const source = { name: 'a', path, file: 'a.csv', relations: [] };
  writeFileSync(path, 'code,parent\na,\n');
  const first = await openHierarchy(source);
  t.is(await openHierarchy(source), first);
  writeFileSync(path, 'code,parent\nb,\n');
  utimesSync(path, 1, 1);
  const second = await openHierarchy(source);
  t.is(second.indexOf('a'), undefined);
  t.is(second.id(0), 'b');
});

test('a large file is read by a thread, with the same content', async (t) => {
  const rows = Array.from(
    { length: 6_000 },
    (_, at) => `T${at},${at === 0 ? '' : `T${(at - 1) >> 2}`},Term number ${at}`,
  );
  const content = `code,parent,label\n${rows.join('\n')}\n`;
  const apart = await open(t, 'large.csv', content);
  t.is(apart.size, 6_000);
  t.is(apart.label(apart.indexOf('T5999')!), 'Term number 5999');
  t.deepEqual(apart.ids(apart.descendants(apart.indexOf('T1499')!)), ['T1499', 'T5997', 'T5998', 'T5999']);
  t.is(
    await messageOf(open(t, 'large.csv', `${content}T1,T0,Other\n`)),
    'large.csv line 6002: "T1" has another label, first in line 3',
  );
});

test('tables made of any texts keep them', async (t) => {
  const cell = fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .map((text) => text.replaceAll(/[|\r\n]/g, '').trim());
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 12 }), async (texts) => {
      const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
      const rows = texts.map(
        ([label, synonym], at) => `t${at},${at === 0 ? '' : 't0'},${quoted(label)},${quoted(synonym)}`,
      );
      const hierarchy = await open(t, 'a.csv', `code,parent,label,synonyms\n${rows.join('\n')}\n`);
      texts.forEach(([label, synonym], at) => {
        const term = hierarchy.indexOf(`t${at}`)!;
        t.is(hierarchy.label(term), label || `t${at}`);
        t.deepEqual(hierarchy.synonyms(term), synonym === '' ? [] : [synonym]);
        if (label !== '') t.true(hierarchy.search(label, 100).includes(term), label);
      });
    }),
  );
});
