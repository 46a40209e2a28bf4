import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Ends a process when this one ends, if only by an error: what fails leaves no server behind. */
export const endsWithUs = <Child extends ChildProcess>(child: Child): Child => {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
};
