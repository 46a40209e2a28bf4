import type { Job, JobCounts } from './job.ts';

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
