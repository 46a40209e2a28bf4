import { setTimeout as delay } from 'node:timers/promises';
import { TributaryError } from '../../lib/errors/errors.ts';
import { endSpan, startRootSpan } from '../../lib/runtime/tracing.ts';
import type { Repository } from '../repositories/repository.ts';
import { mappingGaps } from '../mapping-gaps.ts';
import { healthChecks } from './health-checks.ts';
import { newSerialQueue, newKeyedLock } from '../../lib/concurrency/locks.ts';
import type { JobProgress, JobQueueParts, HealthCheck, Job, JobQueue, JobRequest, JobState } from './job.ts';
import { logEnd, keyOf, newJob, scopeOf, shownError, unknownRepository, newProgress } from './job.ts';
import { JobStore } from './job-store.ts';
import { runJob } from './run-job.ts';
import { newScopeQueue } from './scope-queue.ts';
import { countOf, plural } from '../../lib/text/plural.ts';

/** Concurrent jobs, each with bounded memory. */
const atOnce = 4;
/** Waiting jobs: enough for one per record of a large organization. A whole repository is one job. */
const maxWaiting = 10_000;
const maxFinishedJobs = 1_000;
/** A job during which this many processes crashed is not retried. */
const maxAttempts = 10;
const reopenAfterMs = 3_000;
/** How long `cancel` waits for a running job to end. */
const cancelWaitMs = 2_000;

const cancelled = new TributaryError('CONFLICT', 'the job was cancelled');
const stopping = new TributaryError('NOT_READY', 'the service stops');

const tooManyWaiting = (count: number): TributaryError =>
  new TributaryError(
    'NOT_READY',
    `${countOf(count, 'job')} ${plural(count, 'is', 'are')} waiting, no more are accepted: retry later, or index the whole organization or repository in one job`,
  );

