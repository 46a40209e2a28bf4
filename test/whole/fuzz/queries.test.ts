import test from 'ava';
import fc from '../../fast-check.ts';
import { breaches } from './breaches.ts';
import { caseCount } from './case-count.ts';
import { junk } from './damaged-json.ts';
import { editedDocuments } from './edited-documents.ts';
import { posted } from './graphql-over-http.ts';
import { exchange } from './http-exchange.ts';
import { libraryOfFile } from './served-library.ts';

const library = libraryOfFile({ ENABLE_SETS: 'true' });

test.serial('an edited query is answered properly', async (t) => {
  const property = fc.asyncProperty(editedDocuments, async (sent) => {
    const answer = await exchange(library().url, sent);
    const [breach] = breaches(answer, `${sent.path} ${String(sent.body)}`);
    if (breach !== undefined) throw new Error(breach);
  });
  await t.notThrowsAsync(fc.assert(property, caseCount(0.16)));
});

/** What a client may send as a cursor, and every page it opens. */
test.serial('any cursor is refused or opens a page of the documents there are', async (t) => {
  const cursors = fc.oneof(
    fc.array(fc.oneof(junk, fc.double(), fc.bigInt().map(String), fc.string()), { maxLength: 4 }),
    junk,
  );
  const keys = fc.array(
    fc.constantFrom('title', 'pages', 'printed', 'lent', 'isbn', '_id', 'copies.worn', 'copies.shelf'),
    { maxLength: 3 },
  );
  const property = fc.asyncProperty(cursors, keys, fc.boolean(), async (cursor, names, inNetwork) => {
    const root = inNetwork ? 'network' : 'book';
    const sent = posted(
      `query($c: JSON, $s: [Sort]) { ${root} { hits(first: 100, searchAfter: $c, sort: $s) { edges { node { id } } } } }`,
      { c: cursor, s: names.map((fieldName) => ({ fieldName })) },
    );
    const answer = await exchange(library().url, sent);
    const [breach] = breaches(answer, String(sent.body));
    if (breach !== undefined) throw new Error(breach);
    const ids = answer.text.match(/"id":"[^"]*"/g) ?? [];
    if (ids.length > library().documents.length || new Set(ids).size < ids.length)
      throw new Error(answer.text);
  });
  await t.notThrowsAsync(fc.assert(property, caseCount(0.04)));
});
