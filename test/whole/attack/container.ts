import { readFileSync } from 'node:fs';
import type { Settings } from '../end-to-end/processes.ts';

const mebibyte = 1024 * 1024;

export const containerBytes = 1024 * mebibyte;

/** As a server in a container of 1 GiB sets itself: Node.js gives half of it to the heap. */
export const inContainer: Settings = {
  MEMORY_LIMIT: `${containerBytes}`,
  NODE_OPTIONS: '--max-old-space-size=512',
};

/** The most memory that a process has had at once. */
export const peakBytes = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
