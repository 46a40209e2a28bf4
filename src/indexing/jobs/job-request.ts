import { randomUUID } from 'node:crypto';
import { asTributaryError, errorCodes, TributaryError } from '../../errors/errors.ts';
import type { Repository } from '../repositories/repository.ts';
import { noCounts } from './job-progress.ts';
import type { Job, JobRequest } from './job.ts';
import type { Scope } from './scope-queue.ts';

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
