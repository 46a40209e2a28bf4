import type Router from '@koa/router';
import { TributaryError } from '../../errors/errors.ts';
import type { Job, JobQueue } from '../jobs/job.ts';
import { readEmptyBody, type IndexingLimits } from './empty-body.ts';
import { noQuery, queryParameters, readQuery } from './query-parameters.ts';

interface JobParts {
  readonly jobs: JobQueue;
  readonly limits: IndexingLimits;
}

/** Routes to inspect and cancel jobs. */
export const addJobRoutes = (router: Router, { jobs, limits }: JobParts): void => {
  router.get('/jobs', (context) => {
    const { state, limit } = readQuery(context, queryParameters.listJobs);
    context.body = { jobs: jobs.list({ ...(state === undefined ? {} : { state }), limit }) };
  });
  router.get('/jobs/:jobId', (context) => {
    readQuery(context, noQuery);
    const jobId = context.params['jobId']!;
    context.body = known(jobId, jobs.byId(jobId));
  });
  router.delete('/jobs/:jobId', async (context) => {
    readQuery(context, noQuery);
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
