import { setTimeout as delay } from 'node:timers/promises';
import { TributaryError } from '../errors.ts';
import type { Engine, WriteOperation, WriteOutcome } from '../engines/engine.ts';

const attempts = 6;
const firstDelayMs = 200;
const passing = new Set(['ENGINE_UNAVAILABLE', 'ENGINE_TIMEOUT', 'connection_error']);
/** Servers refuse a whole request for one operation that it cannot hold, as with a key of more than 512 bytes. */
const ofOneOperation = new Set(['BAD_USER_INPUT', 'PAYLOAD_TOO_LARGE']);

/**
 * Writes the operations and gives one outcome for each. What the engine calls retryable, and an engine that is away,
 * is tried again with exponential backoff and full jitter (six attempts, at most about 6 s); operations are upserts by
 * id, so a repeated one changes nothing. A request that is refused as a whole is taken apart until the operation is found
 * that it is refused for.
 * @throws TributaryError the engine's own, after the last attempt
 */
export const writeBatch = async (
  engine: Engine,
  index: string,
  operations: readonly WriteOperation[],
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<readonly WriteOutcome[]> => {
  const outcomes: WriteOutcome[] = [];
  let open = operations.map((_operation, position) => position);
  for (let attempt = 1; open.length > 0; attempt += 1) {
    const last = attempt === attempts;
    const answered = await tryWrite(engine, index, open.map((position) => operations[position]!), last); // prettier-ignore
    answered?.forEach((outcome, at) => (outcomes[open[at]!] = outcome));
    if (last) break;
    open = answered === null ? open : open.filter((_position, at) => isRetryable(answered[at]!));
    if (open.length > 0) await wait(Math.random() * firstDelayMs * 2 ** (attempt - 1));
  }
  return outcomes;
};

/** null: the engine is away and there are attempts left. */
const tryWrite = async (
  engine: Engine,
  index: string,
  operations: readonly WriteOperation[],
  last: boolean,
): Promise<readonly WriteOutcome[] | null> => {
  try {
    return await engine.write(index, operations);
  } catch (error) {
    if (!(error instanceof TributaryError)) throw error;
    if (!last && passing.has(error.code)) return null;
    if (!ofOneOperation.has(error.code)) throw error;
    if (operations.length === 1) return [{ status: 'refused', reason: error.message, retryable: false }];
    const middle = operations.length >> 1;
    const first = await tryWrite(engine, index, operations.slice(0, middle), last);
    const second = first && (await tryWrite(engine, index, operations.slice(middle), last));
    return first && second && [...first, ...second];
  }
};

const isRetryable = (outcome: WriteOutcome): boolean => outcome.status === 'refused' && outcome.retryable;
