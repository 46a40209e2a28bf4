import type { JobQueueParts } from './job-queue-parts.ts';
import { JobRunner } from './job-runner.ts';
import type { JobQueue } from './job.ts';

/**
 * Opens the jobs of a data folder and resumes those left by an earlier process. An unusable job store (not writable,
 * open in another process, written by a newer version) does not prevent the start: health reports it, `submit` fails
 * with NOT_READY, and opening is retried every few seconds.
 */
export const openJobQueue = async (parts: JobQueueParts): Promise<JobQueue> => {
  const runner = new JobRunner(parts);
  runner.open();
  return runner;
};
