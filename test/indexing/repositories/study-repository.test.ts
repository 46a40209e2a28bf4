import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { studyRepository, analysisDocuments } from '../../../src/indexing/repositories/study-repository.ts';
import fc, { runs } from '../../fast-check.ts';
import { analysisOf, startStudyServer } from '../../whole/repositories/study-server.ts';
import { fetched, idsOf, impatient, never, studies, studyConfig } from './fetching.ts';

const analyses = (count: number, study = 'S1') =>
  Array.from({ length: count }, (_, at) => analysisOf(study, `A${at}`, { act: at }));

test('pages are requested by row and state, to the last row', async (t) => {
  const server = await studies(t, analyses(4));
  const { repository } = impatient(studyConfig(server.url, { indexableStates: ['PUBLISHED', 'SUPPRESSED'] }));
  const page = await fetched(repository.fetchAll('S1', never()));
  t.deepEqual(page.records[1], {
    documentId: 'A1',
    recordId: 'A1',
    organization: 'S1',
    document: server.analyses[1] as never,
  });
  t.is(page.total, 4);
  t.deepEqual(
    server.requests.map(({ url }) => url),
    [0, 2].map(
      (offset) =>
        `/studies/S1/analysis/paginated?limit=2&offset=${offset}&analysisStates=PUBLISHED%2CSUPPRESSED`,
    ),
  );
});

test('pages that are short or empty are not the end', async (t) => {
  const server = await studies(t, analyses(7));
  for (const id of ['A0', 'A2', 'A3', 'A6']) server.vanished.add(id);
  const { repository } = impatient(studyConfig(server.url));
  t.deepEqual(await idsOf(repository.fetchAll('S1', never())), [['A1'], [], ['A4', 'A5'], []]);
});

test('any page size, any rows that vanish, any states: exactly what is indexable', async (t) => {
  const row = fc.record({ vanishes: fc.boolean(), state: fc.constantFrom('PUBLISHED', 'UNPUBLISHED') });
  const server = await startStudyServer([]);
  t.teardown(server.close);
  server.studies.add('S1');
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 25 }),
      fc.integer({ min: 1, max: 8 }),
      fc.boolean(),
      async (rows, pageSize, ignoresStates) => {
        server.quirks.ignoresStates = ignoresStates;
        const all = rows.map(({ state }, at) => ({
          ...analysisOf('S1', `A${at}`, {}),
          analysisState: state,
        }));
        server.analyses.splice(0, Infinity, ...all);
        server.vanished.clear();
        rows.forEach(({ vanishes }, at) => vanishes && server.vanished.add(`A${at}`));
        const { repository } = impatient(studyConfig(server.url, { pageSize }));
        const { records, failed } = await fetched(repository.fetchAll('S1', never()));
        const expected = rows.flatMap(({ vanishes, state }, at) =>
          !vanishes && state === 'PUBLISHED' ? [`A${at}`] : [],
        );
        t.deepEqual(
          records.map(({ documentId }) => documentId),
          expected,
        );
        t.deepEqual(failed, []);
      },
    ),
    { numRuns: runs(40) },
  );
});

test('what is taken out while it is read hides nothing that stays', async (t) => {
  const server = await studies(t, analyses(9));
  const { repository } = impatient(studyConfig(server.url));
  let pages = 0;
  const ids = await idsOf(repository.fetchAll('S1', never()), () => {
    pages += 1;
    if (pages === 1) server.analyses.splice(0, 1);
  });
  const delivered = new Set(ids.flat());
  t.deepEqual(
    server.analyses.filter(({ analysisId }) => !delivered.has(analysisId)),
    [],
  );
});

test('a state that is not indexed is left out, whatever the repository delivers', async (t) => {
  const server = await studies(t, [
    { ...analysisOf('S1', 'A1', {}), analysisState: 'SUPPRESSED' },
    { ...analysisOf('S1', 'A2', {}), analysisState: undefined as never },
  ]);
  server.quirks.ignoresStates = true;
  const { repository } = impatient(studyConfig(server.url));
  t.deepEqual(await fetched(repository.fetchAll('S1', never())), {
    records: [],
    skipped: [
      { recordId: 'A1', reason: 'its state is SUPPRESSED, and PUBLISHED is indexed' },
      { recordId: 'A2', reason: 'its state is unknown, and PUBLISHED is indexed' },
    ],
    failed: [],
    total: 2,
  });
  t.deepEqual((await repository.fetchOne('S1', 'A1', never()))?.records, []);
});

