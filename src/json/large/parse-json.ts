import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TributaryError, type ErrorCode } from '../../errors/errors.ts';
import { yieldToEventLoop } from '../../concurrency/yield-to-event-loop.ts';
import { unpackJson, type PackedJson } from './packed-json.ts';
import { readJson, type JsonReading, type JsonReduction } from './read-json.ts';

export interface JsonRequest {
  readonly id: number;
  readonly source: Uint8Array | string;
  readonly reading: JsonReading;
}

export type JsonReply =
  | { readonly id: number; readonly packed: PackedJson }
  | { readonly id: number; readonly failure: JsonFailure };

interface JsonFailure {
  readonly name: string;
  readonly message: string;
  /** The code of a TributaryError. */
  readonly code: ErrorCode | null;
}

/** Texts from this length on are parsed in a slice of their own. */
const slicedLength = 16 * 1024;
/** Smaller texts are parsed synchronously, which takes a few milliseconds. */
const largeLength = 512 * 1024;
/** Whether a text is so long that it waits for its turn to be parsed. */
export const isSlicedJson = ({ length }: { readonly length: number }): boolean => length >= slicedLength;

/** The thread ends and frees its memory after being idle this long. */
const idleMs = 10_000;

/**
 * Parses JSON of any size in turn, without blocking the event loop: large texts are parsed in a worker thread and read back in
 * slices. Large byte arrays are transferred: the caller can no longer use them.
 * @param threadFrom the length from which on a text is large
 * @param signal aborted when the value is not needed any more
 * @throws the reason of the signal, SyntaxError for invalid JSON, RangeError for JSON nested too deeply or too large for the thread,
 *   a TributaryError of the reduction
 */
export const parseJson = async (
  source: Uint8Array | string,
  reading: JsonReading = {},
  { threadFrom = largeLength, signal }: ParseOptions = {},
): Promise<unknown> => {
  if (source.length >= threadFrom) return unpackJson(await thread.parse({ source, reading, signal }), signal);
  if (isSlicedJson(source)) await yieldToEventLoop(signal);
  return readJson(source, reading);
};

interface ParseOptions {
  readonly threadFrom?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A reduction by a module in the same folder as another.
 * @param name of its file, without the extension: .ts in a checkout, .js in the package
 * @param beside import.meta.url of the calling module
 */
export const reductionBy = (name: string, beside: string, argument: string): JsonReduction => ({
  module: new URL(`./${name}${extname(beside)}`, beside).href,
  argument,
});

interface Task extends Pick<JsonRequest, 'source' | 'reading'> {
  readonly signal: AbortSignal | undefined;
}

interface Waiting extends Task {
  readonly resolve: (packed: PackedJson) => void;
  readonly reject: (error: Error) => void;
}

/** Parses one text at a time: two at once would take twice the memory, and waiting requests may be aborted. */
class JsonThread {
  #worker: Worker | null = null;
  #lastId = 0;
  #underWay: Waiting | null = null;
  readonly #waiting: Waiting[] = [];
  #idle: NodeJS.Timeout | undefined;

  parse(task: Task): Promise<PackedJson> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...task, resolve, reject });
      if (this.#underWay === null) this.#beginNext();
    });
  }

  #beginNext(): void {
    const next = this.#waiting.shift() ?? null;
    this.#underWay = next;
    if (next === null) return this.#rest();
    if (next.signal?.aborted === true) {
      next.reject(next.signal.reason as Error);
      return this.#beginNext();
    }
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    // the process may exit while the thread is idle, but not before
    worker.ref();
    const { source, reading } = next;
    worker.postMessage({ id: ++this.#lastId, source, reading } satisfies JsonRequest, transferable(source));
  }

  #start(): Worker {
    const program = new URL(`./program${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(program, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    worker.on('message', (reply: JsonReply) => this.#receive(reply));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => this.#fail(worker, new Error('the thread ended')));
    return worker;
  }

  #receive(reply: JsonReply): void {
    if (reply.id !== this.#lastId) return;
    const { resolve, reject } = this.#underWay!;
    if ('packed' in reply) resolve(reply.packed);
    else reject(revived(reply.failure));
    this.#beginNext();
  }

  #rest(): void {
    const worker = this.#worker;
    if (worker === null) return;
    worker.unref();
    this.#idle = setTimeout(() => {
      this.#worker = null;
      void worker.terminate();
    }, idleMs).unref();
  }

  /** Ends the requests of a failed worker; the next one starts another. */
  #fail(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#underWay?.reject(new RangeError('too large to be parsed', { cause }));
    this.#beginNext();
  }
}

/** One per process. */
const thread = new JsonThread();

/** A buffer without other content is transferred instead of copied. */
const transferable = (source: Uint8Array | string): ArrayBuffer[] =>
  typeof source !== 'string' &&
  source.buffer instanceof ArrayBuffer &&
  source.byteLength === source.buffer.byteLength
    ? [source.buffer]
    : [];

const revived = ({ name, message, code }: JsonFailure): Error => {
  if (code !== null) return new TributaryError(code, message);
  return name === 'RangeError' ? new RangeError(message) : new SyntaxError(message);
};
