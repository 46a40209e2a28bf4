import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../../errors/errors.ts';
import { asTributaryError, errorCodes, TributaryError } from '../../errors/errors.ts';
import type { Repository } from '../repositories/repository.ts';
import { noCounts } from './job-progress.ts';
import type { Job, JobRequest } from './job.ts';
import type { Scope } from './scope-queue.ts';
import type { JobLog } from './job-queue-parts.ts';

/** Equal for equivalent requests. */
export const keyOf = (request: JobRequest): string =>
  JSON.stringify(
    request.kind === 'index'
      ? [request.kind, request.repositoryCode, request.organization, request.rebuild]
      : [request.kind, request.repositoryCode, request.organization, request.recordId],
  );

/** What a job of this request works on. */
export const scopeOf = (request: JobRequest, { config }: Repository): Scope => ({
  indexName: config.indexName,
  repositoryCode: config.code,
  organization: request.organization,
  wholeIndex: request.kind === 'index' && request.rebuild,
});

/** A job that has not been started. */
export const newJob = (request: JobRequest, { config }: Repository): Job => ({
  jobId: randomUUID(),
  request,
  indexName: config.indexName,
  state: 'queued',
  counts: noCounts,
  errors: [],
  error: null,
  createdAt: new Date().toISOString(),
  startedAt: null,
  finishedAt: null,
  attempts: 0,
});

/** Why a job failed, in a form safe for callers. */
export const shownError = (failure: unknown): Job['error'] => {
  const { code, message } = asTributaryError(failure);
  return { code, message: errorCodes[code].safe ? message : 'internal error, see the log of the service' };
};

/** The error for an unknown repository code, listing the known ones. */
export const unknownRepository = (code: string, repositories: readonly Repository[]): TributaryError => {
  const codes = repositories.map(({ config }) => config.code);
  const known =
    codes.length === 0
      ? 'none is configured; set REPOSITORIES_PATH'
      : `${codes.join(', ')} ${codes.length === 1 ? 'is' : 'are'} configured`;
  return new TributaryError('NOT_FOUND', `there is no repository ${JSON.stringify(code)}: ${known}`);
};

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
