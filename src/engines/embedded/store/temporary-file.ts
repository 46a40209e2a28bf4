import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A file nobody has written to for so long is nobody's, in milliseconds. */
const abandonedMs = 600_000;

/** A name beside `path` for what is to take its place; it tells which process writes it. */
export const temporaryPath = (path: string): string => `${path}.${process.pid}.${randomUUID()}.tmp`;

/** Removes what writers of `path` left behind that were killed; a file that is being written stays. */
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

/** Whether a process of that id runs on this machine, whoever's it is. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
