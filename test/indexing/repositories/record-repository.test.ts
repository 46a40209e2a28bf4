import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import { startRecordServer, submittedRecordOf } from '../../whole/repositories/record-server.ts';
import { category, fetched, idsOf, impatient, never, recordConfig } from './fetching.ts';
import { submittedDocument } from '../../../src/indexing/repositories/record-repository.ts';

const records = (count: number, organization = 'O1') =>
  Array.from({ length: count }, (_, at) => submittedRecordOf(organization, `R${at}`, { act: at }));

test('pages are requested from 1, compound, to the last', async (t) => {
  const server = await category(t, records(3));
  const { repository } = impatient(recordConfig(server.url));
  const page = await fetched(repository.fetchAll('O1', never()));
  t.deepEqual(page.records[2], {
    documentId: 'R2',
    recordId: 'R2',
    organization: 'O1',
    document: { systemId: 'R2', entityName: 'object', organization: 'O1', isValid: true, data: { act: 2 } },
  });
  t.is(page.total, 3);
  t.deepEqual(
    server.requests.map(({ url }) => url),
    [1, 2].map((at) => `/data/category/1/organization/O1?view=compound&pageSize=2&page=${at}`),
  );
});

test('every organization is one listing', async (t) => {
  const server = await category(t, [...records(1), submittedRecordOf('O2', 'X', {})]);
  const { repository } = impatient(recordConfig(server.url));
  const { records: found } = await fetched(repository.fetchAll(null, never()));
  t.deepEqual(
    found.map(({ organization, documentId }) => `${organization} ${documentId}`),
    ['O1 R0', 'O2 X'],
  );
  t.is(server.requests[0]?.url, '/data/category/1?view=compound&pageSize=2&page=1');
});

test('a listing without records is empty, an unknown category is an error', async (t) => {
  const server = await category(t, records(1));
  const none = { records: [], skipped: [], failed: [], total: null };
  const { repository } = impatient(recordConfig(server.url));
  t.deepEqual(await fetched(repository.fetchAll('O9', never())), none);
  const { repository: other } = impatient(recordConfig(server.url, { categoryId: '9' }));
  for (const text of ['Invalid Category ID', "Category '9' not found"]) {
    server.quirks.unknownCategory = text;
    const expected = {
      code: 'UPSTREAM_FAILED',
      message: /says that there is no category "9": the id of one of its categories expected$/,
    };
    await t.throwsAsync(() => fetched(other.fetchAll(null, never())), expected);
    await t.throwsAsync(() => fetched(other.fetchAll('O1', never())), expected);
    await t.throwsAsync(() => other.fetchOne('O1', 'R0', never()), expected);
    await t.throwsAsync(() => other.probe(never()), expected);
  }
  server.records.length = 0;
  t.deepEqual(await fetched(repository.fetchAll(null, never())), none);
  await t.notThrowsAsync(() => repository.probe(never()));
});

test('any page size, any of them invalid: exactly what is valid, or all of them', async (t) => {
  const server = await startRecordServer([]);
  t.teardown(server.close);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 25 }),
      fc.integer({ min: 1, max: 8 }),
      fc.boolean(),
      fc.boolean(),
      async (valid, pageSize, validOnly, emptyIsPage) => {
        server.quirks.emptyIsPage = emptyIsPage;
        const all = valid.map((isValid, at) => ({ ...submittedRecordOf('O1', `R${at}`, {}), isValid }));
        server.records.splice(0, Infinity, ...all);
        const { repository } = impatient(recordConfig(server.url, { pageSize, validOnly }));
        const { records: found, skipped } = await fetched(repository.fetchAll('O1', never()));
        t.deepEqual(
          found.map(({ documentId }) => documentId),
          valid.flatMap((isValid, at) => (isValid || !validOnly ? [`R${at}`] : [])),
        );
        t.is(found.length + skipped.length, valid.length);
      },
    ),
    { numRuns: runs(40) },
  );
});

test('records that cannot be indexed fail one by one, invalid ones are left out', async (t) => {
  const good = records(1)[0]!;
  const server = await category(t, [
    { ...good, systemId: 5 as never },
    { ...good, systemId: 'R1', organization: '' },
    { ...good, systemId: 'R2', isValid: false },
    { ...good, systemId: 'R3', data: { organization: 'X' } },
    { ...good, systemId: 'R4' },
    { ...good, systemId: 'R5' },
  ]);
  const { repository } = impatient(
    recordConfig(server.url, { exclude: ['R4'], map: [{ kind: 'flatten', path: 'data' }] }),
  );
  const page = await fetched(repository.fetchAll(null, never()));
  t.deepEqual(page, {
    records: [
      {
        documentId: 'R5',
        recordId: 'R5',
        organization: 'O1',
        document: { systemId: 'R5', entityName: 'object', organization: 'O1', isValid: true, act: 0 },
      },
    ],
    skipped: [
      { recordId: 'R2', reason: 'the repository calls it invalid' },
      { recordId: 'R4', reason: 'R4 is excluded by the configuration' },
    ],
    failed: [
      { recordId: '(row 1 of category 1)', reason: 'its systemId is not a non-empty string' },
      { recordId: 'R1', reason: 'its organization is not a non-empty string' },
      {
        recordId: 'R3',
        reason: 'data.organization cannot be set: organization already exists, and is not overwritten',
      },
    ],
    total: 6,
  });
});

