import { createServer } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { analysisOf, startStudyServer, type StudyServer } from '../repositories/study-server.ts';
import { startIndexing, until, type IndexingProcess } from './indexing-process.ts';
import { finished, request, readJob } from './indexing-requests.ts';
import { runHere } from '../../cli/run-here.ts';
import { postQuery, run, startNode, type Settings } from './processes.ts';
import { listening } from '../../listening.ts';

/** So many letters, in turns of two families. */
const letters = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    analysisOf(at % 2 === 0 ? 'kin' : 'trade', `letter-${at}`, { pages: at + 1 }),
  );

/** A repository of letters, and the settings of a node that serves and indexes them. */
const archive = async (
  t: ExecutionContext,
  count: number,
): Promise<{ readonly repository: StudyServer; readonly settings: Settings }> => {
  const repository = await startStudyServer(letters(count));
  t.teardown(() => repository.close());
  const folder = temporaryFolder(t, {
    'configs/base.json': { documentType: 'letter', esIndex: 'letters' },
    'repositories.json': {
      repositories: [
        { kind: 'study', code: 'archive', baseUrl: repository.url, indexName: 'letters', pageSize: 10 },
      ],
    },
  });
  return {
    repository,
    settings: {
      CONFIGS_PATH: join(folder, 'configs'),
      REPOSITORIES_PATH: join(folder, 'repositories.json'),
      DATA_PATH: join(folder, 'data'),
    },
  };
};

const letterFile = (t: ExecutionContext): string =>
  join(temporaryFolder(t, { 'letters.ndjson': '{"id":"1","pages":3}\n' }), 'letters.ndjson');

const start = async (
  t: ExecutionContext,
  settings: Settings,
  command: 'start' | 'indexing' = 'start',
): Promise<IndexingProcess> => {
  const node = await startIndexing(command, settings);
  t.teardown(() => node.kill());
  return node;
};

/** The service answers before its process has printed everything. */
const announced = (process: IndexingProcess, what: RegExp): Promise<void> =>
  until(`${what} in the output`, async () => what.test(process.output()));

const total = async (node: IndexingProcess): Promise<unknown> => {
  const answer = await postQuery(`${node.searchUrl}/graphql`, '{ letter { hits { total } } }');
  return (answer.data?.['letter'] as { hits: { total: number } } | undefined)?.hits.total;
};

test('what a repository has can be searched as soon as its job is over, in an index that was not there', async (t) => {
  const { repository, settings } = await archive(t, 25);
  const node = await start(t, settings);
  await announced(
    node,
    /indexing at http:\/\/127\.0\.0\.1:\d+\/api-docs\n {2}repository archive: into letters/,
  );

  const accepted = await request(node, 'POST', 'archive');
  t.like(accepted, { successful: true, indexName: 'letters' });
  const job = await finished(node, accepted.jobId);
  t.like(job, { state: 'succeeded', attempts: 1, error: null });
  t.like(job.counts, { fetched: 25, indexed: 25, removed: 0 });
  t.is(await total(node), 25);
  const answer = await postQuery(
    `${node.searchUrl}/graphql`,
    `{ letter {
      hits(first: 1, sort: [{fieldName: "pages", order: desc}]) { edges { node { analysisId studyId pages } } }
      aggregations { studyId { buckets { key doc_count } } }
    } }`,
  );
  t.deepEqual(answer, {
    data: {
      letter: {
        hits: { edges: [{ node: { analysisId: 'letter-24', studyId: 'kin', pages: 25 } }] },
        aggregations: {
          studyId: {
            buckets: [
              { key: 'kin', doc_count: 13 },
              { key: 'trade', doc_count: 12 },
            ],
          },
        },
      },
    },
  });

  const removal = await request(node, 'DELETE', 'archive/organization/kin/id/letter-24');
  t.is((await finished(node, removal.jobId)).counts.removed, 1);
  t.is(await total(node), 24);
  repository.analyses.shift();
  repository.analyses.push(analysisOf('kin', 'letter-new', { pages: 1, seal: 'red' }));
  const again = await request(node, 'POST', 'archive/organization/kin');
  t.like((await finished(node, again.jobId)).counts, { fetched: 13, indexed: 13, removed: 1 });
  t.is(await total(node), 25);
  const seal = '{ letter { aggregations(include_missing: false) { seal { buckets { key } } } } }';
  t.deepEqual(await postQuery(`${node.searchUrl}/graphql`, seal), {
    data: { letter: { aggregations: { seal: { buckets: [{ key: 'red' }] } } } },
  });
  t.is(await node.stop(), 0);
});

