import { execFileSync } from 'node:child_process';
import { openAuditTrail } from '../../../src/capabilities/audit/audit-trail.ts';
import { trailFixture } from './trail-fixture.ts';

/**
 * A process of its own that writes a trail, and prints the number of each line that was written. Without an end it waits
 * to be killed; else, after so many lines that were not, it lifts its limit on the size of files and ends.
 */
const [folder, end] = process.argv.slice(2) as [string, string | undefined];

let failed = 0;
const trail = openAuditTrail({ ...trailFixture, required: true, folder, warn: () => undefined });
const write = (number: number): void => {
  try {
    trail.write({ 'tributary.catalogue': 'cohort', number, text: 'x'.repeat(100 + 37 * (number % 7)) });
    process.stdout.write(`${number}\n`);
  } catch {
    failed += 1;
  }
};

let number = 0;
if (end === undefined) {
  const writeAll = (): void => {
    for (let batch = 0; batch < 50; batch += 1) write(number++);
    setImmediate(writeAll);
  };
  writeAll();
} else {
  while (failed < Number(end)) write(number++);
  execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited:']);
  for (let more = 0; more < 20; more += 1) write(number++);
  trail.close();
}
