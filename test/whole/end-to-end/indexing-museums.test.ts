import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { startRecordServer, submittedRecordOf, type RecordServer } from '../repositories/record-server.ts';
import { analysisOf, startStudyServer, type StudyServer } from '../repositories/study-server.ts';
import { startIndexing, until, type IndexingProcess } from './indexing-process.ts';
import { done, finished, request, readJob } from './indexing-requests.ts';
import { postQuery, type Settings } from './processes.ts';

interface Museums {
  readonly drawings: StudyServer;
  readonly prints: RecordServer;
  readonly settings: Settings;
}

const drawings = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    analysisOf(at % 3 === 0 ? 'sketchbooks' : 'watercolours', `drawing-${at}`, {
      art: 'drawing',
      year: 1790 + (at % 50),
    }),
  );

/** Ids as a repository may have them: with characters that mean something in a path. */
const prints = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    submittedRecordOf(at % 2 === 0 ? 'north' : 'south', `prints:a/${at}?`, {
      art: 'print',
      year: 1800 + (at % 7),
    }),
  );

/** A study-based repository and a record-based one whose records go to one index, and the settings of a node over it. */
const museums = async (t: ExecutionContext, count: number): Promise<Museums> => {
  const study = await startStudyServer(drawings(count));
  const record = await startRecordServer(prints(count));
  t.teardown(() => Promise.all([study.close(), record.close()]));
  const shared = { indexName: 'works', pageSize: 50 };
  const folder = temporaryFolder(t, {
    'configs/base.json': { documentType: 'work', esIndex: 'works' },
    'repositories.json': {
      repositories: [
        { kind: 'study', code: 'drawings', baseUrl: study.url, ...shared },
        {
          kind: 'record',
          code: 'prints',
          baseUrl: record.url,
          ...shared,
          categoryId: '1',
          map: [{ flatten: 'data' }],
        },
      ],
    },
  });
  return {
    drawings: study,
    prints: record,
    settings: {
      CONFIGS_PATH: join(folder, 'configs'),
      REPOSITORIES_PATH: join(folder, 'repositories.json'),
      DATA_PATH: join(folder, 'data'),
    },
  };
};

const start = async (t: ExecutionContext, settings: Settings): Promise<IndexingProcess> => {
  const node = await startIndexing('start', settings);
  t.teardown(() => node.kill());
  return node;
};

/** What a portal sees: the total, and the counts of each art and year. */
const seen = async (node: IndexingProcess): Promise<unknown> => {
  const facets = '{ art { buckets { key doc_count } } year { stats { count min max sum } } }';
  const answer = await postQuery(
    `${node.searchUrl}/graphql`,
    `{ work { hits { total } aggregations ${facets} } }`,
  );
  if (answer.data === undefined) throw new Error(JSON.stringify(answer));
  const { hits, aggregations } = answer.data['work'] as {
    readonly hits: { readonly total: number };
    readonly aggregations: {
      readonly art: { readonly buckets: readonly { readonly key: string; readonly doc_count: number }[] };
      readonly year: { readonly stats: object };
    };
  };
  const arts = aggregations.art.buckets.map(({ key, doc_count }) => [key, doc_count]);
  return { total: hits.total, ...Object.fromEntries(arts), years: aggregations.year.stats };
};

/** Computed from what the repositories hold. */
const held = (...documents: readonly (readonly object[])[]): unknown => {
  const all = documents
    .flat()
    .map((one) => ('data' in one ? one.data : one) as { art: string; year: number });
  const years = all.map(({ year }) => year);
  const arts: Record<string, number> = {};
  for (const { art } of all) arts[art] = (arts[art] ?? 0) + 1;
  const sum = years.reduce((left, right) => left + right, 0);
  const stats = { count: years.length, min: Math.min(...years), max: Math.max(...years), sum };
  return { total: all.length, ...arts, years: stats };
};

