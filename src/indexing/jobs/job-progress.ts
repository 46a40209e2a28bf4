import type { Job, JobCounts, JobRequest } from './job.ts';
import type { Engine } from '../../engines/engine.ts';
import type { Repository } from '../repositories/repository.ts';
import type { KeyedLock } from '../../concurrency/keyed-lock.ts';

/** How many record errors a job keeps. */
const maxErrors = 100;

/** What a running job has done so far. */
export interface JobProgress {
  readonly counts: { -readonly [Count in keyof JobCounts]: number };
  /** Counts a record that could not be indexed or removed, and keeps the reason of the first ones. */
  fail(recordId: string, reason: string): void;
  /** The current state. */
  snapshot(): Pick<Job, 'counts' | 'errors'>;
}

/** The counts of a job that has done nothing yet. */
export const noCounts: JobCounts = { fetched: 0, indexed: 0, removed: 0, skipped: 0, failed: 0 };

/** A new progress with nothing done. */
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
  /** Aborts the attempt; what it has written stays valid. */
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
