import { loadavg } from 'node:os';

/** Prints a figure, and whether it meets its target. */
export const line = (what: string, value: number, unit: string, target: number | null = null): void => {
  const verdict = target === null ? '' : value <= target ? `<= ${target} ok` : `<= ${target} MISSED`;
  console.log(`${what.padEnd(64)}${`${value.toFixed(value < 10 ? 2 : 0)} ${unit}`.padStart(10)}  ${verdict}`);
};

/** Prints what the figures below are of, and how busy the machine is. */
export const title = (text: string): void =>
  console.log(`\n${text}, load average ${loadavg()[0]!.toFixed(1)}`);
