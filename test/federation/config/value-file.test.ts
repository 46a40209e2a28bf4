import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { readValueFile } from '../../../src/server/node/named-files.ts';

const read = (text: string) => readValueFile(Buffer.from(text), 'oslo.sssom.tsv');

const sssom = `#curie_map:
#  ICD10: http://example.org/icd10/
#mapping_set_id: https://example.org/oslo
subject_id\tsubject_label\tpredicate_modifier\tpredicate_id\tobject_id\tmapping_justification
G40\tEpilepsy\t\tskos:exactMatch\tHP:0001250\tsemapv:ManualMappingCuration
G40.1\t\t\tskos:broadMatch\tHP:0001250\tsemapv:ManualMappingCuration
G40.1\t\t\tskos:exactMatch\tHP:0007359\tsemapv:ManualMappingCuration
G41\t\tNot\tskos:exactMatch\tHP:0002133\tsemapv:ManualMappingCuration
R56\t\tNot\tskos:narrowMatch\tHP:0002373\tsemapv:ManualMappingCuration
R57\t\t\tskos:relatedMatch\tHP:0002373\tsemapv:ManualMappingCuration
`;

test('exact and broad matches translate, negated rows say nothing', (t) => {
  t.deepEqual(Object.fromEntries(read(sssom)), { G40: 'HP:0001250', 'G40.1': 'HP:0007359' });
});

test('two columns, with a header or without', (t) => {
  const expected = [
    ['G40', 'HP:0001250'],
    ['a, b', 'HP:0002133'],
  ];
  t.deepEqual([...read('G40,HP:0001250\n"a, b",HP:0002133\n')], expected);
  t.deepEqual([...read('node,network\nG40,HP:0001250\n"a, b",HP:0002133\n')], expected);
  t.deepEqual([...read('G40\tHP:0001250\na, b\tHP:0002133\n')], expected);
});

for (const [text, message] of [
  [
    'a,b,c\n1,2,3\n',
    /^oslo\.sssom\.tsv line 1: the columns subject_id, predicate_id and object_id of SSSOM expected, or two columns/,
  ],
  ['a,b\nc,d\na,e\n', /^oslo\.sssom\.tsv line 3: "a" is translated to "e" and to "b": keep one$/],
  ['', /^oslo\.sssom\.tsv has no mappings$/],
] as const)
  test(`refused: ${message.source}`, (t) => {
    t.throws(() => read(text), { instanceOf: TributaryError, message });
  });

for (const prefix of ['skos:', 'http://www.w3.org/2004/02/skos/core#'])
  test(`a narrow match is refused with its line, whatever else maps the value: ${prefix}narrowMatch`, (t) => {
    const lines = `G40\tskos:exactMatch\tHP:0001250\nG40\t${prefix}narrowMatch\tHP:0002373\n`;
    t.throws(() => read(`subject_id\tpredicate_id\tobject_id\n${lines}`), {
      code: 'CONFIG_INVALID',
      message:
        'oslo.sssom.tsv line 3: "G40" skos:narrowMatch "HP:0002373": not every record with "G40" is of a narrower value; use skos:exactMatch or skos:broadMatch, or leave the line out',
    });
  });
