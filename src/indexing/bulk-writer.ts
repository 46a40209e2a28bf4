import { setTimeout as delay } from 'node:timers/promises';
import type { Engine, WriteOperation, WriteOutcome } from '../engines/engine.ts';
import { writeBatch } from './write-batch.ts';
import type { JsonObject, JsonValue } from '../lib/json/json.ts';

/** Limits of one request; a single document may exceed them. */
const maxOperations = 2_000;
const maxBytes = 8 * 1024 * 1024;
/** Concurrent requests; at this number, `add` waits. */
const maxInFlight = 3;

interface Written {
  readonly operation: WriteOperation;
  /** The size of the document in its source, in bytes; else it is estimated. */
  readonly bytes?: number;
}

export interface BulkItem extends Written {
  /** The id of the record, for errors. */
  readonly recordId: string;
  /** The document with long digits as numbers, for type inference; null or undefined if it has no long digits. */
  readonly rounded?: JsonObject | null;
}

export interface BulkTarget<Item extends Written = BulkItem> {
  /** The index to write to. */
  readonly index: string;
  /** Items to write instead of the given ones; undefined: the given ones. */
  readonly items?: readonly Item[];
  /** Why an operation must not be sent; null if it may be. */
  readonly problemOf?: (operation: WriteOperation) => string | null;
}

export interface BulkOptions<Item extends Written> {
  /** Aborts waiting between attempts. */
  readonly signal?: AbortSignal;
  /** Called before a batch is sent. */
  readonly index: (items: readonly Item[]) => Promise<BulkTarget<Item>>;
  /** Called with the outcome of every operation. */
  readonly onOutcome: (item: Item, outcome: WriteOutcome) => Promise<void> | void;
}

export interface BulkWriter<Item extends Written> {
  /** Undefined when there is room for more; else resolves when there is. @throws the error of an earlier write */
  add(item: Item): Promise<void> | undefined;
  /** Resolves when everything added is durable. @throws TributaryError from the engine */
  finish(): Promise<void>;
  /** Resolves when no write is in progress any more, whether it succeeded or failed. */
  settle(): Promise<void>;
}

/**
 * Writes operations in batches bounded by count and bytes, several concurrently. Operations on the same document never
 * run concurrently, so that the last one wins.
 */
export const bulkWriter = <Item extends Written = BulkItem>(
  engine: Engine,
  options: BulkOptions<Item>,
): BulkWriter<Item> => {
  const { signal, index, onOutcome } = options;
  const inFlight = new Set<Promise<void>>();
  /** Ids in the batch being filled and in those in progress. */
  const busy = new Set<string>();
  let batch: Item[] = [];
  let bytes = 0;
  let failure: { readonly error: unknown } | null = null;

  const rejectAfterFailure = (): void => {
    signal?.throwIfAborted();
    if (failure !== null) throw failure.error;
  };
  const settled = (item: Item, outcome: WriteOutcome): Promise<void> | void => {
    busy.delete(item.operation.id);
    return onOutcome(item, outcome);
  };
  const write = async (target: string, items: readonly Item[]): Promise<void> => {
    const wait = (ms: number): Promise<unknown> => delay(ms, undefined, { signal });
    const outcomes = await writeBatch(
      engine,
      target,
      items.map((item) => item.operation),
      wait,
    );
    for (const [position, item] of items.entries()) await settled(item, outcomes[position]!);
  };
  const send = async (): Promise<void> => {
    const items = batch;
    [batch, bytes] = [[], 0];
    const target = await index(items);
    const fitting: Item[] = [];
    for (const item of target.items ?? items) {
      const reason = target.problemOf?.(item.operation) ?? null;
      if (reason === null) fitting.push(item);
      else await settled(item, { status: 'refused', reason, retryable: false });
    }
    while (inFlight.size >= maxInFlight) await Promise.race(inFlight);
    rejectAfterFailure();
    if (fitting.length === 0) return;
    const writing = write(target.index, fitting).catch((error: unknown) => {
      failure ??= { error };
    });
    inFlight.add(writing);
    void writing.then(() => inFlight.delete(writing));
  };
  const finish = async (): Promise<void> => {
    if (batch.length > 0) await send();
    await Promise.all(inFlight);
    rejectAfterFailure();
  };
  const add = (item: Item): Promise<void> | undefined => {
    const { operation } = item;
    if (busy.has(operation.id)) return finish().then(() => add(item));
    busy.add(operation.id);
    batch.push(item);
    bytes += item.bytes ?? (operation.kind === 'upsert' ? jsonSize(operation.document) : 0);
    return batch.length >= maxOperations || bytes >= maxBytes ? send() : undefined;
  };

  const settle = async (): Promise<void> => {
    await Promise.all(inFlight);
  };
  return { add, finish, settle };
};

/** Approximate size of a value as JSON, in bytes: enough to bound a request, much cheaper than serializing. */
export const jsonSize = (value: JsonValue | undefined): number => {
  switch (typeof value) {
    case 'string':
      return value.length + 3;
    case 'object': {
      if (value === null) return 5;
      if (Array.isArray(value))
        return (value as readonly JsonValue[]).reduce<number>((size, item) => size + jsonSize(item) + 1, 3);
      let size = 3;
      for (const key in value) size += key.length + 4 + jsonSize((value as Record<string, JsonValue>)[key]);
      return size;
    }
    case 'number':
    case 'boolean':
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      return 8;
  }
};
