import test from 'ava';
import { newEvidence } from '../../../../src/indexing/file-import/inference/field-evidence.ts';

const words = [
  ...['n/a', 'na', 'n.a.', '#n/a', '#nv', 'null', 'none', 'nil', 'nan', 'undefined', '(blank)', 'empty'],
  ...['\\n', 'unknown', 'not known', 'not available', 'not applicable', 'not recorded', 'missing', 'tbd'],
  ...['no date', 'n.d.', 'n. d.', 'undated', '-', '--', '---', '–', '—', '?', '??', 'Unbekannt', 'unbek.'],
  ...['k.a.', 'k. a.', 'keine Angabe', 'ohne Angabe', 'o.a.', 'o. a.', 'leer', '(leer)', 'o.j.', 'o. j.'],
  ...['o.d.', 'o. d.', 'ohne Datum', 'undatiert', 'inconnu', 'inconnue', 'non renseigné', 'vide', '(vide)'],
  ...['s.d.', 's. d.', 'sans date'],
];

test('words for missing values in three languages are recognized, in any case', (t) => {
  const evidence = newEvidence();
  words.forEach((word, line) => evidence.add({ field: word }, line));
  evidence.add({ field: 'nothing' }, words.length);
  t.deepEqual([...evidence.fields.get('field')!.emptyWords], words);
});
