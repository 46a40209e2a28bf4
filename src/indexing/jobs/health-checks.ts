import type { Engine } from '../../engines/engine.ts';
import { asTributaryError, errorCodes } from '../../lib/errors/errors.ts';
import { describeIfThere } from '../index-target.ts';
import type { Repository } from '../repositories/repository.ts';
import type { HealthCheck } from './job.ts';

/** Timeout of one check, and how long its result is cached. */
const timeoutMs = 5_000;
const freshMs = 3_000;

interface HealthParts {
  readonly engine: Engine;
  readonly repositories: readonly Repository[];
  /** @throws TributaryError if jobs cannot be stored now */
  readonly probeStore: () => void;
}

/** Checks the engine, the job store and every repository; results are cached briefly. */
export const healthChecks = (parts: HealthParts): (() => Promise<readonly HealthCheck[]>) => {
  let results: Promise<readonly HealthCheck[]> | null = null;
  let checkedAt = -Infinity;
  return () => {
    if (results === null || performance.now() - checkedAt > freshMs) {
      checkedAt = performance.now();
      results = runChecks(parts);
    }
    return results;
  };
};

const runChecks = ({ engine, repositories, probeStore }: HealthParts): Promise<readonly HealthCheck[]> =>
  Promise.all([
    check('engine', () => describeIfThere(engine, repositories[0]?.config.indexName ?? 'none')),
    check('jobs', async () => probeStore()),
    ...repositories.map((repository) =>
      check(`repository:${repository.config.code}`, (signal) => repository.probe(signal)),
    ),
  ]);

const check = async (
  name: string,
  probe: (signal: AbortSignal) => Promise<unknown>,
): Promise<HealthCheck> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<'late'>((resolve) => signal.addEventListener('abort', () => resolve('late')));
  try {
    const answer = await Promise.race([probe(signal), late]);
    return answer === 'late' ? lateCheck(name) : { name, ok: true, message: 'ok' };
  } catch (error) {
    if (signal.aborted) return lateCheck(name);
    const { code, message } = asTributaryError(error);
    return { name, ok: false, message: errorCodes[code].safe ? message : 'internal error' };
  }
};

const lateCheck = (name: string): HealthCheck => ({
  name,
  ok: false,
  message: `no answer within ${timeoutMs} ms`,
});
