import type Router from '@koa/router';
import type { JobQueue } from '../jobs/job.ts';
import { noQuery, readQuery } from './query-parameters.ts';
import { hasToken } from './require-token.ts';

interface HealthParts {
  readonly jobs: JobQueue;
  readonly token: string | undefined;
}

/** GET /health: whether jobs can be accepted and run. Without the token it does not reveal what is checked. */
export const addHealthRoute = (router: Router, { jobs, token }: HealthParts): void => {
  router.get('/health', async (context) => {
    readQuery(context, noQuery);
    const checks = await jobs.health();
    const isHealthy = checks.every(({ ok }) => ok);
    context.status = isHealthy ? 200 : 503;
    context.body = {
      status: isHealthy ? 'healthy' : 'unhealthy',
      ...(hasToken(context, token) ? { checks } : {}),
    };
  });
};
