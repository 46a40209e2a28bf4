import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/** About a third of the CPU time of other threads when they compete for a processor. */
const niceness = 5;

/**
 * Gives the event loop's thread priority over this one when all processors are busy: it does little work, but for many
 * requests. Linux has per-thread priorities; elsewhere all threads stay equal.
 */
export const giveWay = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness);
  } catch {
    // a container may forbid it or hide /proc: the threads then stay equal
  }
};
