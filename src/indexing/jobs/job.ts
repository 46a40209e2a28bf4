import type { Engine } from '../../engines/engine.ts';
import type { Repository } from '../repositories/repository.ts';
import type { KeyedLock } from '../../lib/concurrency/locks.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { asTributaryError, errorCodes, TributaryError, type ErrorCode } from '../../lib/errors/errors.ts';
import type { Scope } from './scope-queue.ts';

export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

const count = z.int().nonnegative();
const time = z.iso.datetime();

/** The shapes of jobs: of those in the store, and as callers get them. */
export const jobSchemas = {
  JobRequest: z.union([
    z.strictObject({
      kind: z.literal('index'),
      repositoryCode: z.string(),
      organization: z.string().nullable().describe('null: every organization'),
      rebuild: z.boolean().describe('Fills a new index, which replaces the current one when it is complete'),
    }),
    z.strictObject({
      kind: z.enum(['indexRecord', 'removeRecord']),
      repositoryCode: z.string(),
      organization: z.string(),
      recordId: z.string(),
    }),
  ]),
  JobCounts: z.strictObject({
    fetched: count.describe('Records that came from the repository; a record that came twice counts twice'),
    indexed: count.describe('Documents written'),
    removed: count.describe('Documents removed, without those that a rebuild leaves behind in the old index'),
    skipped: count.describe('Records that are not to be indexed: unpublished, invalid, excluded'),
    failed: count.describe('Records that could not be indexed'),
  }),
  FailedRecord: z.strictObject({ recordId: z.string(), reason: z.string() }),
  JobError: z.strictObject({ code: z.string(), message: z.string() }),
  HealthCheck: z.strictObject({
    name: z.string().describe('engine, jobs or repository:CODE'),
    ok: z.boolean(),
    message: z.string(),
  }),
};

export const jobSchema = z.strictObject({
  jobId: z.string(),
  request: jobSchemas.JobRequest,
  indexName: z.string(),
  state: z.enum(jobStates),
  counts: jobSchemas.JobCounts,
  errors: z.array(jobSchemas.FailedRecord).describe('The first of them; counts.failed has the number of all'),
  error: jobSchemas.JobError.nullable().describe('Why the job as a whole failed'),
  createdAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  attempts: count.describe('Above 1: it was resumed after a crash'),
});

/** The records to index or remove. */
export type JobRequest = Readonly<z.infer<typeof jobSchemas.JobRequest>>;
/** An accepted request and its state. Immutable: replaced as a whole. */
export type Job = Readonly<z.infer<typeof jobSchema>>;
export type JobCounts = Readonly<z.infer<typeof jobSchemas.JobCounts>>;
export type HealthCheck = Readonly<z.infer<typeof jobSchemas.HealthCheck>>;

/** The jobs of the service, durable in DATA_PATH. */
export interface JobQueue {
  /**
   * Resolves once the job is stored. If the same request is already queued, returns that job.
   * @throws TributaryError NOT_FOUND no such repository; NOT_READY the job store cannot be written, too many jobs are
   *   waiting, or the service is stopping
   */
  submit(request: JobRequest): Promise<Job>;
  /** Newest first. */
  list(filter?: { readonly state?: JobState; readonly limit?: number }): readonly Job[];
  byId(jobId: string): Job | undefined;
  /** Cancels a queued or running job and returns its state after that. Undefined if the id is unknown. */
  cancel(jobId: string): Promise<Job | undefined>;
  /**
   * Runs the checks of /health. @returns problems in words that are safe to show; none when engine, job store and repositories
   * respond
   */
  health(): Promise<readonly HealthCheck[]>;
  /** Accepts no new jobs, lets running ones reach a point to resume from, and closes the store. */
  close(): Promise<void>;
}

/** The dependencies of a job queue. */
export interface JobQueueParts {
  readonly engine: Engine;
  readonly repositories: readonly Repository[];
  /** The folder of the job store; created if missing. */
  readonly dataPath: string;
  /** The maximum number of waiting jobs; 10 000 if unset. */
  readonly maxWaiting?: number;
  readonly log?: JobLog;
  /**
   * Called when that index or alias was created or its fields have changed. A job only succeeds once the returned
   * promise, if any, has resolved.
   */
  readonly onIndexed?: (indexName: string) => unknown;
}

/** The part of a logger that is used here. */
export interface JobLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

const maxErrors = 100;

/** The progress of a running job. */
export interface JobProgress {
  readonly counts: { -readonly [Count in keyof JobCounts]: number };
  /** Counts a record that could not be indexed or removed, and keeps the first reasons. */
  fail(recordId: string, reason: string): void;
  /** The current state. */
  snapshot(): Pick<Job, 'counts' | 'errors'>;
}

/** The counts of a job that has not done anything yet. */
export const noCounts: JobCounts = { fetched: 0, indexed: 0, removed: 0, skipped: 0, failed: 0 };

/** The progress of a job that has not done anything yet. */
export const newProgress = (): JobProgress => {
  const counts = { ...noCounts };
  const errors: { recordId: string; reason: string }[] = [];
  return {
    counts,
    fail: (recordId, reason) => {
      counts.failed += 1;
      if (errors.length < maxErrors) errors.push({ recordId, reason });
    },
    snapshot: () => ({ counts: { ...counts }, errors: [...errors] }),
  };
};

/** One attempt at a job, with its dependencies. */
export interface JobTask {
  readonly request: JobRequest;
  readonly engine: Engine;
  readonly repository: Repository;
  /** Identifies this attempt in every document it writes. */
  readonly run: string;
  /** Aborts the attempt; documents already written stay valid. */
  readonly signal: AbortSignal;
  readonly progress: JobProgress;
  readonly lock: KeyedLock;
  readonly fresh: FreshIndexes;
  /** Called when the fields of the index have changed. */
  readonly onIndexed: () => void;
}

/** The indexes that rebuilds fill, recorded durably from before their creation until they are in use or deleted. */
export interface FreshIndexes {
  addFresh(index: string): void;
  removeFresh(index: string): void;
  freshIndexes(): readonly string[];
}

/** Equal for equivalent requests. */
export const keyOf = (request: JobRequest): string =>
  JSON.stringify(
    request.kind === 'index'
      ? [request.kind, request.repositoryCode, request.organization, request.rebuild]
      : [request.kind, request.repositoryCode, request.organization, request.recordId],
  );

/** The scope of a job with this request. */
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

/** The reason why a job failed, in a form that is safe for callers. */
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

/** Codes of errors caused by a caller or a repository, not by this program or its engine. */
const ofOthers: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'UPSTREAM_FAILED', 'BAD_USER_INPUT']);

/** Logs one line for a job that has ended, with the stack for faults. @param failure the error that it threw, or null */
export const logEnd = (log: JobLog, job: Job, failure: unknown): void => {
  const facts = { jobId: job.jobId, ...job.request, counts: job.counts };
  const message = `indexing job ${job.state}`;
  if (failure === null) return log.info(facts, message);
  const { code, message: reason } = asTributaryError(failure);
  if (ofOthers.has(code)) log.warn({ ...facts, code, reason }, message);
  else log.error({ ...facts, err: failure }, message);
};
