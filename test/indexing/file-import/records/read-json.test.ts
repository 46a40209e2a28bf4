import test from 'ava';
import fc, { runs } from '../../../fast-check.ts';
import { readJson } from '../../../../src/indexing/file-import/records/read-json.ts';
import { plainReading } from '../../../../src/indexing/file-import/records/source-record.ts';
import { chunksOf, collect } from '../collect.ts';

const read = async (text: string, records?: string, size = 7) => {
  const notices: string[] = [];
  const reading = { ...plainReading, records, onNotice: (notice: string) => void notices.push(notice) };
  const found = await collect(readJson(chunksOf(text, size), 100_000, null, reading));
  const documents = found.map((one) => (one.kind === 'document' ? one.document : one.kind));
  return { documents, notices, found };
};

const ab = [{ a: 1 }, { a: 2 }];

for (const [what, value, path] of [
  ['results', { next: null, count: 2, results: ab }, 'results'],
  ['data', { data: ab, links: [{ self: 'x' }] }, 'data'],
  ['records below data', { data: { total: 2, hits: ab } }, 'data.hits'],
  [
    'a FHIR bundle',
    { resourceType: 'Bundle', id: 'x', entry: ab.map((resource) => ({ resource })) },
    'entry.resource',
  ],
  ['GeoJSON', { type: 'FeatureCollection', name: 'x', features: ab }, 'features'],
  [
    'a search server',
    { took: 1, hits: { total: 2, hits: ab.map((_source) => ({ _id: '1', _source })) } },
    'hits.hits._source',
  ],
  ['embedded resources', { _embedded: { samples: ab }, _links: {} }, '_embedded.samples'],
  ['the only list of objects', { version: '2', patients: ab }, 'patients'],
] as const)
  for (const indent of [0, 2])
    test(`the records in an envelope are found and named: ${what}, indented by ${String(indent)}`, async (t) => {
      const { documents, notices } = await read(JSON.stringify(value, null, indent));
      t.deepEqual(documents as unknown, ab);
      t.deepEqual(notices, [`the records are those in ${path} (--records names another path)`]);
    });

const patients = { 'P-1': { age: 30, sex: 'F' }, 'P-2': { age: 41 }, 'P-3': { age: 9, sex: 'M' } };
const listed = Object.values(patients);

for (const [what, value, where, documents, keys] of [
  ['members of the object', patients, 'the members of the object', listed, Object.keys(patients)],
  [
    'members below a name',
    { meta: { n: 3 }, patients },
    'those in patients.*',
    listed,
    Object.keys(patients),
  ],
  [
    'rows below names',
    { columns: ['id', 'a b'], index: [0, 1], data: [[1, 'x'], [2]] },
    'those in data',
    [{ id: 1, 'a b': 'x' }, { id: 2 }],
    [null, null],
  ],
  [
    'rows with names of their own',
    { columns: [2019], index: ['x', 'y'], data: [[1], [2]] },
    'those in data',
    [
      { 2019: 1, index: 'x' },
      { 2019: 2, index: 'y' },
    ],
    [null, null],
  ],
  [
    'rows below described fields',
    { fields: [{ name: 'id', type: 'int' }], rows: [[1], [2]] },
    'those in rows',
    [{ id: 1 }, { id: 2 }],
    [null, null],
  ],
  [
    'columns by the number of the row',
    { age: { 0: 3, 1: 4 }, sex: { 0: 'F', 1: 'M' } },
    'the members of the object',
    [
      { age: 3, sex: 'F' },
      { age: 4, sex: 'M' },
    ],
    [null, null],
  ],
  [
    'columns of some rows',
    { age: { 3: 3, 7: 4 } },
    'the members of the object',
    [{ age: 3 }, { age: 4 }],
    ['3', '7'],
  ],
] as const)
  test(`records that are not a list of objects are found and named: ${what}`, async (t) => {
    const { documents: rows, notices, found } = await read(JSON.stringify(value));
    t.deepEqual(rows as unknown, documents);
    t.deepEqual(notices, [`the records are ${where} (--records names another path)`]);
    t.deepEqual(
      found.map((one) => one.kind === 'document' && one.id),
      [...keys],
    );
  });

