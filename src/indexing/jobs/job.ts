/** What an indexing request asks for. */
export type JobRequest =
  /** `organization` null: all of the repository. */
  | {
      readonly kind: 'index';
      readonly repositoryCode: string;
      readonly organization: string | null;
      /** Fills a fresh index, which replaces the current one when it is complete. */
      readonly rebuild: boolean;
    }
  | {
      readonly kind: 'indexRecord' | 'removeRecord';
      readonly repositoryCode: string;
      readonly organization: string;
      readonly recordId: string;
    };

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** An accepted request and its state. Immutable: replaced as a whole. */
export interface Job {
  readonly jobId: string;
  readonly request: JobRequest;
  readonly indexName: string;
  readonly state: JobState;
  readonly counts: JobCounts;
  /** The first ones, in order; `counts.failed` is the total number. */
  readonly errors: readonly { readonly recordId: string; readonly reason: string }[];
  /** Why the job as a whole failed; safe to show. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** ISO 8601, in UTC; null until it happens. */
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** How often a process started it: above 1, it was resumed after a crash. */
  readonly attempts: number;
}

export interface JobCounts {
  /** Records received from the repository; one received twice counts twice. */
  readonly fetched: number;
  readonly indexed: number;
  /** Documents; those that a rebuild leaves behind in the old index do not count. */
  readonly removed: number;
  readonly skipped: number;
  readonly failed: number;
}

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
  /** Cancels a queued or running job and returns its state then. Undefined for an unknown id. */
  cancel(jobId: string): Promise<Job | undefined>;
  /**
   * The checks of /health. @returns problems in words safe to show; none when engine, job store and repositories
   * respond
   */
  health(): Promise<readonly HealthCheck[]>;
  /** Accepts nothing new, lets running jobs reach a point to resume from, and closes the store. */
  close(): Promise<void>;
}

export interface HealthCheck {
  /** `engine`, `jobs`, or `repository:CODE`. */
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
}
