import type { Engine } from '../../engines/engine.ts';
import type { Repository } from '../repositories/repository.ts';

/** What a job queue works with. */
export interface JobQueueParts {
  readonly engine: Engine;
  readonly repositories: readonly Repository[];
  /** The folder of the job store; created if missing. */
  readonly dataPath: string;
  /** The most jobs that wait; 10 000 if unset. */
  readonly maxWaiting?: number;
  readonly log?: JobLog;
  /**
   * Called when that index or alias was created or its fields have changed. A job succeeds only once the returned
   * promise, if any, has resolved.
   */
  readonly onIndexed?: (indexName: string) => unknown;
}

/** The part of a logger that is used here. */
export interface JobLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