test('rows that cannot be indexed fail one by one', async (t) => {
  const good = analysisOf('S1', 'A1', { act: 1 });
  const server = await studies(t, [
    { ...good, analysisId: 7 as never },
    { ...good, analysisId: '' },
    good,
    analysisOf('S1', 'A2', {}),
  ]);
  const { repository } = impatient(
    studyConfig(server.url, { map: [{ kind: 'rename', from: 'act', to: 'files' }] }),
  );
  const { records, failed } = await fetched(repository.fetchAll('S1', never()));
  t.deepEqual(
    records.map(({ documentId }) => documentId),
    ['A2'],
  );
  t.deepEqual(failed, [
    { recordId: '(row 1 of S1)', reason: 'its analysisId is not a non-empty string' },
    { recordId: '(row 2 of S1)', reason: 'its analysisId is not a non-empty string' },
    { recordId: 'A1', reason: 'files already exists, and is not overwritten' },
  ]);
});

test('in file mode each file is a document with its analysis inside', async (t) => {
  const [first, second, third] = analyses(3) as [object, object, object];
  const server = await studies(t, [
    { ...first, files: [{ objectId: 'F1', fileSize: 1 }, { objectId: 'F2' }, { objectId: '' }, 'x'] },
    { ...second, files: [] },
    { ...third, files: [{ objectId: 'F3', analysis: 'own' }] },
  ] as never);
  const { repository } = impatient(studyConfig(server.url, { documents: 'file', exclude: ['F2'] }));
  const page = await fetched(repository.fetchAll('S1', never()));
  const analysis = { ...server.analyses[0]! } as Record<string, unknown>;
  delete analysis['files'];
  t.deepEqual(page, {
    records: [
      {
        documentId: 'F1',
        recordId: 'A0',
        organization: 'S1',
        document: { objectId: 'F1', fileSize: 1, analysis },
      },
    ] as never,
    skipped: [
      { recordId: 'A0', reason: 'F2 is excluded by the configuration' },
      { recordId: 'A1', reason: 'it has no files' },
    ],
    failed: [
      { recordId: 'A0', reason: 'the objectId of its file 3 is not a non-empty string' },
      { recordId: 'A0', reason: 'its file 4 is not an object' },
      { recordId: 'A2', reason: 'its file 1 has a member analysis, where the analysis goes' },
    ],
    total: 3,
  });
  t.deepEqual((await repository.fetchOne('S1', 'A0', never()))?.records, page.records);
});

test('one analysis, or null when the study does not have it', async (t) => {
  const server = await studies(t, [...analyses(1), ...analyses(1, 'S2')]);
  server.analyses[1] = { ...server.analyses[1]!, analysisId: 'B1' };
  const { repository } = impatient(studyConfig(server.url));
  t.deepEqual(await repository.fetchOne('S1', 'A0', never()), {
    records: [
      { documentId: 'A0', recordId: 'A0', organization: 'S1', document: server.analyses[0] as never },
    ],
    skipped: [],
    failed: [],
    total: 1,
  });
  t.is(await repository.fetchOne('S1', 'B1', never()), null);
  t.is(await repository.fetchOne('S1', 'none', never()), null);
});

test('an analysis of another study is none of this one, where a server looks at its id alone', async (t) => {
  const get = async () => ({
    ...{ status: 200, body: analysisOf('S2', 'A0', {}), flawOf: () => null, roundedOf: () => null },
    error: (what: string) => new TributaryError('UPSTREAM_FAILED', what),
  });
  const config = studyConfig('http://127.0.0.1:9');
  t.is(await studyRepository(config, { get }).fetchOne('S1', 'A0', never()), null);
  t.is((await studyRepository(config, { get }).fetchOne('S2', 'A0', never()))?.records.length, 1);
});

test('an id that leads to something else is not an analysis', async (t) => {
  const server = await studies(t, analyses(1));
  const { repository } = impatient(studyConfig(server.url));
  await t.throwsAsync(() => repository.fetchOne('S1', 'paginated', never()), {
    code: 'UPSTREAM_FAILED',
    message: /answered with something other than this analysis/,
  });
});

test('an unknown study is an error with its name, in each call', async (t) => {
  const server = await studies(t, analyses(1));
  const { repository } = impatient(studyConfig(server.url));
  const expected = {
    code: 'UPSTREAM_FAILED',
    message: /says that there is no study "S9": one of its studies expected$/,
  };
  await t.throwsAsync(() => fetched(repository.fetchAll('S9', never())), expected);
  await t.throwsAsync(() => repository.fetchOne('S9', 'A0', never()), expected);
  server.quirks.unknownStudyIsEmpty = true;
  await t.throwsAsync(() => fetched(repository.fetchAll('S9', never())), expected);
});

test('a study without analyses is a whole fetch of none', async (t) => {
  const server = await studies(t, []);
  server.studies.add('S1');
  const { repository } = impatient(studyConfig(server.url));
  const none = { records: [], skipped: [], failed: [] };
  t.deepEqual(await fetched(repository.fetchAll('S1', never())), { ...none, total: 0 });
});

