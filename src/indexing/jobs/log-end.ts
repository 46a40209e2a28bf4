import type { ErrorCode } from '../../errors.ts';
import { asTributaryError } from '../../errors.ts';
import type { JobLog } from './job-queue-parts.ts';
import type { Job } from './job.ts';

/** What a caller or a repository did; no fault of this program or its engine. */
const ofOthers: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'UPSTREAM_FAILED', 'BAD_USER_INPUT']);

/** One line for a job that has ended; faults come with their stack. @param failure what it threw, null for nothing */
export const logEnd = (log: JobLog, job: Job, failure: unknown): void => {
  const facts = { jobId: job.jobId, ...job.request, counts: job.counts };
  const message = `indexing job ${job.state}`;
  if (failure === null) return log.info(facts, message);
  const { code, message: reason } = asTributaryError(failure);
  if (ofOthers.has(code)) log.warn({ ...facts, code, reason }, message);
  else log.error({ ...facts, err: failure }, message);
};
