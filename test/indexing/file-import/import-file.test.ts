import test from 'ava';
import type { ImportPlan } from '../../../src/indexing/file-import/plan-import.ts';
import type {
  ImportProgress,
  ImportReport,
  ImportRequest,
} from '../../../src/indexing/file-import/import-file.ts';
import type { Reject, RejectsFile } from '../../../src/indexing/file-import/rejects-file.ts';
import { batchWriter } from '../../../src/indexing/file-import/batch-writer.ts';
import { openTarget } from '../../../src/indexing/index-target.ts';
import { importFile } from '../../../src/indexing/file-import/import-file.ts';
import { plainReading } from '../../../src/indexing/file-import/records/source-record.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import { chunksOf } from './collect.ts';
import type { MemoryEngine } from '../memory-engine.ts';
import { memoryEngine } from '../memory-engine.ts';

const ndjson = (documents: readonly unknown[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');

const load = async (
  memory: MemoryEngine,
  text: string,
  request: Partial<ImportRequest> = {},
  onProgress?: (progress: ImportProgress | null) => void,
): Promise<ImportReport & { rejects: Reject[] }> => {
  const rejects: Reject[] = [];
  const file: RejectsFile = {
    path: 'rejects',
    count: () => rejects.length,
    add: async (reject) => void rejects.push(reject),
    clear: async () => void rejects.splice(0),
    close: () => Promise.resolve(),
  };
  const base = {
    format: 'ndjson',
    name: 'ships',
    aliases: [],
    mapping: null,
    idField: undefined,
    replace: false,
    mayBeEmpty: false,
  } as const;
  const report = await importFile(
    memory.engine,
    { ...base, chunks: chunksOf(text, 1_000), ...request },
    file,
    onProgress,
  );
  return { ...report, rejects };
};

const documentsOf = (memory: MemoryEngine, index = 'ships'): Record<string, JsonObject> =>
  Object.fromEntries(memory.indices.get(index)!.documents);

test('documents go in by id, into an index made for them', async (t) => {
  const memory = memoryEngine();
  const report = await load(
    memory,
    ndjson([
      { id: 1, name: 'Ark' },
      { id: 2, name: 'Beagle', guns: 8 },
    ]),
  );
  t.like(report, {
    newIndex: true,
    idRule: { kind: 'field', path: 'id' },
    counts: { created: 2, updated: 0, rejected: 0 },
    failure: null,
  });
  t.deepEqual(documentsOf(memory), { 1: { id: 1, name: 'Ark' }, 2: { id: 2, name: 'Beagle', guns: 8 } });
  const { properties } = (await memory.engine.describe('ships')) as {
    properties: Record<string, { type?: string }>;
  };
  t.deepEqual(
    [properties['id']?.type, properties['name']?.type, properties['guns']?.type],
    ['long', 'keyword', 'long'],
  );
});

test('documents are written once they are 8 MiB, however few they are', async (t) => {
  const { engine, log } = memoryEngine();
  const request = { name: 'ships', aliases: [], mapping: { properties: {} }, existing: null, replace: false };
  const writer = batchWriter(engine, await openTarget(engine, request), async () => undefined);
  const ship = { kind: 'document', line: 1, id: null, document: {}, rounded: null } as const;
  for (const id of ['a', 'b', 'c', 'd', 'e']) await writer.addDocument({ ...ship, bytes: 3 * 2 ** 20 }, id);
  await writer.flush();
  t.deepEqual(log.slice(1), ['write 3 to ships', 'write 2 to ships']);
});

test('loading a file twice updates', async (t) => {
  const memory = memoryEngine();
  const text = ndjson([{ id: 'a' }, { id: 'b' }]);
  t.like((await load(memory, text)).counts, { created: 2, updated: 0 });
  const again = await load(memory, text);
  t.like(again.counts, { created: 0, updated: 2 });
  t.false(again.newIndex);
});

test('an alias that is the name of an index is refused before anything is written', async (t) => {
  const memory = memoryEngine();
  await load(memory, ndjson([{ id: 'a' }]), { name: 'boats' });
  const before = [...memory.log];
  await t.throwsAsync(load(memory, ndjson([{ id: 'a' }]), { aliases: ['fleet', 'boats'] }), {
    code: 'CONFLICT',
    message: 'boats cannot be an alias: it is the name of an index',
  });
  t.deepEqual(memory.log, before);
});

test('bad lines, refused documents and documents without a key are reported with their lines, the rest is loaded', async (t) => {
  const memory = memoryEngine((document) => (document['guns'] === 'many' ? 'guns is not a number' : null));
  const text = `${ndjson([{ key: 'a', guns: 1 }])}{oops\n${ndjson([{ key: 'b', guns: 'many' }, { guns: 2 }, { key: 'd' }])}`;
  const report = await load(memory, text, { idField: 'key' });
  t.deepEqual(Object.keys(documentsOf(memory)), ['a', 'd']);
  t.like(report.counts, { created: 2, rejected: 3 });
  t.is(report.failure, null);
  t.deepEqual(report.rejects.map(({ line, id, text: shown }) => [line, id, shown]).sort(), [
    [2, undefined, '{oops'],
    [3, 'b', '{"key":"b","guns":"many"}'],
    [4, undefined, '{"guns":2}'],
  ]);
  t.true(report.rejects.some(({ reason }) => reason === 'guns is not a number'));
  t.true(report.rejects.some(({ reason }) => reason === 'no value in key, the id field'));
});

const manyWrites = ['create ships', ...Array.from({ length: 6 }, () => 'write 2000 to ships')];

test('a load begins again where a later document has a type that the first ones do not have', async (t) => {
  const memory = memoryEngine();
  const documents = Array.from({ length: 12_500 }, (_, id) => ({
    id,
    ...(id === 12_400 ? { crew: { size: 9 } } : {}),
  }));
  const text = `not JSON\n${ndjson(documents)}`;
  const plans: boolean[] = [];
  const onPlan = ({ isProvisional }: ImportPlan): void => void plans.push(isProvisional);
  let surveyed = 0;
  const report = await load(memory, text, { onPlan }, (progress) => {
    if (progress === null) surveyed += 1;
  });
  t.deepEqual(memory.log, [
    ...manyWrites,
    'write 400 to ships',
    'delete ships',
    ...manyWrites,
    'write 500 to ships',
  ]);
  t.like(report.mapping, { properties: { crew: { properties: { size: { type: 'long' } } } } });
  t.like(report.counts, { created: 12_500, rejected: 1 });
  t.deepEqual(plans, [false]);
  // what comes after that document is read for its types before anything is written again
  t.is(surveyed, 99);
});

test('a load whose first documents have the types of all is written while it is read', async (t) => {
  const memory = memoryEngine();
  const plans: number[] = [];
  const onPlan = ({ evidence }: ImportPlan): void => void plans.push(evidence.documents());
  await load(memory, ndjson(Array.from({ length: 12_500 }, (_, id) => ({ id }))), { onPlan });
  t.deepEqual(memory.log, [...manyWrites, 'write 500 to ships']);
  t.deepEqual(plans, [12_500]);
});

test('lists are found in all documents', async (t) => {
  const documents = Array.from({ length: 10_100 }, (_, id) => ({
    id,
    early: [id],
    late: id === 10_050 ? ['a', 'b'] : 'a',
  }));
  const { lists } = await load(memoryEngine(), ndjson(documents));
  t.deepEqual(lists, new Set(['early', 'late']));
});

test('no more records than the sample and four batches are held, however many there are', async (t) => {
  const memory = memoryEngine();
  let [read, written, held] = [0, 0, 0];
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (; read < 40_000; held = Math.max(held, read - written)) {
      yield Buffer.from(ndjson(Array.from({ length: 100 }, (_, at) => ({ id: read + at }))));
      read += 100;
    }
  };
  const write: MemoryEngine['engine']['write'] = async (index, operations) => {
    const outcomes = await memory.engine.write(index, operations);
    written += operations.length;
    return outcomes;
  };
  const engine = { ...memory.engine, write };
  await load({ ...memory, engine }, '', { chunks: chunks(), reread: () => t.fail() as never });
  t.is(written, 40_000);
  t.true(held <= 10_000 + 4 * 2_000 + 100, String(held));
});

test('a mapping that does not grow is left as it is', async (t) => {
  const memory = memoryEngine();
  const mapping = { dynamic: false, properties: { id: { type: 'keyword' } } };
  await load(memory, ndjson([{ id: 1, more: 2 }]), { mapping });
  t.deepEqual(memory.indices.get('ships')?.mapping, mapping);
});

test('a bulk body keeps its order, also when it writes one document again', async (t) => {
  const memory = memoryEngine();
  const lines = [
    { index: { _id: 'a' } },
    { n: 1 },
    { index: { _id: 'a' } },
    { n: 2 },
    { index: { _id: 'b' } },
    { n: 3 },
  ];
  const report = await load(memory, ndjson(lines), { format: 'bulk' });
  t.deepEqual(documentsOf(memory), { a: { n: 2 }, b: { n: 3 } });
  t.like(report.counts, { created: 2, updated: 1, rejected: 0 });
  t.is(report.failure, null);
});

test('what was read before the file broke is loaded, and the report has the place of the damage', async (t) => {
  const memory = memoryEngine();
  const report = await load(memory, '[{"id":1},{"id":2},{"id"', {
    format: 'json',
    chunks: chunksOf('[{"id":1},{"id":2},{"id"', 8),
  });
  t.like(report.counts, { created: 2 });
  t.regex(report.failure?.message ?? '', /after element 2/);
});

test('an index made for a file of which nothing could be loaded is removed again', async (t) => {
  const memory = memoryEngine(() => 'no');
  const report = await load(memory, ndjson([{ id: 1 }]));
  t.is(report.failure?.message, 'no document could be loaded');
  t.is(memory.indices.size, 0);
});

test('a replacement takes the place of the old documents only when it is whole', async (t) => {
  const memory = memoryEngine();
  await load(memory, ndjson([{ id: 'old' }]));
  const broken = '[{"id":"half"},{"id"';
  t.not((await load(memory, '', { format: 'json', chunks: chunksOf(broken), replace: true })).failure, null);
  t.deepEqual(documentsOf(memory), { old: { id: 'old' } });

  const report = await load(memory, ndjson([{ id: 'new', colour: 'red' }]), { replace: true });
  t.deepEqual(memory.aliases.get('ships'), [report.index]);
  t.deepEqual(documentsOf(memory, report.index), { new: { id: 'new', colour: 'red' } });
});

test('digits past 2^53 reach the engine, and their field is still a number', async (t) => {
  const memory = memoryEngine();
  const report = await load(memory, '{"id":"a","n":9007199254740993}\n');
  t.deepEqual(documentsOf(memory), { a: { id: 'a', n: '9007199254740993' } });
  t.like(report.mapping, { properties: { n: { type: 'long' } } });
});

test('cells of a CSV file are typed by the mapping of the index that is there', async (t) => {
  const memory = memoryEngine();
  await load(memory, ndjson([{ id: 'a', code: '7' }]));
  await load(memory, 'id,code,size\nb,8,9\n', { format: 'csv' });
  t.deepEqual(documentsOf(memory)['b'], { id: 'b', code: '8', size: 9 });
});

test('an engine that fails in the middle ends the load with its error', async (t) => {
  const memory = memoryEngine();
  const engine = { ...memory.engine, write: () => Promise.reject(new Error('disk full')) };
  const report = await load(
    { ...memory, engine },
    ndjson(Array.from({ length: 5_000 }, (_, id) => ({ id }))),
  );
  t.is((report.failure?.cause as Error | undefined)?.message, 'disk full');
  t.is(memory.indices.size, 0);
});

test('a file without documents makes the empty index of its mapping only where that is requested', async (t) => {
  const mapping = { dynamic: 'strict', properties: { rig: { type: 'keyword' } } };
  const memory = memoryEngine();
  const refused = await load(memory, '', { mapping });
  t.is(refused.failure?.message, 'the file holds no documents');
  t.is(memory.indices.size, 0);

  const made = await load(memory, '', { mapping, aliases: ['fleet'], mayBeEmpty: true });
  t.like(made, { newIndex: true, failure: null, counts: { created: 0, rejected: 0 } });
  t.like(await memory.engine.describe('fleet'), { indices: ['ships'], properties: mapping.properties });

  for (const again of [{}, { replace: true }])
    t.is((await load(memory, '', { mapping, mayBeEmpty: true, ...again })).failure?.code, 'INPUT_INVALID');
  t.deepEqual([...memory.indices.keys()], ['ships'], 'and nothing takes the place of what is there');
  t.is((await load(memoryEngine(), '{oops\n', { mapping, mayBeEmpty: true })).failure?.code, 'INPUT_INVALID');
});

test('a field that GraphQL cannot tell from another is refused with the record that brings it', async (t) => {
  const memory = memoryEngine();
  const documents = Array.from({ length: 10_100 }, (_, id) => ({
    id,
    'a b': 1,
    ...(id === 10_050 && { 'a-b': 2 }),
  }));
  const report = await load(memory, ndjson(documents));
  t.like(report.counts, { created: 10_099, rejected: 1 });
  t.like(report.rejects[0], {
    line: 10_051,
    reason: 'the fields "a b" and "a-b" would both be a_b in GraphQL: rename one of them',
  });
  t.deepEqual(Object.keys((report.mapping as { properties: object }).properties), ['id', 'a b']);
});

test('dates stay as a mapping with a format of its own has them', async (t) => {
  const mapping = (format: string) => ({
    properties: { id: { type: 'keyword' }, d: { type: 'date', format } },
  });
  for (const format of ['csv', 'ndjson'] as const)
    for (const [own, dateFormat, given, d] of [
      ['dd.MM.yyyy', 'dd.MM.yyyy', '01.02.1990', '01.02.1990'],
      ['dd.MM.yyyy||yyyy-MM-dd', 'dd.MM.yyyy', '01.02.1990', '1990-02-01'],
      ['strict_date_time', 'dd.MM.yyyy HH:mm', '01.02.1990 12:30', '1990-02-01T12:30:00.000Z'],
    ] as const) {
      const memory = memoryEngine();
      const text = format === 'csv' ? `id,d\na,${given}\n` : ndjson([{ id: 'a', d: given }]);
      const reading = { ...plainReading, types: new Map([['d', 'date']]), dateFormat };
      const { counts } = await load(memory, text, { format, mapping: mapping(own), reading });
      t.like(counts, { created: 1, rejected: 0 });
      t.deepEqual(documentsOf(memory), { a: { id: 'a', d } });
    }
});

test('values of _id that are not the keys are a question, unless another key is asked for', async (t) => {
  const notices = async (documents: readonly JsonObject[], idField?: string) =>
    (await load(memoryEngine(), ndjson(documents), { idField })).notices;
  const lost = 'the values of _id are not loaded, since it is the name of the keys';
  await t.throwsAsync(notices([{ id: 'a', _id: 1 }]), {
    message:
      'the values of _id would be lost, since it is the name of the keys: load with --id-field _id, with --id-field id to leave them out, or rename the field',
  });
  await t.throwsAsync(notices([{ _id: 1 }, { _id: 1 }]), {
    message:
      '_id is not taken for the key of the records, since it repeats (line 2: 1); with --id-field _id, only the last record of each would remain; the values of _id would be lost, since it is the name of the keys: load with --id-field _id, or rename the field',
  });
  t.deepEqual(await notices([{ id: 'a', _id: 1 }], 'id'), [lost]);
  t.deepEqual(await notices([{ id: 'a', _id: 1 }], '_id'), []);
  t.deepEqual(await notices([{ n: 'a', _id: { $oid: 'x' } }], 'n'), [lost]);
  t.deepEqual(await notices([{ n: 'a', _id: { $oid: 'x' } }]), []);
  t.deepEqual(await notices([{ n: 'a', _id: 1 }]), []);
});

test('a key that nobody asked for holds for all records of a load, or for none', async (t) => {
  const rows = (count: number, key: (at: number) => unknown) =>
    ndjson(Array.from({ length: count }, (_, at) => ({ id: key(at), visit: at })));
  const late = 10_050;
  const repeats = /id is not taken for the key of the records, since it repeats \(line 10050: 5\)/;
  for (const replace of [false, true]) {
    const memory = memoryEngine();
    const report = await load(
      memory,
      rows(late, (at) => (at === late - 1 ? 5 : at)),
      { replace },
    );
    t.like(report.counts, { created: late, updated: 0, rejected: 0 });
    t.regex(report.notices.join('\n'), repeats);
  }
  const memory = memoryEngine();
  t.like(
    (
      await load(
        memory,
        rows(3, (at) => at),
      )
    ).idRule,
    { kind: 'field', path: 'id' },
  );
  await t.throwsAsync(
    load(
      memory,
      rows(late, (at) => (at === late - 1 ? 5 : at)),
      { mapping: { dynamic: false } },
    ),
    { message: /since it repeats .* and .* has records already.*--id-field FIELD \(id, the key/ },
  );
  t.like(
    (
      await load(
        memory,
        rows(4, (at) => at),
      )
    ).counts,
    { created: 1, updated: 3 },
  );
  t.like(
    (
      await load(
        memory,
        rows(late, (at) => at % 3),
        { idField: 'id' },
      )
    ).counts,
    { updated: late },
  );
});

test('null words and requested types apply to documents too', async (t) => {
  const memory = memoryEngine();
  const report = await load(
    memory,
    ndjson([
      { id: 'a', year: 'N/A', size: { cm: '1,5' }, tags: ['N/A', 'x'] },
      { id: 'b', year: 1850, size: { cm: 2 } },
    ]),
    {
      reading: { nullWords: new Set(['N/A']), types: new Map([['size.cm', 'double']]), decimal: ',' },
    },
  );
  t.deepEqual(documentsOf(memory), {
    a: { id: 'a', size: { cm: 1.5 }, tags: ['x'] },
    b: { id: 'b', year: 1850, size: { cm: 2 } },
  });
  t.like(report.mapping, {
    properties: { year: { type: 'long' }, size: { properties: { cm: { type: 'double' } } } },
  });
});

test('a type for a field that is mapped otherwise, or is not there, is an error before anything is written', async (t) => {
  const reading = (types: readonly (readonly [string, string])[]) => ({
    nullWords: new Set<string>(),
    types: new Map(types),
  });
  const memory = memoryEngine();
  await load(memory, ndjson([{ id: 'a', size: 1 }]));
  await t.throwsAsync(
    load(memory, ndjson([{ id: 'b', size: 2 }]), { reading: reading([['size', 'keyword']]) }),
    {
      message:
        '--types gives size the type keyword, but the mapping says long: change the mapping and load with --replace',
    },
  );
  await t.throwsAsync(
    load(memoryEngine(), ndjson([{ id: 'b', size: 2 }]), { reading: reading([['sise', 'long']]) }),
    {
      message: '--types names sise, which no document has: did you mean size?',
    },
  );
  await load(memory, ndjson([{ id: 'c', code: 1 }]), { reading: reading([['code', 'keyword']]) });
  t.like(memory.indices.get('ships')?.mapping, { properties: { code: { type: 'keyword' } } });
});
