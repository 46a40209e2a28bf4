import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { programEnvironment } from '../../program.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Starts a program of bench/ at its smallest size. One that misses its targets ends with 1: a small size says nothing of
 * them.
 * @returns what it printed if it did not run to its end
 */
export const crashesOf = async (
  path: string,
  args: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> => {
  const program = spawn(process.execPath, [join(root, path), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...programEnvironment, BENCH_SIZE: 'smallest', ...settings },
  });
  const closed = once(program, 'close') as Promise<[number | null]>;
  const [output, errors, [code]] = await Promise.all([text(program.stdout), text(program.stderr), closed]);
  const hasCrashed = code === null || code > 1 || /^Node\.js v/m.test(errors);
  return hasCrashed ? [`${path} ended with ${code}: ${output}\n${errors}`] : [];
};
