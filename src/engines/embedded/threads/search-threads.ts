import { availableParallelism } from 'node:os';
import type { SearchOptions, SearchQuery } from '../../engine.ts';
import { packed } from '../columns/shared-parts.ts';
import type { SearchReply, WriterRequest, ReaderRequest, SharedIndex } from './messages.ts';
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
  'pending' | 'call' | 'close'
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
 * busy. A search after an acknowledged write never goes to a reader without that write.
 */
export class SearchThreads {
  readonly #writer: Thread;
  readonly #readers: readonly Thread<ReaderRequest>[];
  readonly #leases = new Map<string, Lease>();
  #isSharing = false;
  /** Requests to the owner that take no time: nothing waits behind them. */
  #asides = 0;
  #changes = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @param threads replaces the threads started on the data folder */
  constructor(dataPath: string, readers: number, threads?: Threads) {
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
      if (this.#leases.size > 0) this.#forget();
    }
  }

  /**
   * Searches in the least busy thread.
   * @throws TributaryError as WorkerClient
   */
  async search(index: string, query: SearchQuery, options: SearchOptions = {}): Promise<SearchReply> {
    const sent = packed(query);
    const reader = this.#readerFor(index);
    const reply = reader && (await searchIn(reader, index, sent, options));
    // a reader that cannot answer does not have the current index
    if (reply === null) this.#leases.delete(index);
    return reply ?? (await searchIn(this.#writer, index, sent, options))!;
  }

  /** Unanswered requests, including abandoned ones. */
  get pending(): number {
    return this.#readers.reduce((sum, reader) => sum + reader.pending, this.#writer.pending);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    try {
      await Promise.all(this.#readers.map((reader) => reader.close()));
    } finally {
      await this.#writer.close();
    }
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
  options: SearchOptions,
): Promise<SearchReply | null> =>
  (await thread.call({ kind: 'search', index, query }, options)) as SearchReply | null;