test('members that may be parts of one record are one, and can be loaded as records', async (t) => {
  const sizes = { height: { value: 1, unit: 'cm' }, weight: { value: 2, unit: 'kg' } };
  const { documents, notices } = await read(JSON.stringify(sizes));
  t.deepEqual(documents as unknown, [sizes]);
  t.deepEqual(notices, [
    "the file is one JSON object and loaded as one record (--records '*' loads the records inside)",
  ]);
  t.deepEqual((await read(JSON.stringify(sizes), '*')).documents as unknown, Object.values(sizes));
  const parts = { donor: { id: 'D1', age: 3 }, sample: { id: 'S1', site: 'x' } };
  t.deepEqual((await read(JSON.stringify(parts))).notices, []);
});

test('a zero byte is named with its line', async (t) => {
  for (const text of ['[{"a":1},\n{"a":"\0"}]', '{"a":1,\n"b":"\0"}'])
    await t.throwsAsync(() => read(text), { message: /^line 2 cannot be read: it has a zero byte/ });
});

test('an object with a key of its own is one record, and the records inside are named', async (t) => {
  const phenopacket = { id: 'P1', phenotypicFeatures: [{ type: { id: 'HP:1' } }, { type: { id: 'HP:2' } }] };
  const text = JSON.stringify(phenopacket, null, 2);
  const { documents, notices } = await read(text);
  t.deepEqual(documents as unknown, [phenopacket]);
  t.deepEqual(notices, [
    'the file is one JSON object and loaded as one record (--records phenotypicFeatures loads the records inside)',
  ]);
  t.deepEqual((await read(text, 'phenotypicFeatures.type')).documents as unknown, [
    { id: 'HP:1' },
    { id: 'HP:2' },
  ]);
  await t.throwsAsync(read(text, 'features'), {
    message: '--records features: there are no objects; there are some in phenotypicFeatures',
  });
});

for (const [what, textOf] of [
  [
    'objects one after another on several lines',
    (objects: readonly object[]) => objects.map((object) => JSON.stringify(object, null, 1)).join('\n'),
  ],
  ['the elements of an array', (objects: readonly object[]) => JSON.stringify(objects, null, 1)],
] as const)
  test(`each is a record as JSON.parse would have it, wherever the chunks are cut: ${what}`, async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), { minLength: 2 }),
        fc.integer({ min: 1, max: 20 }),
        async (documents, size) => {
          const { found } = await read(textOf(documents), undefined, size);
          const values = found.map((one) => (one.kind === 'document' ? (one.rounded ?? one.document) : one));
          t.deepEqual(
            values,
            documents.map((document) => JSON.parse(JSON.stringify(document)) as unknown),
          );
        },
      ),
      { numRuns: runs(60) },
    );
  });

test('an element of an array that is not an object is rejected with its number', async (t) => {
  const { found } = await read('[{"a":1}, 5, {"b":"}]"}, [{"c":[1,2]}], "x\\"", null]');
  t.deepEqual(
    found.map(({ kind, line }) => `${kind} ${String(line)}`),
    ['document 1', 'bad 2', 'document 3', 'bad 4', 'bad 5', 'bad 6'],
  );
});

test('digits past 2^53 in an array are kept, and a text of the same digits is a text', async (t) => {
  const { found } = await read('[{"n":[9007199254740993],"s":"9007199254740993"}]');
  t.like(found[0], {
    document: { n: ['9007199254740993'], s: '9007199254740993' },
    rounded: { n: [9007199254740992], s: '9007199254740993' },
  });
});

