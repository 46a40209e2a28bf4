import type { JobQueueParts } from './job-queue-parts.ts';
import { JobRunner } from './job-runner.ts';
import type { JobQueue } from './job.ts';

/**
 * Opens the jobs of a data folder and goes on with those that an earlier process left. A job store that cannot be used
 * (it cannot be written, another process has it, a newer version wrote it) does not stand in the way: health tells of
 * it, `submit` is refused with NOT_READY, and it is tried again every few seconds.
 */
export const openJobQueue = async (parts: JobQueueParts): Promise<JobQueue> => {
  const runner = new JobRunner(parts);
  runner.open();
  return runner;
};
