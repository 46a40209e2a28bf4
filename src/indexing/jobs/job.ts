/** What an indexing request asks for. */
export type JobRequest =
  /** `organization` null: every one of the repository. */
  | {
      readonly kind: 'index';
      readonly repositoryCode: string;
      readonly organization: string | null;
      /** A fresh index is filled beside the one that answers, and takes its place when it is complete. */
      readonly rebuild: boolean;
    }
  | {
      readonly kind: 'indexRecord' | 'removeRecord';
      readonly repositoryCode: string;
      readonly organization: string;
      readonly recordId: string;
    };

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** One accepted request and what became of it. Replaced as a whole, never changed. */
export interface Job {
  readonly jobId: string;
  readonly request: JobRequest;
  readonly indexName: string;
  readonly state: JobState;
  readonly counts: JobCounts;
  /** The first of them, in order; `counts.failed` has the number of all. */
  readonly errors: readonly { readonly recordId: string; readonly reason: string }[];
  /** Why the job as a whole failed; safe to show. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** ISO 8601, in UTC; null while it has not happened. */
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** How often a process took it up: above 1, it was resumed after a crash. */
  readonly attempts: number;
}

export interface JobCounts {
  /** Records the repository gave; one that it gave twice counts twice. */
  readonly fetched: number;
  readonly indexed: number;
  /** Documents; what a rebuild leaves behind in the old index does not count. */
  readonly removed: number;
  readonly skipped: number;
  readonly failed: number;
}

/** The jobs of the service, durable in DATA_PATH. */
export interface JobQueue {
  /**
   * Stores a job before it resolves. The same request while one like it is queued gives that one.
   * @throws TributaryError NOT_FOUND no such repository; NOT_READY the job store cannot be written, or the service stops
   */
  submit(request: JobRequest): Promise<Job>;
  /** Newest first. */
  list(filter?: { readonly state?: JobState; readonly limit?: number }): readonly Job[];
  byId(jobId: string): Job | undefined;
  /** Asks a queued or running job to end; gives it as it is then. Undefined for an unknown id. */
  cancel(jobId: string): Promise<Job | undefined>;
  /** What /health shows. @returns problems in words safe to show; none when engine, job store and repositories answer */
  health(): Promise<readonly HealthCheck[]>;
  /** Takes nothing new, lets the running job reach a point it can be resumed from, and closes the store. */
  close(): Promise<void>;
}

export interface HealthCheck {
  /** `engine`, `jobs`, or `repository:CODE`. */
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
}