interface RunningJob {
  readonly progress: JobProgress;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Opens the jobs of a data folder and resumes those of an earlier process. An unusable job store (not writable,
 * open in another process, written by a newer version) does not prevent the start: health reports it, `submit` fails
 * with NOT_READY, and opening is retried every few seconds.
 */
export const openJobQueue = async (parts: JobQueueParts): Promise<JobQueue> => {
  const runner = new JobRunner(parts);
  runner.open();
  return runner;
};

/** The jobs of one data folder: stores, queues, runs and reports them. */
class JobRunner implements JobQueue {
  readonly #parts: JobQueueParts;
  readonly #repositories: ReadonlyMap<string, Repository>;
  readonly #line = newScopeQueue(atOnce);
  readonly #lock = newKeyedLock();
  readonly #running = new Map<string, RunningJob>();
  /** Jobs whose state in memory is authoritative: waiting, running, or finished but not yet stored as finished. */
  readonly #live = new Map<string, Job>();
  /** Waiting jobs by request key. */
  readonly #waiting = new Map<string, string>();
  readonly health: () => Promise<readonly HealthCheck[]>;
  #store: JobStore | null = null;
  #reopening: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(parts: JobQueueParts) {
    this.#parts = parts;
    this.#repositories = new Map(
      parts.repositories.map((repository) => [repository.config.code.toLowerCase(), repository]),
    );
    this.health = healthChecks({ ...parts, probeStore: () => this.#opened().probe() });
  }

  /** Opens the store, now or as soon as possible, and queues its jobs. */
  open(): void {
    if (this.#store !== null || this.#closing) return;
    clearTimeout(this.#reopening);
    try {
      this.#opened();
    } catch (error) {
      if (this.#reopening === undefined)
        this.#parts.log?.warn({ err: error }, 'the job store cannot be opened: indexing has to wait');
      this.#reopening = setTimeout(() => this.open(), reopenAfterMs).unref();
    }
  }

  async submit(request: JobRequest): Promise<Job> {
    if (this.#closing) throw stopping;
    const repository = this.#repositories.get(request.repositoryCode.toLowerCase());
    if (repository === undefined) throw unknownRepository(request.repositoryCode, this.#parts.repositories);
    const known = { ...request, repositoryCode: repository.config.code };
    const store = this.#opened();
    const alike = this.#waiting.get(keyOf(known));
    if (alike !== undefined) return this.#live.get(alike)!;
    if (this.#waiting.size >= (this.#parts.maxWaiting ?? maxWaiting))
      throw tooManyWaiting(this.#waiting.size);
    const job = newJob(known, repository);
    store.add(job);
    this.#enqueue(job, repository);
    this.#startNext();
    return job;
  }

  list(filter: { readonly state?: JobState; readonly limit?: number } = {}): readonly Job[] {
    const stored = this.#store?.list(filter.state, filter.limit ?? -1) ?? [];
    return stored.map((job) => this.#asItIs(job.jobId) ?? job);
  }

  byId(jobId: string): Job | undefined {
    return this.#asItIs(jobId) ?? this.#store?.byId(jobId);
  }

  async cancel(jobId: string): Promise<Job | undefined> {
    const running = this.#running.get(jobId);
    if (running !== undefined) {
      running.controller.abort(cancelled);
      await Promise.race([running.ended, delay(cancelWaitMs, undefined, { ref: false })]);
    } else if (this.#line.remove(jobId)) {
      this.#finish(this.#live.get(jobId)!, 'cancelled', null);
      this.#startNext();
    }
    return this.byId(jobId);
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#reopening);
    for (const { controller } of this.#running.values()) controller.abort(stopping);
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    this.#store?.close();
    this.#store = null;
  }

  /** @throws TributaryError NOT_READY */
  #opened(): JobStore {
    if (this.#closing) throw stopping;
    if (this.#store === null) {
      const store = new JobStore(this.#parts.dataPath);
      const unfinished = store.unfinished();
      this.#store = store;
      for (const job of unfinished) this.#takeUp(job);
      this.#startNext();
    }
    return this.#store;
  }

  /** Resumes a job of an earlier process. */
  #takeUp(job: Job): void {
    const repository = this.#repositories.get(job.request.repositoryCode.toLowerCase());
    if (repository === undefined) {
      const gone = `repository ${job.request.repositoryCode} is no longer configured`;
      this.#finish(job, 'failed', new TributaryError('NOT_FOUND', gone));
    } else if (job.attempts >= maxAttempts) {
      const often = `abandoned: the process ended ${job.attempts} times while the job was running`;
      this.#finish(job, 'failed', new TributaryError('NOT_READY', often));
    } else {
      const queued: Job = { ...job, state: 'queued', indexName: repository.config.indexName };
      this.#enqueue(queued, repository);
      this.#save(queued);
    }
  }

  #enqueue(job: Job, repository: Repository): void {
    this.#live.set(job.jobId, job);
    this.#waiting.set(keyOf(job.request), job.jobId);
    this.#line.add(job.jobId, scopeOf(job.request, repository));
  }

  #startNext(): void {
    while (!this.#closing) {
      const jobId = this.#line.next();
      if (jobId === undefined) return;
      this.#start(this.#live.get(jobId)!);
    }
  }

  #start(waiting: Job): void {
    const { jobId, request } = waiting;
    if (this.#waiting.get(keyOf(request)) === jobId) this.#waiting.delete(keyOf(request));
    const attempts = waiting.attempts + 1;
    const job: Job = { ...waiting, state: 'running', startedAt: new Date().toISOString(), attempts };
    this.#live.set(jobId, job);
    this.#save(job);
    this.#parts.log?.info({ jobId, ...request, attempts }, 'indexing job started');
    const progress = newProgress();
    const controller = new AbortController();
    const span = startRootSpan('indexing job');
    const ended = this.#run(job, progress, controller.signal).finally(() => {
      const { state, error } = this.byId(jobId) ?? job;
      endSpan(span, error?.code ?? null, {
        ...{ 'tributary.job': jobId, 'tributary.kind': request.kind, 'tributary.attempt': attempts },
        ...{ 'tributary.repository': request.repositoryCode, 'tributary.index': job.indexName },
        ...{ 'tributary.state': state, 'tributary.fetched': progress.counts.fetched },
        ...{ 'tributary.indexed': progress.counts.indexed, 'tributary.removed': progress.counts.removed },
        'tributary.failed': progress.counts.failed,
      });
      this.#running.delete(jobId);
      this.#line.finish(jobId);
      this.#startNext();
    });
    this.#running.set(jobId, { progress, controller, ended });
  }

  /** Never rejects. */
  async #run(job: Job, progress: JobProgress, signal: AbortSignal): Promise<void> {
    const repository = this.#repositories.get(job.request.repositoryCode.toLowerCase())!;
    const news = coalescedCalls(
      () => this.#parts.onIndexed?.(job.indexName),
      (error) =>
        this.#parts.log?.error(
          { indexName: job.indexName, err: error },
          'a step after a change of an index failed',
        ),
    );
    try {
      await runJob({
        request: job.request,
        engine: this.#parts.engine,
        repository,
        run: `${job.jobId}.${job.attempts}`,
        signal,
        progress,
        lock: this.#lock,
        fresh: this.#opened(),
        onIndexed: news.request,
      });
      await news.settled();
      await this.#warnOfGaps(job);
      this.#finish({ ...job, ...progress.snapshot() }, 'succeeded', null);
    } catch (error) {
      // stays `running` in the store, for the next process to resume
      if (signal.reason === stopping) return;
      const state = signal.reason === cancelled ? 'cancelled' : 'failed';
      this.#finish({ ...job, ...progress.snapshot() }, state, state === 'failed' ? error : null);
    }
  }

  async #warnOfGaps({ jobId, indexName, request }: Job): Promise<void> {
    const { engine, log } = this.#parts;
    // not after every single record
    if (request.kind !== 'index') return;
    // the work is done, even if the engine is away by now or has no such index
    const gaps = await mappingGaps(engine, indexName).catch(() => []);
    for (const gap of gaps) log?.warn({ jobId, indexName }, gap);
  }

  #finish(job: Job, state: 'succeeded' | 'failed' | 'cancelled', failure: unknown): void {
    const error = failure === null ? null : shownError(failure);
    const finished: Job = { ...job, state, error, finishedAt: new Date().toISOString() };
    if (this.#parts.log !== undefined) logEnd(this.#parts.log, finished, failure);
    const { jobId, request } = finished;
    if (this.#waiting.get(keyOf(request)) === jobId) this.#waiting.delete(keyOf(request));
    this.#live.set(jobId, finished);
    if (this.#save(finished)) this.#live.delete(jobId);
  }

  /** A state that cannot be stored is kept in memory; if it is lost, another process repeats the job, which is harmless. */
  #save(job: Job): boolean {
    try {
      this.#store?.save(job);
      if (job.finishedAt !== null) this.#store?.prune(maxFinishedJobs);
      return true;
    } catch (error) {
      this.#parts.log?.error({ jobId: job.jobId, err: error }, 'the state of a job could not be stored');
      return false;
    }
  }

  #asItIs(jobId: string): Job | undefined {
    const job = this.#live.get(jobId);
    const running = this.#running.get(jobId);
    return job === undefined || running === undefined ? job : { ...job, ...running.progress.snapshot() };
  }
}

/**
 * Calls that never overlap: a call requested while another waits to begin is merged into that one.
 * @param call may return a promise; the call then ends when it settles
 * @param onError receives errors of a call
 * @returns `settled` resolves when no call is running or waiting
 */
const coalescedCalls = (call: () => unknown, onError: (error: unknown) => void) => {
  const calls = newSerialQueue();
  let isWaiting = false;
  const request = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    calls(() => {
      isWaiting = false;
      return call();
    }).catch(onError);
  };
  return { request, settled: () => calls(() => undefined) };
};