test('one record, or null when the organization does not have it', async (t) => {
  const server = await category(t, [...records(1), submittedRecordOf('O2', 'X/1', {})]);
  const { repository } = impatient(recordConfig(server.url));
  t.is((await repository.fetchOne('O2', 'X/1', never()))?.records[0]?.documentId, 'X/1');
  t.is(server.requests[0]?.url, '/data/category/1/id/X%2F1?view=compound');
  t.is(await repository.fetchOne('O1', 'X/1', never()), null);
  t.is(await repository.fetchOne('O1', 'none', never()), null);
});

test('one invalid record is left out unless all are wanted', async (t) => {
  const server = await category(t, [{ ...records(1)[0]!, isValid: false }]);
  const strict = await impatient(recordConfig(server.url)).repository.fetchOne('O1', 'R0', never());
  t.deepEqual(strict?.skipped, [{ recordId: 'R0', reason: 'the repository calls it invalid' }]);
  const lax = impatient(recordConfig(server.url, { validOnly: false })).repository;
  t.is((await lax.fetchOne('O1', 'R0', never()))?.records.length, 1);
});

test('what is taken out while it is read hides nothing that stays', async (t) => {
  for (const taken of [1, 4]) {
    const server = await category(t, records(5));
    const { repository } = impatient(recordConfig(server.url));
    let pages = 0;
    const ids = await idsOf(repository.fetchAll('O1', never()), () => {
      pages += 1;
      if (pages === 1) server.records.splice(0, taken);
    });
    const delivered = new Set(ids.flat());
    t.deepEqual(
      server.records.filter(({ systemId }) => !delivered.has(systemId)),
      [],
    );
  }
});

test('a number of pages that is too large does no harm, one that is too small is an error', async (t) => {
  const server = await category(t, records(4));
  const { repository } = impatient(recordConfig(server.url));
  for (const emptyIsPage of [false, true]) {
    Object.assign(server.quirks, { pagesOff: 1000, emptyIsPage });
    server.requests.length = 0;
    t.deepEqual((await idsOf(repository.fetchAll('O1', never()))).flat(), ['R0', 'R1', 'R2', 'R3']);
    t.is(server.requests.length, 3);
  }
  server.quirks.pagesOff = -1;
  await t.throwsAsync(() => fetched(repository.fetchAll('O1', never())), {
    code: 'UPSTREAM_FAILED',
    message: /cannot be read completely: 2 of 4 records came \(read 5 times\)$/,
  });
});

test('a page number that is ignored is an error, not a listing of one page', async (t) => {
  const server = await category(t, records(4));
  server.quirks.ignoresPage = true;
  const { repository } = impatient(recordConfig(server.url));
  await t.throwsAsync(() => fetched(repository.fetchAll('O1', never())), {
    code: 'UPSTREAM_FAILED',
    message: /page 2 is page 1 again/,
  });
});

test('another shape is an error', async (t) => {
  const server = await category(t, records(3));
  server.switches.fault = { kind: 'shape' };
  const { repository } = impatient(recordConfig(server.url));
  await t.throwsAsync(() => fetched(repository.fetchAll('O1', never())), {
    message:
      /answered with JSON of another shape: \{pagination: \{totalPages, totalRecords\}, records\} expected$/,
  });
  await t.throwsAsync(() => repository.fetchOne('O1', 'R1', never()), {
    message: /answered with something other than this record$/,
  });
});

const record = { systemId: 'R1', entityName: 'play', organization: 'O1', isValid: true, data: {} };
const config = recordConfig('http://127.0.0.1');

for (const [what, row, recordId, reason] of [
  ['a text', 'x', '(row 3 of O1)', 'it is not an object'],
  ['a list', [record], '(row 3 of O1)', 'it is not an object'],
  ['an empty id', { ...record, systemId: '' }, '(row 3 of O1)', 'its systemId is not a non-empty string'],
  [
    'another organization',
    { ...record, organization: 'O2' },
    'R1',
    'it belongs to another organization than O1',
  ],
  [
    'no organization',
    { ...record, organization: undefined },
    'R1',
    'its organization is not a non-empty string',
  ],
] as const)
  test(`${what} fails`, (t) => {
    t.deepEqual(submittedDocument(config, 'O1', row, 3), { kind: 'failed', recordId, reason });
  });

test('only what is called valid is, unless all are wanted', (t) => {
  for (const isValid of [false, undefined, 'true', 1]) {
    const row = { ...record, isValid };
    t.is(submittedDocument(config, 'O1', row, 1).kind, 'skipped');
    t.is(submittedDocument({ ...config, validOnly: false }, 'O1', row, 1).kind, 'record');
  }
});

test('the document is the record with its envelope', (t) => {
  t.deepEqual(submittedDocument(config, null, record, 1), {
    kind: 'record',
    record: { documentId: 'R1', recordId: 'R1', organization: 'O1', document: record },
  });
});
