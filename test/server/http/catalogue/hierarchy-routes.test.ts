import test from 'ava';
import { buildHierarchy } from '../../../../src/introspection/hierarchies/build-hierarchy.ts';
import { bookConfig } from '../../../local/catalogue-fixture.ts';
import { read, runApp } from '../running-app.ts';

const term = (id: string, parent: string | null, label: string, more: object = {}) => ({
  ...{ id, label, synonyms: [], parents: parent === null ? [] : [parent], obsolete: false, replacedBy: null },
  ...more,
});

const subjects = buildHierarchy(
  'subjects',
  [
    term('5', null, 'Science'),
    term('51', '5', 'Mathematics', { synonyms: ['Maths'] }),
    term('512', '51', 'Algebra'),
    term('59', '5', 'Zoology'),
    term('8', null, 'Literature'),
    term('50', null, 'Old science', { obsolete: true, replacedBy: '5' }),
  ],
  'subjects.csv',
);

const catalogues = [bookConfig({ fieldHierarchies: new Map([['title', subjects]]) })];
const base = '/introspection/library/hierarchies/subjects';
const science = { id: '5', label: 'Science' };

const idsIn = (body: Record<string, unknown>): readonly string[] =>
  (body['found'] as readonly { readonly id: string }[]).map(({ id }) => id);

test('the terms of a hierarchy are found by text, with their place in the tree', async (t) => {
  const app = await runApp(t, { catalogues });
  t.deepEqual(await read(app.get(`${base}?search=MATHS`)), {
    status: 200,
    body: {
      name: 'subjects',
      version: null,
      fingerprint: subjects.fingerprint,
      terms: 6,
      levels: 3,
      fields: ['title'],
      found: [
        {
          id: '51',
          label: 'Mathematics',
          synonyms: ['Maths'],
          parents: [science],
          path: [science],
          narrower: 1,
          hasChildren: true,
        },
      ],
      hasMore: false,
    },
  });
  t.deepEqual(idsIn((await read(app.get(`${base}?search=a`))).body), ['512', '8', '51']);
  t.deepEqual(idsIn((await read(app.get(`${base}?search=5&under=51`))).body), ['51', '512']);
  const old = (await read(app.get(`${base}?search=old`))).body['found'];
  t.like((old as readonly object[])[0], { obsolete: true, replacedBy: science });
});

test('without a text, the terms right under one are listed, or the roots', async (t) => {
  const app = await runApp(t, { catalogues });
  t.deepEqual(idsIn((await read(app.get(base))).body), ['5', '8']);
  t.deepEqual(idsIn((await read(app.get(`${base}?under=5`))).body), ['51', '59']);
  const { body } = await read(app.get(`${base}?under=5&limit=1`));
  t.deepEqual(idsIn(body), ['51']);
  t.is(body['hasMore'], true);
  t.deepEqual(idsIn((await read(app.get(`${base}?under=512`))).body), []);
});

const refused: readonly (readonly [path: string, status: number, message: string])[] = [
  [`${base}?under=Algebr`, 400, 'under: "Algebr" is not a term of subjects: did you mean 512 (Algebra)?'],
  [`${base}?under=nothing`, 400, 'under: "nothing" is not a term of subjects'],
  [`${base}?limit=0`, 400, 'limit: a whole number from 1 to 1000 expected'],
  [`${base}?limit=1001`, 400, 'limit: a whole number from 1 to 1000 expected'],
  [`${base}?limit=x`, 400, 'limit: a whole number from 1 to 1000 expected'],
  [`${base}?search=a&search=b`, 400, 'search occurs twice: once expected'],
  [`${base}?q=a`, 400, 'q is not a parameter here: under, search, id and limit are'],
  [`${base}?id=5&under=5`, 400, 'id: expected without under and search'],
  [
    '/introspection/library/hierarchies/subject',
    404,
    'no field here has a hierarchy "subject": did you mean "subjects"?',
  ],
  ['/introspection/other/hierarchies/subjects', 404, 'catalogue "other" was not found'],
];

for (const [path, status, message] of refused)
  test(`refused: ${path}`, async (t) => {
    const answer = await read((await runApp(t, { catalogues })).get(path));
    t.is(answer.status, status);
    t.true(JSON.stringify(answer.body).includes(JSON.stringify(message)), JSON.stringify(answer.body));
  });

test('terms are looked up by their ids, as they are written', async (t) => {
  const app = await runApp(t, { catalogues });
  t.deepEqual(idsIn((await read(app.get(`${base}?id=59&id=none&id=5`))).body), ['59', '5']);
  t.deepEqual(idsIn((await read(app.get(`${base}?id=none`))).body), []);
  const { body } = await read(app.get(`${base}?id=59&id=5&limit=1`));
  t.deepEqual([idsIn(body), body['hasMore']], [['59'], true]);
});

test('an answer has an ETag, by which clients need not read it again', async (t) => {
  const app = await runApp(t, { catalogues });
  const first = await app.get(base);
  t.is(
    (await app.get(base, { 'cache-control': 'max-age=0', 'if-none-match': first.headers.get('etag')! }))
      .status,
    304,
  );
});

test('a caller without access to the catalogue learns nothing of its hierarchies', async (t) => {
  const app = await runApp(t, {
    catalogues,
    accessFilter: () => {
      throw new Error('closed');
    },
  });
  t.is((await app.get(base)).status, 500);
});
