import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type ExecutionContext } from 'ava';
import type { SearchQuery } from '../../../../src/engines/engine.ts';
import { openEmbeddedEngine } from '../../../../src/engines/embedded/embedded-engine.ts';
import { DataFolder } from '../../../../src/engines/embedded/threads/data-folder.ts';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { temporaryFolder } from '../../../server/config/temporary-folder.ts';

const page: SearchQuery = {
  facets: [],
  hits: {
    ...{ filter: { kind: 'all' }, size: 10, offset: 0, sort: [], searchAfter: null },
    ...{ source: null, trackTotal: true },
  },
};

const documents = [
  { id: 'a\u0000b', mm: 11 },
  { id: 'ü \ud800', mm: 2222 },
  { id: 'c', mm: 33 },
];

/** A folder with one index, closed. */
const closedFolder = async (t: ExecutionContext): Promise<string> => {
  const folder = join(temporaryFolder(t, {}), 'data');
  const engine = openEmbeddedEngine(folder, 0);
  await engine.manage({
    kind: 'create',
    index: 'shells',
    mapping: { properties: { mm: { type: 'integer' } } },
  });
  await engine.write(
    'shells',
    documents.map((document) => ({ kind: 'upsert', id: document.id, document })),
  );
  await engine.close();
  return folder;
};

/** One digit becomes another, as by a flipped bit. */
const rot = (file: string): void => {
  const bytes = readFileSync(file);
  const at = bytes.indexOf('2222');
  bytes[at + 1]! ^= 1;
  writeFileSync(file, bytes);
};

test('documents are read as they were stored, whatever their keys', async (t) => {
  const folder = await closedFolder(t);
  t.deepEqual(new DataFolder(folder).verify('shells'), []);
  t.is([...new DataFolder(folder).documents('shells')].length, 3);
});

for (const [which, ending] of [
  ['with', ''],
  ['without', '.gone'],
] as const)
  test(`a flipped bit in a document is an error and not a value, and verify finds it, ${which} a snapshot`, async (t) => {
    const folder = await closedFolder(t);
    rot(join(folder, 'shells.sqlite'));
    const snapshot = join(folder, 'shells.snapshot');
    if (ending !== '') writeFileSync(snapshot, '');
    const found = new DataFolder(folder).verify('shells').join('\n');
    t.regex(found, /the index file is damaged/);
    t.regex(found, /document 2 \("ü .*"\) of shells\.sqlite is not as it was stored/);
    t.throws(() => [...new DataFolder(folder).documents('shells')], { message: /damaged/ });
    const engine = openEmbeddedEngine(folder, 0);
    t.teardown(() => engine.close());
    const error = await t.throwsAsync(engine.search('shells', page), { instanceOf: TributaryError });
    t.is(error.code, 'ENGINE_ERROR');
    // for the log, not for callers
    t.false(error.message.includes('shells.sqlite'));
    t.regex(String((error.cause as Error).stack), /document 2 .* of shells\.sqlite is not as it was stored/);
  });

test('a document under another key or number is not as it was stored', async (t) => {
  for (const change of ["id = 'd'", 'dn = 9']) {
    const folder = await closedFolder(t);
    const db = new DatabaseSync(join(folder, 'shells.sqlite'));
    db.exec(`UPDATE docs SET ${change} WHERE id = 'c'`);
    db.close();
    t.regex(new DataFolder(folder).verify('shells').join(), /of shells\.sqlite is not as it was stored/);
  }
});