test('a job that is cancelled while it runs ends', async (t) => {
  const { repository, settings } = await archive(t, 60);
  const node = await start(t, settings);
  repository.switches.pageLatencyMs = 300;
  const { jobId } = await request(node, 'POST', 'archive');
  await until('the job to run', async () => (await readJob(node, jobId)).state === 'running');
  const answer = await fetch(`${node.indexingUrl}/jobs/${jobId}`, { method: 'DELETE' });
  t.true([200, 202].includes(answer.status));
  t.is((await finished(node, jobId)).state, 'cancelled');
});

test('the indexing service alone fills the indexes of a server beside it, over one folder', async (t) => {
  const { settings } = await archive(t, 12);
  const service = await start(t, settings, 'indexing');
  await announced(service, /runs the indexing service only, without search\n {2}indexing at /);
  const { jobId } = await request(service, 'POST', 'archive');
  t.like(await finished(service, jobId), { state: 'succeeded' });
  const node = await start(t, { ...settings, INDEXING_TOKEN: 'x' });
  await until('the server to see the index', async () => (await total(node)) === 12);
  const removal = await request(service, 'DELETE', 'archive/organization/kin/id/letter-0');
  await finished(service, removal.jobId);
  await until('the server to see the removal', async () => (await total(node)) === 11);
  const refused = await fetch(`${node.indexingUrl}/index/repository/archive`, {
    method: 'POST',
    headers: { authorization: 'Bearer x' },
  });
  t.is(refused.status, 503, 'the jobs of the folder are those of the other process');
  t.is(await service.stop(), 0);
});

test('without repositories a request is refused with how to configure one', async (t) => {
  const { settings } = await archive(t, 1);
  const node = await start(t, { ...settings, REPOSITORIES_PATH: '' });
  await announced(node, /no repositories are configured \(REPOSITORIES_PATH\)/);
  const response = await fetch(`${node.indexingUrl}/index/repository/archive`, { method: 'POST' });
  t.is(response.status, 404);
  t.regex(((await response.json()) as { message: string }).message, /REPOSITORIES_PATH/);
});

test('a node is started without its indexing service when another program has the usual port', async (t) => {
  const { settings } = await archive(t, 1);
  const usual = createServer();
  // any program may hold it already
  await new Promise<void>((resolve) =>
    usual.once('error', () => resolve()).listen(11_235, '127.0.0.1', resolve),
  );
  t.teardown(() => usual.close());
  await runHere(['load', letterFile(t), '--index', 'letters'], { ...settings, NODES_PATH: 'off' });
  const node = await startNode({ ...settings, NODES_PATH: 'off', INDEXING_PORT: '' });
  t.teardown(() => node.kill());
  t.regex(
    node.output(),
    /^warning: this node runs without its indexing service: .*11235.*INDEXING_PORT=off$/m,
  );
  t.notRegex(node.output(), /indexing at/);
});

test('a port that was named and is taken stops the command', async (t) => {
  const { settings } = await archive(t, 1);
  const port = String((await listening(t, createServer())).port);
  const server = { NODES_PATH: 'off', SERVER_HOST: '127.0.0.1', SERVER_PORT: '0' };
  for (const command of ['start', 'indexing']) {
    const { code, output } = await run([command], { ...settings, ...server, INDEXING_PORT: port });
    t.is(code, 1);
    t.regex(
      output,
      new RegExp(
        `^tributary ${command}: cannot listen on port ${port} of 127\\.0\\.0\\.1: another program has it; set INDEXING_PORT`,
        'm',
      ),
    );
  }
  const off = await run(['indexing'], { ...settings, INDEXING_PORT: 'off' });
  t.is(off.code, 1);
  t.regex(off.output, /^tributary indexing: INDEXING_PORT is off/);
});
