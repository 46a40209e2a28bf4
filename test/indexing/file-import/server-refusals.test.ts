import test from 'ava';
import type { ServerTarget } from '../../../src/indexing/file-import/server-refusals.ts';
import { tryImport } from '../../../src/indexing/file-import/try-import.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { chunksOf } from './collect.ts';

const opensearch: ServerTarget = { kind: 'opensearch' };

const tried = (
  documents: readonly JsonObject[],
  server: ServerTarget | null = opensearch,
  idField?: string,
) => {
  const text = documents.map((document) => `${JSON.stringify(document)}\n`).join('');
  const request = { format: 'ndjson', mapping: null, idField, replace: false } as const;
  return tryImport({ ...request, chunks: chunksOf(text, 30_000) }, null, server);
};

const fields = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${String(at)}`, 1]));
const deep = (levels: number): JsonObject => (levels === 0 ? { b: 1 } : { b: deep(levels - 1) });
const lists = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${String(at)}`, [{ v: 1 }]]));

// each as OpenSearch 2.19 takes and refuses it
for (const [what, fits, refused, message] of [
  [
    'fields',
    { id: 1, ...fields(997), o: { a: 1 } },
    { id: 1, ...fields(998), o: { a: 1 } },
    /has 1001 fields, and a search server takes 1000: [^]*"index\.mapping\.total_fields\.limit": 1001/,
  ],
  [
    'levels',
    { id: 1, a: deep(18) },
    { id: 1, a: deep(19) },
    /has 21 levels of objects, and a search server takes 20/,
  ],
  [
    'nested fields',
    { id: 1, ...lists(50) },
    { id: 1, ...lists(51) },
    /has 51 nested fields, and a search server takes 50/,
  ],
  ['fields of its own', { id: 1, _x: 1 }, { id: 1, _routing: 'a' }, /has a field _routing of its own/],
] as const)
  test(`a mapping that a search server refuses is an error of the dry run: ${what}`, async (t) => {
    t.is((await tried([fits])).documents, 1);
    await t.throwsAsync(tried([refused]), { code: 'INPUT_INVALID', message });
    t.is((await tried([refused], null)).documents, 1, 'the embedded engine takes it');
  });

test('settings of the index move the limits', async (t) => {
  const settings = { 'index.mapping.total_fields.limit': 2_000, mapping: { depth: { limit: '30' } } };
  const trial = await tried([{ id: 1, ...fields(1_500), a: deep(25) }], { ...opensearch, settings });
  t.is(trial.documents, 1);
  t.is((await tried([{ id: 1, ...lists(60) }], { kind: 'elasticsearch' })).documents, 1);
});

test('documents that a search server refuses are rejected with their line', async (t) => {
  const many = (count: number) => Array.from({ length: count }, () => ({ v: 1 }));
  const documents = [
    { id: 'é'.repeat(256), n: many(1) },
    { id: 'é'.repeat(257), n: many(1) },
    { id: 3, n: many(10_000) },
    { id: 4, n: many(10_001) },
    { id: 5, o: { '': 1 } },
  ];
  const { rejects, rejected } = await tried(documents, opensearch, 'id');
  t.deepEqual(rejects as unknown, [
    { file: undefined, line: 2, reason: 'its key has 514 bytes, and a search server takes 512' },
    { file: undefined, line: 4, reason: 'it has 10001 nested objects, and a search server takes 10000' },
  ]);
  // the field without a name gets one
  t.is(rejected, 2);
});
