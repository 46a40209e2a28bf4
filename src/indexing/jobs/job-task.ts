import type { Engine } from '../../engines/engine.ts';
import type { Repository } from '../repositories/repository.ts';
import type { JobProgress } from './job-progress.ts';
import type { JobRequest } from './job.ts';
import type { KeyedLock } from '../../concurrency/keyed-lock.ts';

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
