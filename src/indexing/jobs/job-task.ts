import type { Engine } from '../../engines/engine.ts';
import type { Repository } from '../repositories/repository.ts';
import type { JobProgress } from './job-progress.ts';
import type { JobRequest } from './job.ts';
import type { KeyedLock } from './keyed-lock.ts';

/** One attempt at a job, and what it works with. */
export interface JobTask {
  readonly request: JobRequest;
  readonly engine: Engine;
  readonly repository: Repository;
  /** Names this attempt in every document that it writes. */
  readonly run: string;
  /** Ends the attempt where it is; what it has written stays good. */
  readonly signal: AbortSignal;
  readonly progress: JobProgress;
  readonly lock: KeyedLock;
  readonly fresh: FreshIndexes;
  /** Is called when the fields of the index have changed. */
  readonly onIndexed: () => void;
}

/** The indexes that rebuilds fill, kept durably from before they are made until they are in use or deleted. */
export interface FreshIndexes {
  addFresh(index: string): void;
  removeFresh(index: string): void;
  freshIndexes(): readonly string[];
}
