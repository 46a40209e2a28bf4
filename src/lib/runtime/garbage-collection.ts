import type { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Sets options of the JavaScript engine. */
export interface Heap {
  readonly setFlag: (flag: string) => void;
  readonly collect: () => void;
}

/** Collects the garbage of this thread, where that is allowed; tens of milliseconds for a large heap. */
export const collectGarbage = (): void => {
  (runInNewContext('typeof gc === "function" ? gc : null') as (() => void) | null)?.();
};

const thisHeap: Heap = { setFlag: setFlagsFromString, collect: collectGarbage };

let isOurs = false;
let downloads = 0;
/** How much the heap grows between two collections while there is no download, in percent; 0: V8 decides. */
let usualGrowth = 0;

const growBy = (percent: number, { setFlag }: Heap): void => setFlag(`--heap-growing-percent=${percent}`);

/**
 * Lets this process tune its heap: called by our own program before it starts threads, never by a host application.
 */
export const tuneHeap = (): void => {
  isOurs = true;
  setFlagsFromString('--expose-gc');
};

/** Networks with fewer nodes keep V8's default. */
const manyNodes = 100;

/**
 * Lets the heap double before V8 collects garbage, if there are very many nodes. V8 lets the heap of a server that
 * mostly waits grow by a fifth, which the answers of a thousand nodes fill with every query or two: collecting it took
 * a third of a query's processor time.
 * @param nodes the number of nodes of all networks of this process
 */
export const growHeapFor = (nodes: number, heap = thisHeap): void => {
  usualGrowth = nodes < manyNodes ? 0 : 100;
  if (downloads === 0) growBy(usualGrowth, heap);
};

/** From this many rows on, a garbage collection costs a download less than 2 % more. */
const longDownload = 100_000;

/**
 * While a download is in progress, lets the old generation of the heap grow by a third before it is collected. The default
 * is up to three times, whatever the growth consists of: while the rows of twenty nodes are merged into one file, nearly
 * all of it is rows already written. For other requests the default is cheaper. A long download collects garbage first,
 * since the heap may otherwise still grow to the size that V8 computed at its last collection.
 * @param rows the number of rows of the download
 */
export const boundHeapUntilClosed = (content: Readable, rows: number, heap = thisHeap): void => {
  if (!isOurs) return;
  downloads += 1;
  if (downloads === 1) growBy(35, heap);
  if (rows >= longDownload) heap.collect();
  content.once('close', () => {
    downloads -= 1;
    if (downloads === 0) growBy(usualGrowth, heap);
  });
};
