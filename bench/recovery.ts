/**
 * Restoring as docs/operations.md describes it: loads records, backs them up, loses the folder, restores it
 * elsewhere, and prints what each step took.
 *
 *   node bench/recovery.ts [documents]     default: 100000
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { postQuery, run, startNode, type Settings } from '../test/whole/end-to-end/processes.ts';

const count = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'tributary-recovery-'));
const [lost, restored, backup] = ['lost', 'restored', 'backup.tar.gz'].map((name) => join(folder, name));
const file = join(folder, 'donors.ndjson');
const donors = Array.from({ length: count }, (_, at) =>
  JSON.stringify({ donor_id: `D${at}`, age: at % 90, site: `site ${at % 40}`, note: `seen ${at} times` }),
);
writeFileSync(file, donors.join('\n'));

const settingsOf = (place: string): Settings => ({
  ...{ CONFIGS_PATH: join(place, 'configs'), DATA_PATH: join(place, 'data'), NODES_PATH: 'off' },
});
const command = async (place: string, ...args: readonly string[]): Promise<void> => {
  const { code, output } = await run(args, settingsOf(place));
  if (code !== 0) throw new Error(output);
};

/** Starts a server, and the first answer of it. */
const answerOf = async (place: string): Promise<string> => {
  const node = await startNode(settingsOf(place));
  const query = '{ donors { hits { total } aggregations { site { buckets { key doc_count } } } } }';
  const answer = JSON.stringify((await postQuery(`${node.url}/graphql`, query)).data);
  await node.stop();
  return answer;
};

const timed = async <T>(what: string, work: () => Promise<T> | T): Promise<T> => {
  const startMs = performance.now();
  const result = await work();
  console.log(`${((performance.now() - startMs) / 1_000).toFixed(1).padStart(7)} s  ${what}`);
  return result;
};

await timed(`load ${count} records`, () => command(lost!, 'load', file, '--catalogue', 'donors'));
const before = await timed('start, first answer, stop', () => answerOf(lost!));
await timed('back up the folder', () => execFileSync('tar', ['czf', backup!, '-C', folder, 'lost']));
rmSync(lost!, { recursive: true });
const startMs = performance.now();
await timed('restore it elsewhere', () => {
  execFileSync('mkdir', [restored!]);
  execFileSync('tar', ['xzf', backup!, '-C', restored!, '--strip-components=1']);
});
await timed('verify every document', () => command(restored!, 'index', 'verify'));
const after = await timed('start, first answer, stop', () => answerOf(restored!));
console.log(
  `${((performance.now() - startMs) / 1_000).toFixed(1).padStart(7)} s  from the loss to the answer`,
);
console.log(before === after ? 'the answer is the same' : `the answer differs: ${before} and ${after}`);
console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
process.exitCode = before === after ? 0 : 1;
rmSync(folder, { recursive: true });
