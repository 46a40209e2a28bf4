/**
 * Honest users of the portal: 1, 5, 20 and 50 of them with five seconds between actions, behind one address, each with
 * its own, through a hub and through a tunnel. None may be refused. Their requests are sent by the portal's own code.
 *
 *   node bench/honest.ts [records] [--users 1,5,20,50] [--seconds 70] [--ways tunnel]     default: 1000000 records
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { median, percentile } from './engine/median.ts';
import { startServers, type Way } from './honest/servers.ts';
import { actions, type Visit, type Visited } from './honest/visit.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    users: { type: 'string', default: '1,5,20,50' },
    seconds: { type: 'string', default: '70' },
    ways: { type: 'string', default: '' },
  },
});
const count = Number(positionals[0] ?? 1_000_000);
const numbers = values.users.split(',').map(Number);
const seconds = Number(values.seconds);
/** Shorter where no session would fit. */
const pauseMs = Math.min(5_000, (seconds * 1_000) / (2 * actions.length));

const openUser = async (): Promise<Worker> => {
  const user = new Worker(new URL('./honest/user.ts', import.meta.url));
  await once(user, 'message');
  return user;
};

const visited = async (user: Worker, visit: Visit): Promise<Visited> => {
  const answer = once(user, 'message');
  user.postMessage(visit);
  const [result] = (await answer) as [Visited];
  return result;
};

const tally = (entries: readonly (readonly [string, number])[]): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const [key, times] of entries) sums.set(key, (sums.get(key) ?? 0) + times);
  return sums;
};

/** @returns whether every request was answered, and every page had everything */
const measure = async ({ name, url, isShared }: Way, users: readonly Worker[]): Promise<boolean> => {
  const results = await Promise.all(
    users.map((user, number) =>
      visited(user, {
        url,
        number,
        seconds,
        pauseMs,
        address: isShared ? '192.0.2.1' : `192.0.2.${number + 1}`,
      }),
    ),
  );
  const seen = results.flatMap((result) => result.seen);
  const whole = seen.filter(({ problem }) => problem === null);
  const kinds = tally(results.flatMap((result) => Object.entries(result.refusals)));
  const refusals = [...kinds.values()].reduce((sum, one) => sum + one, 0);
  const ofKinds = [...kinds].map(([kind, times]) => `, ${kind}: ${times}`).join('');
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const times = seen.map(({ ms }) => ms);
  const each = actions.map((action) => {
    const own = seen.filter((one) => one.action === action).map(({ ms }) => ms);
    return `${action} ${own.length === 0 ? '-' : `${median(own).toFixed(0)}/${percentile(own, 0.95).toFixed(0)}`}`;
  });
  console.log(
    `${name.padEnd(17)}${String(users.length).padStart(3)} users: ${refusals} of ${requests} requests refused (0${ofKinds}), ${whole.length} of ${seen.length} views whole, median ${median(times).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms; ${each.join(', ')}`,
  );
  const problems = tally(
    seen.flatMap(({ action, problem }) => (problem === null ? [] : [[`${action}: ${problem}`, 1] as const])),
  );
  const worst = [...problems].sort(([, one], [, other]) => other - one).slice(0, 3);
  for (const [problem, times] of worst) console.log(`    ${times} times ${problem.slice(0, 300)}`);
  return refusals === 0 && whole.length === seen.length;
};

const folder = mkdtempSync(join(tmpdir(), 'tributary-honest-'));
const { ways, servers } = await startServers(folder, count);
console.log(
  `${count} records, ${(pauseMs / 1_000).toFixed(1)} s between actions, for ${seconds} s each; load average ${loadavg()[0]!.toFixed(1)}; times are median/p95 in ms`,
);
const users: Worker[] = [];
while (users.length < Math.max(...numbers)) users.push(await openUser());
let isWell = true;
for (const way of ways.filter(({ name }) => name.includes(values.ways)))
  for (const number of numbers) isWell = (await measure(way, users.slice(0, number))) && isWell;
await Promise.all(users.map((user) => user.terminate()));
for (const server of servers) await server.stop();
rmSync(folder, { recursive: true });
if (!isWell) process.exitCode = 1;
