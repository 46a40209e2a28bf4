import { setTimeout as delay } from 'node:timers/promises';
import { openEmbeddedEngine } from '../../../src/engines/embedded/embedded-engine.ts';
import { openJobQueue } from '../../../src/indexing/jobs/job-runner.ts';
import { fakeRepository, record } from './fake-repository.ts';

// Run by killed.test.ts: opens the jobs of a folder, asks for one more job, and says its id and each page.

const [dataPath, count, rebuild] = process.argv.slice(2) as [string, string, string];
const records = Array.from({ length: Number(count) }, (_, number) => record(`r${number}`));
const repository = fakeRepository({ pageSize: 1_000 }, records);
repository.beforePage = async (page) => {
  console.log(`page ${page}`);
  await delay(20);
};
const engine = openEmbeddedEngine(dataPath, 0);
const queue = await openJobQueue({ engine, repositories: [repository], dataPath });
const request = { kind: 'index', repositoryCode: 'museum', organization: null } as const;
const { jobId } = await queue.submit({ ...request, rebuild: rebuild === 'rebuild' });
console.log(`job ${jobId}`);
