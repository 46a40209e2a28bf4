import type Router from '@koa/router';
import type { HealthCheck, JobQueue } from '../jobs/job.ts';
import { readQuery } from './query-parameters.ts';
import { hasToken } from './require-token.ts';

interface HealthParts {
  readonly jobs: JobQueue;
  readonly token: string | undefined;
}

/** How long an answer is kept: every check asks the engine and the repositories themselves. */
const keepMs = 1_000;

/** GET /health: whether jobs can be taken and done. Without the token it does not say what is checked. */
export const addHealthRoute = (router: Router, { jobs, token }: HealthParts): void => {
  const check = keptFor(keepMs, () => jobs.health());
  router.get('/health', async (context) => {
    readQuery(context, []);
    const checks = await check();
    const isHealthy = checks.every(({ ok }) => ok);
    context.status = isHealthy ? 200 : 503;
    context.body = {
      status: isHealthy ? 'healthy' : 'unhealthy',
      ...(hasToken(context, token) ? { checks } : {}),
    };
  });
};

type Check = () => Promise<readonly HealthCheck[]>;

/** Callers at the same time share one look. */
const keptFor = (milliseconds: number, look: Check): Check => {
  let kept: { readonly checks: Promise<readonly HealthCheck[]>; untilMs: number } | undefined;
  return () => {
    if (kept === undefined || kept.untilMs <= performance.now()) {
      const now = { checks: look(), untilMs: Infinity };
      const done = (): void => {
        now.untilMs = performance.now() + milliseconds;
      };
      now.checks.then(done, done);
      kept = now;
    }
    return kept.checks;
  };
};
