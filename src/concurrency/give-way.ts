import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Added to the thread's niceness: it gets a third of the CPU time of other threads when they compete for a processor. */
const niceness = 5;

/**
 * Gives the event loop's thread priority over this one when all processors are busy: it does little work, but for many
 * requests. Linux has per-thread priorities; elsewhere all threads stay equal.
 */
export const giveWay = (): void => {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(getPriority(thread) + niceness, constants.priority.PRIORITY_LOW));
  } catch {
    // a container may forbid it or hide /proc: the threads then stay equal
  }
};
