import { join } from 'node:path';
import test from 'ava';
import { readCatalogues } from '../../../../src/server/config/catalogue/catalogues.ts';
import { readEnvironment } from '../../../../src/server/config/environment.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { texts } from '../texts.ts';

const read = (env: Record<string, string>) => readCatalogues(readEnvironment(env).variables);
const ids = (folder: string) =>
  read({ CONFIGS_PATH: folder }).catalogues.map(({ catalogueId }) => catalogueId);

test('files directly in the folder are the one catalogue, named after the folder', (t) => {
  const folder = temporaryFolder(t, { 'prints/base.json': {}, 'prints/deeper/base.json': {} });
  t.deepEqual(ids(join(folder, 'prints')), ['prints']);
});

test('a folder called config or configs gives a generated id, stable across runs', (t) => {
  const folder = temporaryFolder(t, { 'configs/base.json': { documentType: 'print', esIndex: 'prints' } });
  const [id] = ids(join(folder, 'configs'));
  t.regex(id!, /^catalogue-[0-9a-f]{8}$/);
  t.deepEqual(ids(join(folder, 'configs')), [id]);
});

test('one catalogue for each subfolder with JSON files, in alphabetical order', (t) => {
  const folder = temporaryFolder(t, {
    'b/base.json': {},
    'a/base.json': '{',
    'images/x.png': '',
    '.hidden/base.json': {},
    'note.txt': '',
  });
  t.deepEqual(ids(folder), ['a', 'b']);
});

test('a repeated id is made unique, whatever its case, and the first keeps it', (t) => {
  const folder = temporaryFolder(t, {
    'a/base.json': { catalogId: 'Prints' },
    'b/base.json': { catalogId: 'prints' },
  });
  const [first, second] = ids(folder);
  t.is(first, 'Prints');
  t.regex(second!, /^prints-[0-9a-f]{8}$/);
});

test('ES_INDEX and DOCUMENT_TYPE stand in for the only catalogue, base.json first', (t) => {
  const folder = temporaryFolder(t, { 'a/base.json': { documentType: 'print' } });
  const env = { CONFIGS_PATH: folder, ES_INDEX: 'old_index', DOCUMENT_TYPE: 'old' };
  t.like(read(env).catalogues[0], { documentType: 'print', esIndex: 'old_index' });
});

test('with several catalogues ES_INDEX and DOCUMENT_TYPE are ignored with a warning', (t) => {
  const folder = temporaryFolder(t, { 'a/base.json': {}, 'b/base.json': {} });
  const { catalogues, warnings } = read({ CONFIGS_PATH: folder, ES_INDEX: 'old_index' });
  t.deepEqual(
    catalogues.map(({ esIndex }) => esIndex),
    [null, null],
  );
  t.deepEqual(texts(warnings), ['ES_INDEX is ignored with several catalogues: write it into each base.json']);
});

test('a folder that does not exist holds none', (t) => {
  t.deepEqual(read({ CONFIGS_PATH: '/nowhere/at/all' }), { catalogues: [], warnings: [] });
});
