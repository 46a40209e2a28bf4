import { availableParallelism } from 'node:os';
import type { SearchOptions, SearchQuery } from '../../engine.ts';
import { packed } from '../columns/shared-parts.ts';
import { newFacetWorkQueue, type FacetWorkQueue } from '../columns/search-run.ts';
import { mergeReplies, nullUnlessTimeout, type SearchReply, type ParallelSearch } from './search-reply.ts';
import type { WriterRequest, ReaderRequest, SharedIndex } from './messages.ts';
import { WorkerClient } from './worker-client.ts';

/** More threads than processors would only compete; one processor is left to the writer. */
export const defaultReaders = Math.min(availableParallelism() - 1, 7);
/**
 * How long shared columns are valid unless the writer confirms that nothing has changed; it polls for changes itself.
 */
const leaseMs = 500;
const renewAfterMs = 150;
/** Readers release columns that have not been used for this long, in milliseconds. */
const forgetAfterMs = 10_000;

/** The interface to a thread, the engine's own or a reader. */
type Thread<Sent extends WriterRequest | ReaderRequest = WriterRequest> = Pick<
  WorkerClient<Sent>,
  'pending' | 'stopped' | 'interruptions' | 'call' | 'close'
>;

export interface Threads {
  readonly writer: Thread;
  readonly readers: readonly Thread<ReaderRequest>[];
}

/** The state of an index that the readers have. */
interface Lease {
  readonly token: string;
  readonly endsAt: number;
}

/**
 * The engine's own thread, which owns the columns and does all writing, and readers that search in its place when it is
 * busy, or share a search with it when it is idle. A search after an acknowledged write never goes to a reader without
 * that write.
 */
export class SearchThreads {
  readonly #writer: Thread;
  readonly #readers: readonly Thread<ReaderRequest>[];
  readonly #leases = new Map<string, Lease>();
  #isSharing = false;
  /** Requests to the owner that take no time: nothing waits behind them. */
  #asides = 0;
  #changes = 0;
  /** When the readers last differed from the writer. */
  #changedAt = -Infinity;
  /** Time taken by the last search of each index, summed over all threads, in milliseconds. */
  readonly #costs = new Map<string, number>();
  readonly #splitting: ParallelSearch;
  #idle: NodeJS.Timeout | undefined;

  /** @param threads replaces the threads started on the data folder */
  constructor(dataPath: string, readers: number, splitting: ParallelSearch, threads?: Threads) {
    this.#splitting = splitting;
    this.#writer = threads?.writer ?? new WorkerClient('writer', dataPath);
    this.#readers =
      threads?.readers ??
      Array.from({ length: readers }, () => new WorkerClient<ReaderRequest>('reader', dataPath));
  }

  /** Resolves with the writer's answer. @throws TributaryError as WorkerClient */
  async call(request: Exclude<WriterRequest, { kind: 'search' | 'write' | 'manage' }>): Promise<unknown> {
    this.#asides++;
    try {
      return await this.#writer.call(request);
    } finally {
      this.#asides--;
    }
  }

