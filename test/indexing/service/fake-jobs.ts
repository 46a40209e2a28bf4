import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { HealthCheck, Job, JobQueue, JobRequest, JobState } from '../../../src/indexing/jobs/job.ts';

export interface FakeJobs extends JobQueue {
  /** The requests that came in, in order. */
  readonly submitted: readonly JobRequest[];
}

export interface FakeAnswers {
  /** Thrown by submit. */
  readonly refusal?: Error;
  readonly health?: () => readonly HealthCheck[];
}

const job = (jobId: string, changes: Partial<Job> = {}): Job => ({
  jobId,
  request: { kind: 'index', repositoryCode: 'archive', organization: null, rebuild: false },
  indexName: 'letters',
  state: 'queued',
  counts: { fetched: 0, indexed: 0, removed: 0, skipped: 0, failed: 0 },
  errors: [],
  error: null,
  createdAt: '2026-01-02T03:04:05.678Z',
  startedAt: null,
  finishedAt: null,
  attempts: 0,
  ...changes,
});

/** A queue in memory that knows the repository `archive` and never runs a job. */
export const fakeJobs = ({ refusal, health }: FakeAnswers = {}): FakeJobs => {
  const jobs: Job[] = [];
  const submitted: JobRequest[] = [];
  return {
    submitted,
    submit: async (request) => {
      if (refusal !== undefined) throw refusal;
      if (request.repositoryCode !== 'archive')
        throw new TributaryError('NOT_FOUND', 'there is no such repository');
      submitted.push(request);
      const accepted = job(`j${submitted.length}`, { request });
      jobs.unshift(accepted);
      return accepted;
    },
    list: ({ state, limit = Infinity }: { state?: JobState; limit?: number } = {}) =>
      jobs.filter((one) => state === undefined || one.state === state).slice(0, limit),
    byId: (jobId) => jobs.find((one) => one.jobId === jobId),
    cancel: async (jobId) => {
      const at = jobs.findIndex((one) => one.jobId === jobId);
      const found = jobs[at];
      if (found === undefined) return undefined;
      jobs[at] = { ...found, state: 'cancelled', finishedAt: found.finishedAt ?? '2026-01-02T03:05:00.000Z' };
      return jobs[at];
    },
    health: async () => health?.() ?? [{ name: 'engine', ok: true, message: 'answers' }],
    close: async () => undefined,
  };
};
