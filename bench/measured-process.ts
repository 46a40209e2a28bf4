import { fork } from 'node:child_process';
import { once } from 'node:events';
import { asTheProductRuns } from './fork-options.ts';

/**
 * Runs a step of a bench in a separate process, which sends what it measured as a message.
 * @param program the file that runs the step
 * @throws Error when the process ends without a message
 */
export const measuredProcess = async <Measured extends object>(
  program: string,
  step: readonly string[],
): Promise<Measured> => {
  const child = fork(program, [...step], asTheProductRuns);
  const exited = once(child, 'exit');
  const [result] = (await Promise.race([once(child, 'message'), exited])) as [Measured | number | null];
  await exited;
  if (result === null || typeof result === 'number') throw new Error(`a process ended with code ${result}`);
  return result;
};