test('two kinds of repositories: indexed, one removed, indexed again after removals upstream, all exact', async (t) => {
  const { drawings: study, prints: record, settings } = await museums(t, 230);
  const node = await start(t, settings);
  for (const code of ['drawings', 'prints'])
    t.like((await done(node, 'POST', code)).counts, { fetched: 230, indexed: 230, removed: 0 });
  t.deepEqual(await seen(node), held(study.analyses, record.records));

  const [first, ...others] = record.records;
  const path = `prints/organization/north/id/${encodeURIComponent(first!.systemId)}`;
  t.is((await done(node, 'DELETE', path.replace('north', 'south'))).counts.removed, 0, 'it is of another');
  t.is((await done(node, 'DELETE', path)).counts.removed, 1);
  t.deepEqual(await seen(node), held(study.analyses, others));
  t.is((await done(node, 'POST', path)).counts.indexed, 1);
  t.deepEqual(await seen(node), held(study.analyses, record.records));

  study.analyses.splice(20, 90);
  record.records.splice(0, 70);
  t.like((await done(node, 'POST', 'drawings')).counts, { fetched: 140, indexed: 140, removed: 90 });
  t.deepEqual(await seen(node), held(study.analyses, prints(230)), 'the other repository is as it was');
  t.like((await done(node, 'POST', 'prints')).counts, { fetched: 160, indexed: 160, removed: 70 });
  t.deepEqual(await seen(node), held(study.analyses, record.records));

  const before = held(study.analyses, record.records);
  const faults = [
    { repository: study, code: 'drawings', fault: { kind: 'cut' }, why: /offset=50.* connection closed/ },
    {
      repository: record,
      code: 'prints',
      fault: { kind: 'garbage' },
      why: /page=3 did not answer with JSON/,
    },
  ] as const;
  for (const { repository, code, fault, why } of faults) {
    Object.assign(repository.switches, { fault, goodPages: 2 });
    (repository === study ? study.analyses : record.records).splice(0, 20);
    for (const rebuild of ['', '?rebuild=true']) {
      repository.switches.goodPages = 2;
      const job = await done(node, 'POST', `${code}${rebuild}`);
      t.like(job, { state: 'failed', counts: { removed: 0 } });
      t.is(job.error?.code, 'UPSTREAM_FAILED');
      t.regex(job.error?.message ?? '', why);
      t.deepEqual(await seen(node), before, `nothing is removed after ${code}${rebuild}`);
    }
  }
});

test('SIGTERM while a job runs: the process ends in order, the next one does the job to its end', async (t) => {
  const { drawings: study, settings } = await museums(t, 230);
  const node = await start(t, settings);
  study.switches.pageLatencyMs = 300;
  const { jobId } = await request(node, 'POST', 'drawings');
  await until('records to come', async () => (await readJob(node, jobId)).counts.fetched > 0);
  const waiting = await request(node, 'DELETE', 'drawings/organization/sketchbooks/id/drawing-0');
  t.is(await node.stop(), 0);
  t.regex(node.output(), /^stopping$/m);
  t.notRegex(node.output(), /"level":[56]0/, 'to be stopped is not a failure');

  study.switches.pageLatencyMs = 0;
  const next = await start(t, settings);
  t.like(await finished(next, jobId), { state: 'succeeded', attempts: 2, counts: { indexed: 230 } });
  t.like(await finished(next, waiting.jobId), { state: 'succeeded', attempts: 1, counts: { removed: 1 } });
  t.deepEqual(await seen(next), held(study.analyses.slice(1)));
});

test('a rebuild in a shared index, killed and taken up again: readers never see fewer documents than before', async (t) => {
  const { drawings: study, prints: record, settings } = await museums(t, 230);
  const node = await start(t, settings);
  for (const code of ['drawings', 'prints']) await done(node, 'POST', code);
  const before = held(study.analyses, record.records);
  study.analyses.push(...drawings(260).slice(230));
  const after = held(study.analyses, record.records);

  study.switches.pageLatencyMs = 100;
  const { jobId } = await request(node, 'POST', 'drawings?rebuild=true');
  await until('records to come', async () => (await readJob(node, jobId)).counts.fetched > 0);
  t.deepEqual(await seen(node), before);
  await node.kill();

  const next = await start(t, settings);
  const views: unknown[] = [];
  await until('the rebuild to be over', async () => {
    views.push(await seen(next));
    return (await readJob(next, jobId)).state === 'succeeded';
  });
  t.like(await readJob(next, jobId), { attempts: 2, counts: { indexed: 260 } });
  t.deepEqual(await seen(next), after);
  const isWhole = (view: unknown) =>
    [before, after].some((whole) => JSON.stringify(whole) === JSON.stringify(view));
  t.deepEqual(
    views.filter((view) => !isWhole(view)),
    [],
  );
});
