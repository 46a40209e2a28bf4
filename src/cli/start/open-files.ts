import { readFileSync } from 'node:fs';
import type { ConnectionsConfig } from '../../config/config.ts';

/** The share of the remaining file descriptors that each of the two ports may use. */
const share = 0.4;
/** File descriptors for the program itself, its threads and some indexes. */
const own = 64;

/**
 * Connection limits that leave file descriptors for the engine: without any left, no connection can be accepted and no
 * index read.
 * @param maxFiles the process may open; null if unknown
 */
export const withinOpenFiles = (
  limits: ConnectionsConfig,
  maxFiles: number | null = openFilesLimit(),
): ConnectionsConfig => {
  if (maxFiles === null) return limits;
  const room = Math.max(8, Math.floor((maxFiles - own) * share));
  return { ...limits, maxConnections: Math.min(limits.maxConnections, room) };
};

const limitsFile = '/proc/self/limits';

const openFilesLimit = (): number | null => {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'utf8'))?.[1];
    return limit === undefined ? null : Number(limit);
  } catch {
    // systems without this file offer no other way
    return null;
  }
};
