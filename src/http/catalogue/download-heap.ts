import type { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';

let isOwnProcess = false;
let downloads = 0;

/** Lets downloads bound the heap of this process: for our own program, never for a host application. */
export const boundHeapOfDownloads = (): void => {
  isOwnProcess = true;
};

/**
 * While a download is under way, lets the old part of the heap grow by half before it is collected. By default that is up
 * to three times, whatever the growth consists of: while the rows of twenty nodes are merged into one file, nearly all of
 * it is rows already written. For other requests the default is cheaper.
 * @param setFlag of the engine that runs JavaScript
 */
export const boundHeapUntilClosed = (content: Readable, setFlag = setFlagsFromString): void => {
  if (!isOwnProcess) return;
  downloads += 1;
  if (downloads === 1) setFlag('--heap-growing-percent=50');
  content.once('close', () => {
    downloads -= 1;
    if (downloads === 0) setFlag('--heap-growing-percent=0');
  });
};
