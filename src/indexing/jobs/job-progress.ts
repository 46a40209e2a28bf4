import type { Job, JobCounts } from './job.ts';

/** How many errors of single records a job keeps. */
const keptErrors = 100;

/** What a running job has done so far. */
export interface JobProgress {
  readonly counts: { -readonly [Count in keyof JobCounts]: number };
  /** Counts a record that could not be indexed or removed, and keeps the reason if it is among the first. */
  fail(recordId: string, reason: string): void;
  /** As of now. */
  snapshot(): Pick<Job, 'counts' | 'errors'>;
}

/** The counts of a job that has not done anything. */
export const noCounts: JobCounts = { fetched: 0, indexed: 0, removed: 0, skipped: 0, failed: 0 };

/** A progress that begins with nothing done. */
export const newProgress = (): JobProgress => {
  const counts = { ...noCounts };
  const errors: { recordId: string; reason: string }[] = [];
  return {
    counts,
    fail: (recordId, reason) => {
      counts.failed += 1;
      if (errors.length < keptErrors) errors.push({ recordId, reason });
    },
    snapshot: () => ({ counts: { ...counts }, errors: [...errors] }),
  };
};
