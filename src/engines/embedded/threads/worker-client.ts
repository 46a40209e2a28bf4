import { extname } from 'node:path';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { TributaryError } from '../../../lib/errors/errors.ts';
import type { SearchOptions } from '../../engine.ts';
import {
  boardSlots,
  callAttention,
  clearSlot,
  newBoard,
  stop,
  type ErrorMessage,
  type WriterRequest,
  type ReaderRequest,
  type ReplyMessage,
  type RequestMessage,
  type ThreadData,
  type WarningMessage,
} from './messages.ts';

/** Requests handed to the thread at once: one running and one next; the others can still be cancelled. */
const inFlightLimit = 2;
/**
 * A search may interrupt one that costs this many times as much, which keeps interruptions from nesting noticeably
 * deep.
 */
const costRatio = 4;

type Request = WriterRequest | ReaderRequest;

interface Call {
  readonly request: Request;
  /** The estimated cost; undefined for writes and the server's own searches, which precede all others. */
  readonly cost: number | undefined;
  /** Handed to the thread to interrupt another. */
  isUrgent: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: TributaryError) => void;
  /** Its slot on the thread's board; null while it waits. */
  slot: number | null;
}

/** The client of one thread, which is started on demand and restarted after a crash. */
export class WorkerClient<Sent extends Request = WriterRequest> {
  readonly #program: URL;
  readonly #dataPath: string;
  #worker: Worker | null = null;
  #urgent: MessagePort | null = null;
  #lastId = 0;
  #closed = false;
  readonly #board = newBoard();
  readonly #freeSlots = Array.from({ length: boardSlots }, (_, slot) => slot);
  readonly #inFlight = new Map<number, Call>();
  /** In order of arrival: few, as the gate of the server lets few searches pass at once. */
  readonly #waiting: Call[] = [];

  /** @param program the file the thread runs, next to this one or to `beside` */
  constructor(program: 'writer' | 'reader', dataPath: string, beside = import.meta.url) {
    // with this file's extension: .ts in a checkout, .js in the package
    this.#program = new URL(`./${program}${extname(import.meta.url)}`, beside);
    this.#dataPath = dataPath;
  }

  /** Unanswered requests. */
  get pending(): number {
    return this.#waiting.length + this.#inFlight.size;
  }

