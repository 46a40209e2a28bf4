import type Router from '@koa/router';
import type Koa from 'koa';
import type { Logger } from 'pino';
import type { JobQueue, JobRequest, Job } from '../jobs/job.ts';
import { readEmptyBody, hasToken, noQuery, queryParameters, readQuery } from './request-checks.ts';
import { TributaryError } from '../../lib/errors/errors.ts';

export interface RouteParts {
  readonly jobs: JobQueue;
  readonly log: Logger;
  readonly token: string | undefined;
}

const repositoryPath = '/index/repository/:repositoryCode';
const organizationPath = `${repositoryPath}/organization/:organization`;
const recordPath = `${organizationPath}/id/:id`;

type ReadRequest = (context: Koa.Context, names: Readonly<Record<string, string>>) => JobRequest;

/** The routes behind the token: operations that submit a job (contract, "Indexing service"), jobs, health. */
export const addRoutes = (router: Router, parts: RouteParts): void => {
  addIndexRoutes(router, parts);
  addJobRoutes(router, parts);
  addHealthRoute(router, parts);
};

const addIndexRoutes = (router: Router, parts: RouteParts): void => {
  router.post(repositoryPath, (context) => accept(context, context.params, wholeRepository, parts));
  router.post(organizationPath, (context) => accept(context, context.params, oneOrganization, parts));
  router.post(recordPath, (context) => accept(context, context.params, oneRecord('indexRecord'), parts));
  router.delete(recordPath, (context) => accept(context, context.params, oneRecord('removeRecord'), parts));
};

/** 202 once the job is stored; the job reports later failures. */
const accept = async (
  context: Koa.Context,
  names: Readonly<Record<string, string>>,
  readRequest: ReadRequest,
  { jobs, log }: RouteParts,
): Promise<void> => {
  const request = readRequest(context, names);
  await readEmptyBody(context.req);
  const { jobId, indexName } = await jobs.submit(request);
  log.info({ jobId, indexName, ...request }, 'indexing job accepted');
  context.status = 202;
  context.set('location', `/jobs/${encodeURIComponent(jobId)}`);
  context.body = { successful: true, indexName, jobId };
};

const wholeRepository: ReadRequest = (context, { repositoryCode }) => ({
  kind: 'index',
  repositoryCode: repositoryCode!,
  organization: null,
  rebuild: readQuery(context, queryParameters.indexRepository).rebuild,
});

const oneOrganization: ReadRequest = (context, { repositoryCode, organization }) => {
  readQuery(context, noQuery);
  return { kind: 'index', repositoryCode: repositoryCode!, organization: organization!, rebuild: false };
};

const oneRecord =
  (kind: 'indexRecord' | 'removeRecord'): ReadRequest =>
  (context, { repositoryCode, organization, id }) => {
    readQuery(context, noQuery);
    return { kind, repositoryCode: repositoryCode!, organization: organization!, recordId: id! };
  };

/** GET /health: whether jobs can be accepted and run. Without the token it does not show the checks. */
const addHealthRoute = (router: Router, parts: RouteParts): void => {
  router.get('/health', async (context) => {
    readQuery(context, noQuery);
    const checks = await parts.jobs.health();
    const isHealthy = checks.every(({ ok }) => ok);
    context.status = isHealthy ? 200 : 503;
    context.body = {
      status: isHealthy ? 'healthy' : 'unhealthy',
      ...(hasToken(context, parts.token) ? { checks } : {}),
    };
  });
};

const addJobRoutes = (router: Router, { jobs }: RouteParts): void => {
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
    await readEmptyBody(context.req);
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