  /** Runs a request that may change documents. */
  async change(request: Extract<WriterRequest, { kind: 'write' | 'manage' }>): Promise<unknown> {
    try {
      return await this.#writer.call(request);
    } finally {
      this.#changes++;
      this.#changedAt = performance.now();
      if (this.#leases.size > 0) this.#forget();
    }
  }

  /**
   * Searches in the least busy thread, or in two for an expensive search while nothing else is pending.
   * @throws TributaryError as WorkerClient
   */
  async search(index: string, query: SearchQuery, options: SearchOptions = {}): Promise<SearchReply> {
    const sent = packed(query);
    const reply = await this.#searchWithReader(index, sent, options);
    if (reply !== null) return reply;
    const whole = (await searchIn(this.#writer, index, sent, options))!;
    this.#costs.set(index, whole.tookMs);
    if (this.#isWorthSplitting(index, sent)) void this.#share(index, this.#leases.get(index));
    return whole;
  }

  /** Unanswered requests, including abandoned ones. */
  get pending(): number {
    return this.#readers.reduce((sum, reader) => sum + reader.pending, this.#writer.pending);
  }

  /** Searches stopped early because no client was waiting for them any more. */
  get stopped(): number {
    return this.#readers.reduce((sum, reader) => sum + reader.stopped, this.#writer.stopped);
  }

  /** Searches that interrupted others. */
  get interruptions(): number {
    return this.#readers.reduce((sum, reader) => sum + reader.interruptions, this.#writer.interruptions);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    try {
      await Promise.all(this.#readers.map((reader) => reader.close()));
    } finally {
      await this.#writer.close();
    }
  }

  /** Null when only the writer can answer. */
  async #searchWithReader(
    index: string,
    query: SearchQuery,
    options: SearchOptions | undefined,
  ): Promise<SearchReply | null> {
    const helper = this.#helperFor(index, query);
    const reader = helper ?? this.#readerFor(index);
    if (reader === undefined) return null;
    const reply =
      helper === undefined
        ? await searchIn(reader, index, query, options)
        : await this.#searchWith(helper, index, query, options);
    // a reader that cannot answer does not have the current index
    if (reply === null) this.#leases.delete(index);
    return reply;
  }

  /** The writer and a reader share the facets; null when the reader's state differs from the writer's. */
  async #searchWith(
    helper: Thread<ReaderRequest>,
    index: string,
    query: SearchQuery,
    options: SearchOptions | undefined,
  ): Promise<SearchReply | null> {
    const taken = newFacetWorkQueue();
    const replies = await Promise.all([
      searchIn(this.#writer, index, query, options, taken),
      searchIn(helper, index, { facets: query.facets }, options, taken).catch(nullUnlessTimeout),
    ]);
    this.#costs.set(index, replies[0]!.tookMs + (replies[1]?.tookMs ?? 0));
    // a reader without an answer may have lost the index, even if the writer took every facet
    if (replies[1] === null) this.#leases.delete(index);
    const reply = mergeReplies(replies[0]!, replies[1]);
    if (reply === null) this.#changedAt = performance.now();
    this.#forgetLater();
    return reply;
  }

  /** An idle reader that has the index, if the writer is idle too. */
  #helperFor(index: string, query: SearchQuery): Thread<ReaderRequest> | undefined {
    if (this.#writer.pending > 0 || !this.#leases.has(index)) return undefined;
    if (!this.#isWorthSplitting(index, query)) return undefined;
    return this.#readers.find((reader) => reader.pending === 0);
  }

  #isWorthSplitting(index: string, { facets }: SearchQuery): boolean {
    const { minCostMs, quietPeriodMs } = this.#splitting;
    const cost = this.#costs.get(index);
    if (facets.length < 2 || cost === undefined || cost < minCostMs || this.#readers.length === 0)
      return false;
    return performance.now() - this.#changedAt >= quietPeriodMs;
  }

  /** A reader that is less busy than the writer and has the current index. */
  #readerFor(index: string): Thread<ReaderRequest> | undefined {
    // a catalogue is described every few seconds: that alone must not start a reader, which takes memory
    const ownersWork = this.#writer.pending - this.#asides;
    if (ownersWork === 0 || this.#readers.length === 0) return undefined;
    const now = performance.now();
    const lease = this.#leases.get(index);
    if (lease === undefined || now > lease.endsAt - leaseMs + renewAfterMs) void this.#share(index, lease);
    if (lease === undefined || now > lease.endsAt) return undefined;
    const idlest = this.#readers.reduce((best, reader) => (reader.pending < best.pending ? reader : best));
    return idlest.pending < ownersWork ? idlest : undefined;
  }

  /** Shares the current index with the readers. */
  async #share(index: string, lease: Lease | undefined): Promise<void> {
    if (this.#isSharing) return;
    this.#isSharing = true;
    const changes = this.#changes;
    const endsAt = performance.now() + leaseMs;
    try {
      const known = lease?.token ?? null;
      const columns = (await this.#writer.call({ kind: 'share', index, known })) as SharedIndex | null;
      if (columns !== null) await this.#attach(index, columns);
      const token = columns?.token ?? known;
      if (changes !== this.#changes) this.#forget();
      else if (token !== null) this.#leases.set(index, { token, endsAt });
      this.#forgetLater();
    } catch {
      // the search that caused this goes to the writer and gets the same error
      this.#leases.delete(index);
    } finally {
      this.#isSharing = false;
    }
  }

  async #attach(index: string, columns: SharedIndex): Promise<void> {
    this.#leases.delete(index);
    await Promise.all(this.#readers.map((reader) => reader.call({ kind: 'attach', index, columns })));
  }

  #forgetLater(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#forget(), forgetAfterMs).unref();
  }

  /** Makes the readers free columns that are outdated or unused. */
  #forget(): void {
    this.#leases.clear();
    for (const reader of this.#readers) {
      // a crashed one has freed them already
      reader.call({ kind: 'forget' }).catch(() => undefined);
    }
  }
}

/** Null when a reader does not have the index; the writer always answers. */
const searchIn = async (
  thread: Thread | Thread<ReaderRequest>,
  index: string,
  query: SearchQuery,
  options: SearchOptions | undefined,
  taken?: FacetWorkQueue,
): Promise<SearchReply | null> =>
  (await thread.call(
    { kind: 'search', index, query, ...(taken && { taken }) },
    options,
  )) as SearchReply | null;
