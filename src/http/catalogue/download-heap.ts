import type { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { allowCollection, collectGarbage } from '../../runtime/garbage-collection.ts';

let isOwnProcess = false;
let downloads = 0;

/** From this many rows on, a collection of garbage costs a download less than 2 % more. */
const longDownload = 100_000;

/** Lets downloads bound the heap of this process: for our own program, never for a host application. */
export const boundHeapOfDownloads = (): void => {
  isOwnProcess = true;
  allowCollection();
};

/** Acts on the engine that runs JavaScript. */
interface Heap {
  readonly setFlag: (flag: string) => void;
  readonly collect: () => void;
}

/**
 * While a download is under way, lets the old part of the heap grow by a third before it is collected. By default that is up
 * to three times, whatever the growth consists of: while the rows of twenty nodes are merged into one file, nearly all of
 * it is rows already written. For other requests the default is cheaper. A long download collects garbage first, since
 * a heap may otherwise still grow to what was allowed before.
 * @param rows how many the download has
 */
export const boundHeapUntilClosed = (
  content: Readable,
  rows: number,
  { setFlag, collect }: Heap = { setFlag: setFlagsFromString, collect: collectGarbage },
): void => {
  if (!isOwnProcess) return;
  downloads += 1;
  if (downloads === 1) setFlag('--heap-growing-percent=35');
  if (rows >= longDownload) collect();
  content.once('close', () => {
    downloads -= 1;
    if (downloads === 0) setFlag('--heap-growing-percent=0');
  });
};
