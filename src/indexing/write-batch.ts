import { TributaryError } from '../lib/errors/errors.ts';
import { retryBudgetOf, retrying, type Wait } from '../lib/net/retry.ts';
import type { Engine, WriteOperation, WriteOutcome } from '../engines/engine.ts';

const attempts = 6;
const delays = { firstMs: 200, maxMs: 10_000 };
/** The longest wait that a server can request. */
const maxRetryAfterMs = 60_000;
const transient = new Set(['ENGINE_UNAVAILABLE', 'ENGINE_TIMEOUT', 'connection_error']);
/** Servers refuse a whole request if one operation is invalid, e.g. with a key of more than 512 bytes. */
const ofOneOperation = new Set(['BAD_USER_INPUT', 'PAYLOAD_TOO_LARGE']);

/**
 * Writes the operations and returns one outcome for each. Operations that the engine calls retryable are retried with
 * exponential backoff and full jitter: six attempts, at most about 6 s, or as long as the server's retry-after, up to a
 * minute. A whole request to an unavailable engine is retried too, within the engine's retry budget. Nothing below retries.
 * Operations are upserts by id, so repeating one changes nothing. A request rejected as a whole is split until the
 * operation at fault is found.
 * @throws TributaryError the engine's error after the last attempt
 */
export const writeBatch = async (
  engine: Engine,
  index: string,
  operations: readonly WriteOperation[],
  wait?: Wait,
): Promise<readonly WriteOutcome[]> => {
  if (operations.length === 0) return [];
  const outcomes: WriteOutcome[] = [];
  let open = operations.map((_operation, position) => position);
  /** @returns the error of the whole request, or null */
  const writeOpen = async (): Promise<{ readonly error: unknown } | null> => {
    try {
      const answered = await writeParts(
        engine,
        index,
        open.map((position) => operations[position]!),
      );
      answered.forEach((outcome, at) => (outcomes[open[at]!] = outcome));
      open = open.filter((_position, at) => isRetryable(answered[at]!));
      return null;
    } catch (error) {
      return { error };
    }
  };
  const { outcome: failure } = await retrying(writeOpen, {
    attempts,
    delays,
    retryAfterMs: (failed) => (failed === null ? null : requestedMs(failed.error)),
    isTransient: (failed) => (failed === null ? open.length > 0 : isTransient(failed.error)),
    // if a server refuses operations until it has room, that is backpressure, not a failure
    isCharged: (failed) => failed !== null,
    budget: retryBudgetOf(engine),
    ...(wait && { wait }),
  });
  if (failure !== null) throw failure.error;
  return outcomes;
};

/** @throws TributaryError the engine's error, unless it is about one operation */
const writeParts = async (
  engine: Engine,
  index: string,
  operations: readonly WriteOperation[],
): Promise<readonly WriteOutcome[]> => {
  try {
    return await engine.write(index, operations, { once: true });
  } catch (error) {
    if (!(error instanceof TributaryError) || !ofOneOperation.has(error.code)) throw error;
    if (operations.length === 1) return [{ status: 'refused', reason: error.message, retryable: false }];
    const middle = operations.length >> 1;
    const first = await writeParts(engine, index, operations.slice(0, middle));
    return [...first, ...(await writeParts(engine, index, operations.slice(middle)))];
  }
};

const isTransient = (error: unknown): boolean => error instanceof TributaryError && transient.has(error.code);

/** The server's retry-after in milliseconds, or null. */
const requestedMs = (error: unknown): number | null => {
  const seconds = error instanceof TributaryError ? error.details?.['retryAfterSeconds'] : undefined;
  return typeof seconds === 'number' ? Math.min(seconds * 1_000, maxRetryAfterMs) : null;
};

const isRetryable = (outcome: WriteOutcome): boolean => outcome.status === 'refused' && outcome.retryable;
