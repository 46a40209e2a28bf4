import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A file not written to for this long is considered abandoned, in milliseconds. */
const abandonedMs = 600_000;

/** A name next to `path` for its replacement; it contains the id of the writing process. */
export const temporaryPath = (path: string): string => `${path}.${process.pid}.${randomUUID()}.tmp`;

/** Removes what killed writers of `path` left behind; a file still being written stays. */
export const removeTemporaryFiles = (path: string): void => {
  const prefix = basename(path);
  for (const name of readdirSync(dirname(path))) {
    const writer = name.startsWith(prefix) ? ending.exec(name.slice(prefix.length))?.[1] : undefined;
    if (writer === undefined) continue;
    const file = join(dirname(path), name);
    if (!isRunning(Number(writer)) || isAbandoned(file)) rmSync(file, { force: true });
  }
};

const ending = /^\.(\d+)\.[0-9a-f-]{36}\.tmp$/;

const isAbandoned = (file: string): boolean =>
  Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > abandonedMs;

/** Whether a process with this id runs on this machine, under any user. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
