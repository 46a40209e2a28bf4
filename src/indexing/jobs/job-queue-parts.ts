import type { Engine } from '../../engines/engine.ts';
import type { Repository } from '../repositories/repository.ts';

/** What a job queue works with. */
export interface JobQueueParts {
  readonly engine: Engine;
  readonly repositories: readonly Repository[];
  /** The folder of the job store; made when it is not there. */
  readonly dataPath: string;
  readonly log?: JobLog;
  /**
   * Is called when the fields of that index or alias have changed, or when there is one now. A job has succeeded only
   * when the promise it may give has resolved.
   */
  readonly onIndexed?: (indexName: string) => unknown;
}

/** What of a logger is used here. */
export interface JobLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
