import type { ErrorCode } from '../../errors/errors.ts';
import { asTributaryError } from '../../errors/errors.ts';
import type { JobLog } from './job-queue-parts.ts';
import type { Job } from './job.ts';

/** Errors caused by a caller or a repository, not by this program or its engine. */
const ofOthers: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'UPSTREAM_FAILED', 'BAD_USER_INPUT']);

/** Logs one line for a job that has ended, with the stack for faults. @param failure what it threw, or null */
export const logEnd = (log: JobLog, job: Job, failure: unknown): void => {
  const facts = { jobId: job.jobId, ...job.request, counts: job.counts };
  const message = `indexing job ${job.state}`;
  if (failure === null) return log.info(facts, message);
  const { code, message: reason } = asTributaryError(failure);
  if (ofOthers.has(code)) log.warn({ ...facts, code, reason }, message);
  else log.error({ ...facts, err: failure }, message);
};
