import { readFileSync } from 'node:fs';
import type { ConnectionsConfig } from '../../config/config.ts';

/** Each of the two ports may take so much of the files that are left to this process. */
const share = 0.4;
/** What the program itself, its threads and some indexes take. */
const own = 64;

/**
 * Limits that leave files for the engine: where no file can be opened any more, no connection can be taken either and
 * no index read.
 * @param maxFiles the process may open; null where that is not known
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
    const most = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'utf8'))?.[1];
    return most === undefined ? null : Number(most);
  } catch {
    // systems without this file have no other way to tell
    return null;
  }
};
