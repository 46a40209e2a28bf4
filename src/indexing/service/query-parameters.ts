import type Koa from 'koa';
import { z } from 'zod';
import { TributaryError } from '../../errors/errors.ts';
import type { JobState } from '../jobs/job.ts';

/** The states of a job, as a query parameter names them. */
export const jobStates = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'cancelled',
] as const satisfies readonly JobState[];

const defaultJobs = 100;
const maxJobs = 1_000;

/** The query parameters of each operation that has any: read by its route, shown in the OpenAPI document. */
export const queryParameters = {
  indexRepository: z.object({
    rebuild: z
      .enum(['true', 'false'], 'true or false')
      .transform((text) => text === 'true')
      .pipe(z.boolean())
      .default(false)
      .describe('Fill a new index beside the current one, and replace that when it is complete'),
  }),
  listJobs: z.object({
    state: z
      .enum(jobStates, `one of ${jobStates.join(', ')}`)
      .optional()
      .describe('Only jobs in this state'),
    limit: z
      .string()
      .regex(/^\d{1,9}$/, `a number from 1 to ${maxJobs}`)
      .transform(Number)
      .pipe(z.int().min(1, `a number from 1 to ${maxJobs}`).max(maxJobs, `a number from 1 to ${maxJobs}`))
      .default(defaultJobs)
      .describe('The most jobs to return'),
  }),
} as const;

/** For an operation without query parameters. */
export const noQuery = z.object({});

/**
 * The query parameters of a request: only known ones, each at most once.
 * @throws TributaryError BAD_USER_INPUT naming one that is unknown, repeated or malformed, and what is accepted
 */
export const readQuery = <Schema extends z.ZodObject>(
  context: Koa.Context,
  schema: Schema,
): z.output<Schema> => {
  const { searchParams } = context.URL;
  const known = Object.keys(schema.shape);
  for (const [given] of searchParams) {
    if (!known.includes(given))
      throw new TributaryError(
        'BAD_USER_INPUT',
        `the query parameter ${JSON.stringify(given.slice(0, 80))} is not known here: ${
          known.length === 0 ? 'none' : known.join(' or ')
        } expected`,
      );
    if (searchParams.getAll(given).length > 1)
      throw new TributaryError('BAD_USER_INPUT', `the query parameter ${given} is given more than once`);
  }
  const read = schema.safeParse(Object.fromEntries(searchParams));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new TributaryError(
    'BAD_USER_INPUT',
    `the query parameter ${String(issue!.path[0])} must be ${issue!.message}`,
  );
};
