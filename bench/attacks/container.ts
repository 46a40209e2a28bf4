import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A bound on the memory of processes. */
export interface Container {
  /** To be written with a process's id; null: the machine does not allow control groups. */
  readonly procs: string | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly remove: () => void;
}

const roots = [
  { path: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { path: '/sys/fs/cgroup', limit: 'memory.max' },
];

/** The group in which a container would run; without permission for one, what the container would make the program set. */
export const openContainer = (name: string, mebibytes: number): Container => {
  const bytes = mebibytes * 1024 * 1024;
  for (const { path, limit } of roots) {
    const group = join(path, name);
    try {
      mkdirSync(group, { recursive: true });
      if (!existsSync(join(group, limit))) continue;
      writeFileSync(join(group, limit), String(bytes));
      return { procs: join(group, 'cgroup.procs'), settings: {}, remove: () => rmdirSync(group) };
    } catch {
      // not allowed here
    }
  }
  const settings = {
    MEMORY_LIMIT: String(bytes),
    NODE_OPTIONS: `--max-old-space-size=${Math.floor(mebibytes / 2)}`,
  };
  return { procs: null, settings, remove: () => undefined };
};

/** The most memory that a process has had at once, in MiB; null: it has ended. */
export const peakMebibytes = (pid: number): number | null => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(status);
    return peak === null ? null : Number(peak[1]) / 1024;
  } catch {
    return null;
  }
};
