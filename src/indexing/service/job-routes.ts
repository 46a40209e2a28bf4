import type Router from '@koa/router';
import { TributaryError } from '../../errors.ts';
import type { Job, JobQueue, JobState } from '../jobs/job.ts';
import { readEmptyBody, type IndexingLimits } from './empty-body.ts';
import { readQuery } from './query-parameters.ts';

export const jobStates = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'cancelled',
] as const satisfies readonly JobState[];

export const usualJobs = 100;
export const mostJobs = 1_000;

interface JobParts {
  readonly jobs: JobQueue;
  readonly limits: IndexingLimits;
}

/** What became of the accepted requests, and taking one back. */
export const addJobRoutes = (router: Router, { jobs, limits }: JobParts): void => {
  router.get('/jobs', (context) => {
    const { state, limit } = readQuery(context, ['state', 'limit']);
    context.body = { jobs: jobs.list({ ...stateFilter(state), limit: limitOf(limit) }) };
  });
  router.get('/jobs/:jobId', (context) => {
    readQuery(context, []);
    const jobId = context.params['jobId']!;
    context.body = known(jobId, jobs.byId(jobId));
  });
  router.delete('/jobs/:jobId', async (context) => {
    readQuery(context, []);
    await readEmptyBody(context.req, limits);
    const jobId = context.params['jobId']!;
    const job = known(jobId, await jobs.cancel(jobId));
    context.status = job.finishedAt === null ? 202 : 200;
    context.body = job;
  });
};

const known = (jobId: string, job: Job | undefined): Job => {
  if (job === undefined)
    throw new TributaryError('NOT_FOUND', `there is no job ${JSON.stringify(jobId)}: GET /jobs lists them`);
  return job;
};

const stateFilter = (text: string | undefined): { readonly state?: JobState } => {
  if (text === undefined) return {};
  const state = jobStates.find((one) => one === text);
  if (state === undefined)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `the query parameter state must be one of ${jobStates.join(', ')}`,
    );
  return { state };
};

const limitOf = (text: string | undefined): number => {
  if (text === undefined) return usualJobs;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > mostJobs)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `the query parameter limit must be a whole number from 1 to ${mostJobs}`,
    );
  return limit;
};