  /**
   * Resolves with the thread's answer. An abandoned search is stopped even if it is already running.
   * @throws TributaryError errors of the thread; ENGINE_TIMEOUT, ENGINE_UNAVAILABLE
   */
  call(request: Sent | { kind: 'close' }, options: SearchOptions = {}): Promise<unknown> {
    if (this.#closed) return Promise.reject(unavailable(isClosed));
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        options.signal?.removeEventListener('abort', abort);
      };
      const call: Call = {
        request,
        // sharing columns must not wait: by then they may have changed
        cost: request.kind === 'share' ? 0 : options.cost,
        isUrgent: false,
        resolve: (value) => (settle(), resolve(value)),
        reject: (error) => (settle(), reject(error)),
        slot: null,
      };
      const give = (error: TributaryError): void => {
        this.#leave(call);
        if (call.slot !== null && request.kind === 'search') stop(this.#board, call.slot);
        call.reject(error);
      };
      const abort = (): void => give(timeout('the request was cancelled', options.signal?.reason));
      const { timeoutMs } = options;
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => give(timeout(`no answer within ${timeoutMs} ms`)), timeoutMs);
      if (options.signal?.aborted) return abort();
      options.signal?.addEventListener('abort', abort);
      this.#waiting.push(call);
      this.#send();
    });
  }

  /** Lets the thread finish the requests that are next, write its snapshots and exit; rejects the others. */
  async close(): Promise<void> {
    if (this.#closed) return;
    const worker = this.#worker;
    const last = worker === null ? undefined : this.call({ kind: 'close' });
    this.#closed = true;
    try {
      await last;
    } finally {
      await worker?.terminate();
    }
  }

  #send(): void {
    for (let call = this.#next(); call !== undefined; call = this.#next()) this.#post(call);
  }

  /** The next call for the thread: one to follow the running request, or a much cheaper one to interrupt it. */
  #next(): Call | undefined {
    const calls = [...this.#inFlight.values()];
    const queued = calls.filter(({ isUrgent }) => !isUrgent);
    const [first] = queued;
    if (first === undefined) return this.#take();
    const urgent = this.#take(mayInterrupt([first, ...calls.filter(({ isUrgent }) => isUrgent)]));
    if (urgent === undefined) {
      // a call that could interrupt must not be queued as the next one: it would wait for the running one to end
      const soon = mayInterrupt([first]);
      return queued.length < inFlightLimit ? this.#take((call) => !soon(call)) : undefined;
    }
    urgent.isUrgent = true;
    return urgent;
  }

  /** Takes the first of the waiting calls that may be sent; writes precede searches. */
  #take(mayBe: (call: Call) => boolean = () => true): Call | undefined {
    const calls = this.#waiting.filter(mayBe);
    const next = calls.find(({ cost }) => cost === undefined) ?? calls[0];
    if (next !== undefined) this.#leave(next);
    return next;
  }

  #leave(call: Call): void {
    const at = this.#waiting.indexOf(call);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  #post(call: Call): void {
    const id = ++this.#lastId;
    this.#inFlight.set(id, call);
    const slot = (call.slot = this.#freeSlots.pop()!);
    clearSlot(this.#board, slot);
    this.#worker ??= this.#start();
    const message: RequestMessage<Request> = { id, slot, request: call.request };
    if (!call.isUrgent) return this.#worker.postMessage(message);
    this.#urgent!.postMessage(message);
    callAttention(this.#board);
  }

  #start(): Worker {
    const { port1, port2: urgent } = new MessageChannel();
    this.#urgent = port1;
    const worker = new Worker(this.#program, {
      workerData: { dataPath: this.#dataPath, board: this.#board, urgent } satisfies ThreadData,
      transferList: [urgent],
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    worker.on('message', (reply: ReplyMessage | WarningMessage) => this.#receive(reply));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => this.#fail(worker, undefined));
    return worker;
  }

  #receive(reply: ReplyMessage | WarningMessage): void {
    if ('warning' in reply) {
      process.emitWarning(reply.warning, 'TributaryWarning');
      return;
    }
    const call = this.#inFlight.get(reply.id);
    if (call !== undefined) this.#release(reply.id, call);
    if (reply.ok) call?.resolve(reply.value);
    else call?.reject(revived(reply.error));
    this.#send();
  }

  #release(id: number, call: Call): void {
    this.#inFlight.delete(id);
    if (call.slot !== null) this.#freeSlots.push(call.slot);
    call.slot = null;
  }

  /** Running requests are lost; waiting ones go to a new thread, unless this one was the last. */
  #fail(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#urgent?.close();
    const error = unavailable(
      this.#closed ? isClosed : 'the embedded engine stopped and is restarting',
      cause,
    );
    for (const [id, call] of this.#inFlight) {
      this.#release(id, call);
      call.reject(error);
    }
    if (!this.#closed) return this.#send();
    for (const call of this.#waiting.splice(0)) call.reject(error);
  }
}

const isClosed = 'the embedded engine is closed';

/** Whether a call is cheap enough to interrupt all running searches; sharing columns takes no time. */
const mayInterrupt = (begun: readonly Call[]): ((call: Call) => boolean) => {
  const costs = begun.flatMap(({ request, cost = 0 }) => (request.kind === 'share' ? [] : [cost]));
  const max = Math.min(...costs) / costRatio;
  return (call) => isSearch(call) && call.cost! <= max;
};

/** Requests that only read the columns. */
const isSearch = ({ request, cost }: Call): boolean =>
  cost !== undefined && (request.kind === 'search' || request.kind === 'share');

const revived = ({ code, message, details, cause }: ErrorMessage): TributaryError =>
  new TributaryError(code, message, {
    ...(details && { details }),
    ...(cause !== undefined && { cause: Object.assign(new Error('in the engine thread'), { stack: cause }) }),
  });

const unavailable = (message: string, cause?: unknown): TributaryError =>
  new TributaryError('ENGINE_UNAVAILABLE', message, { cause });

const timeout = (message: string, cause?: unknown): TributaryError =>
  new TributaryError('ENGINE_TIMEOUT', message, { cause });