for (const [what, text, message] of [
  ['that stops being JSON', '[{"a":1},{"a":}]', /not JSON, after element 1 of the array/],
  ['with a comma too many', '[{"a":1},,{"a":2}]', /not JSON, after element 1 of the array/],
  ['with a comma at its end', '[{"a":1},]', /not JSON, after element 1 of the array/],
  ['with a comma too few', '[{"a":1} {"a":2}]', /not JSON, after element 1 of the array/],
  ['closed by another bracket', '[{"a":1}}', /not JSON, after element 1 of the array/],
  ['followed by something', '[{"a":1}] {}', /not JSON, after element 1 of the array/],
  ['that ends inside', '[{"a":1},{"a"', /ends inside the array, after element 1/],
  ['that ends behind an object', '[{"a":1},{"a":2}', /ends inside the array, after element 2/],
  ['with an element over the limit', `[{"a":"${'x'.repeat(100_000)}"}]`, /longer than 100000 bytes/],
] as const)
  test(`an array ${what} is an error with its place`, async (t) => {
    await t.throwsAsync(read(text), { message });
  });

test('the elements of an array in front of an error are read, however long the chunks are', async (t) => {
  const records = readJson(chunksOf('[{"a":{"b":1}},\n{"a":"}"},\n]', 1_000), 1_000, null);
  for (const a of [{ b: 1 }, '}']) t.like((await records.next()).value, { document: { a } });
  await t.throwsAsync(records.next(), { message: /not JSON, after element 2 of the array/ });
});

test('an empty array holds nothing', async (t) => {
  t.deepEqual((await read(' [ ] ')).documents, []);
});

test('the records of several pages are numbered through, and pages without any are named', async (t) => {
  const { found, notices } = await read(
    '{"rows":[{"a":1}]}{"rows":[]}{"rows":[{"a":1},{"a":2}]}{"rows":[]}',
    'rows',
  );
  t.deepEqual(
    found.map((one) => one.kind === 'document' && [one.line, one.document['a']]),
    [
      [1, 1],
      [2, 1],
      [3, 2],
    ],
  );
  t.deepEqual(notices, ['--records rows: there are no objects in values 2, 4 of the file']);
});

for (const [what, around] of [
  ['one object', (text: string) => text],
  ['an envelope', (text: string) => `{"results":[${text},${text}]}`],
  ['several objects', (text: string) => text.repeat(3)],
] as const)
  test(`records count for what they were read from, so that what is held of them is bounded: ${what}`, async (t) => {
    const text = around(JSON.stringify({ a: 'x'.repeat(1_000) }));
    const { found } = await read(text);
    t.is(
      found.reduce((sum, one) => sum + (one.kind === 'document' ? one.bytes : 0), 0),
      text.length,
    );
  });

test('digits past 2^53 inside an envelope are kept', async (t) => {
  const { found } = await read('{"results":[{"n":9007199254740993},{"n":1}]}');
  t.like(found[0], { document: { n: '9007199254740993' }, rounded: { n: 9007199254740992 } });
});

test('what is not an object among the records is rejected with its number', async (t) => {
  const text = '{"list":[{"a":1},5,{"a":2},null],"x":[{"v":null},{"v":{"a":9}},{"v":"none"},{}],"n":3}';
  const places = async (path: string) => (await read(text, path)).found.map(({ kind, line }) => [kind, line]);
  t.deepEqual(await places('list'), [
    ['document', 1],
    ['bad', 2],
    ['document', 3],
    ['bad', 4],
  ]);
  t.deepEqual(await places('x.v'), [
    ['document', 1],
    ['bad', 2],
  ]);
  await t.throwsAsync(read(text, 'n'), { message: /there are no objects; there are some in x/ });
});

test('what is not JSON is an error in plain words', async (t) => {
  await t.throwsAsync(read('{"a":1}\n{"a":}'), {
    message: 'value 2 of the file is not JSON: a comma, quote or bracket is missing or too much',
  });
  await t.throwsAsync(read('{"a":{'), { message: 'the text ends inside an object' });
});
