import { setTimeout as delay } from 'node:timers/promises';
import type { Engine, WriteOperation, WriteOutcome } from '../../engines/engine.ts';
import { writeBatch } from '../write-batch.ts';
import { jsonSize } from './json-size.ts';

/** One request holds no more, unless a single document is larger. */
const maxOperations = 1_000;
const maxBytes = 4 * 1024 * 1024;
/** Requests under way at once; while there are so many, adding waits. */
const maxInFlight = 3;

export interface BulkItem {
  readonly operation: WriteOperation;
  /** The record that errors name. */
  readonly recordId: string;
}

export interface BulkOptions {
  /** Ends waiting between attempts. */
  readonly signal: AbortSignal;
  /** Runs before a batch is sent and gives the index to send it to. */
  readonly index: (items: readonly BulkItem[]) => Promise<string>;
  /** Is told the outcome of every operation. */
  readonly judge: (item: BulkItem, outcome: WriteOutcome) => void;
}

export interface BulkWriter {
  /** Undefined when there is room for more at once; else resolves when there is. @throws what a write before threw */
  add(item: BulkItem): Promise<void> | undefined;
  /** Resolves when all that was added is durable. @throws TributaryError the engine's own */
  finish(): Promise<void>;
  /** Resolves when nothing is under way any more, whatever became of it. */
  settle(): Promise<void>;
}

/** Writes operations in batches bounded by count and bytes, several at once. */
export const bulkWriter = (engine: Engine, options: BulkOptions): BulkWriter => {
  const inFlight = new Set<Promise<void>>();
  let batch: BulkItem[] = [];
  let bytes = 0;
  let failure: { readonly error: unknown } | null = null;

  const refuseAfterFailure = (): void => {
    options.signal.throwIfAborted();
    if (failure !== null) throw failure.error;
  };
  const write = async (index: string, items: readonly BulkItem[]): Promise<void> => {
    const wait = (ms: number): Promise<unknown> => delay(ms, undefined, { signal: options.signal });
    const outcomes = await writeBatch(engine, index, items.map((item) => item.operation), wait); // prettier-ignore
    items.forEach((item, position) => options.judge(item, outcomes[position]!));
  };
  const send = async (): Promise<void> => {
    const items = batch;
    [batch, bytes] = [[], 0];
    const index = await options.index(items);
    while (inFlight.size >= maxInFlight) await Promise.race(inFlight);
    refuseAfterFailure();
    const writing = write(index, items).catch((error: unknown) => {
      failure ??= { error };
    });
    inFlight.add(writing);
    void writing.then(() => inFlight.delete(writing));
  };

  return {
    add: (item) => {
      const size = item.operation.kind === 'upsert' ? jsonSize(item.operation.document) : 0;
      batch.push(item);
      bytes += size;
      return batch.length >= maxOperations || bytes >= maxBytes ? send() : undefined;
    },
    finish: async () => {
      if (batch.length > 0) await send();
      await Promise.all(inFlight);
      refuseAfterFailure();
    },
    settle: async () => {
      await Promise.all(inFlight);
    },
  };
};
