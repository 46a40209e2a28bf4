import type { Engine } from '../../engines/engine.ts';
import type { Repository } from '../repositories/repository.ts';

/** What a job queue works with. */
export interface JobQueueParts {
  readonly engine: Engine;
  readonly repositories: readonly Repository[];
  /** The folder of the job store; made when it is not there. */
  readonly dataPath: string;
  readonly log?: JobLog;
  /** Is called when searches of that index or alias may see other documents or fields. */
  readonly onIndexed?: (indexName: string) => void;
}

/** What of a logger is used here. */
export interface JobLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