test('the whole repository is every study once', async (t) => {
  const server = await studies(t, [...analyses(3, 'S1'), analysisOf('S2', 'B1', {})]);
  server.studies.add('empty');
  const { repository } = impatient(studyConfig(server.url));
  const { records, total } = await fetched(repository.fetchAll(null, never()));
  t.deepEqual(
    records.map(({ organization, documentId }) => `${organization} ${documentId}`),
    ['S1 A0', 'S1 A1', 'S1 A2', 'S2 B1'],
  );
  t.is(total, null);
});

test('totals that lie and offsets that are ignored are errors, not shorter listings', async (t) => {
  const server = await studies(t, analyses(6));
  const { repository } = impatient(studyConfig(server.url, { pageSize: 4 }));
  server.quirks.totalOff = -4;
  await t.throwsAsync(() => fetched(repository.fetchAll('S1', never())), {
    message: /cannot be read completely: more rows came than its total of 2/,
  });
  Object.assign(server.quirks, { totalOff: 0, ignoresOffset: true });
  await t.throwsAsync(() => fetched(repository.fetchAll('S1', never())), { code: 'UPSTREAM_FAILED' });
});

test('a 404 that is none of the repository is an error that doubts the base URL', async (t) => {
  const server = await studies(t, analyses(1));
  const { repository } = impatient(studyConfig(`${server.url}/elsewhere`));
  const expected = {
    code: 'UPSTREAM_FAILED',
    message: /answered HTTP 404; .* is this the repository's base URL\?$/,
  };
  await t.throwsAsync(() => repository.probe(never()), expected);
  await t.throwsAsync(() => fetched(repository.fetchAll('S1', never())), expected);
  await t.throwsAsync(() => fetched(repository.fetchAll(null, never())), expected);
  await t.throwsAsync(() => repository.fetchOne('S1', 'A0', never()), expected);
});

test('whole numbers that a double cannot hold keep their digits', async (t) => {
  const server = await studies(t, analyses(1));
  const act = { toJSON: () => (JSON as unknown as RawJson).rawJSON('9007199254740993') };
  server.analyses[0] = { ...server.analyses[0]!, act };
  const { repository } = impatient(studyConfig(server.url));
  const page = await repository.fetchOne('S1', 'A0', never());
  t.is(page?.records[0]?.document['act'], '9007199254740993');
});

interface RawJson {
  readonly rawJSON: (text: string) => unknown;
}

test('no more than one page is read ahead', async (t) => {
  const server = await studies(t, analyses(20));
  const { repository } = impatient(studyConfig(server.url));
  for await (const page of repository.fetchAll('S1', never())) {
    t.is(page.records.length, 2);
    while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    // a third one would be sent by now
    await new Promise((resolve) => setTimeout(resolve, 50));
    break;
  }
  t.is(server.requests.length, 2);
});

const analysis = { analysisId: 'A1', studyId: 'S1', analysisState: 'PUBLISHED' };
const config = studyConfig('http://127.0.0.1');

for (const [what, row, recordId, reason] of [
  ['a text', 'x', '(row 3 of S1)', 'it is not an object'],
  ['null', null, '(row 3 of S1)', 'it is not an object'],
  ['no id', {}, '(row 3 of S1)', 'its analysisId is not a non-empty string'],
  ['another study', { ...analysis, studyId: 'S2' }, 'A1', 'it belongs to another study than S1'],
] as const)
  test(`${what} fails`, (t) => {
    t.deepEqual(analysisDocuments(config, 'S1', row, 3), [{ kind: 'failed', recordId, reason }]);
  });

test('an analysis without samples, or with null, is a document as it is', (t) => {
  for (const document of [analysis, { ...analysis, samples: null }])
    t.deepEqual(analysisDocuments(config, 'S1', document, 1), [
      { kind: 'record', record: { documentId: 'A1', recordId: 'A1', organization: 'S1', document } },
    ]);
});

test('a state must be one of those indexed, in the same case', (t) => {
  for (const analysisState of ['published', 'UNPUBLISHED', null, ['PUBLISHED']])
    t.is(analysisDocuments(config, 'S1', { ...analysis, analysisState }, 1)[0]?.kind, 'skipped');
});

test('files that are not a list fail in file mode', (t) => {
  const fileMode = studyConfig('http://127.0.0.1', { documents: 'file' });
  t.deepEqual(analysisDocuments(fileMode, 'S1', { ...analysis, files: {} }, 1), [
    { kind: 'failed', recordId: 'A1', reason: 'its files are not a list' },
  ]);
});
