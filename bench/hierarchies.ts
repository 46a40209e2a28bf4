/**
 * Prints how long hierarchies take to be read, as processor time of the whole process, how much memory that takes at its
 * peak and afterwards, and how long the event loop was blocked: of a made-up graph in the shape of SNOMED CT, and of files
 * that are named.
 *
 *   node --expose-gc bench/hierarchies.ts [file...]     such as hp.obo, mondo.obo.gz, icd10.csv
 */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHierarchy } from '../src/introspection/hierarchies/open-hierarchies.ts';
import { sized } from './size.ts';

const terms = sized(350_000, 2_000);

/** A table of terms with 1 or 2 parents, about 15 terms above each, and 2 synonyms. */
const writeSnomed = async (path: string): Promise<void> => {
  let seed = 1;
  const random = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed / 2 ** 32;
  };
  const file = await open(path, 'w');
  let rows = 'code,parent,label,synonyms\n';
  for (let at = 0; at < terms; at++) {
    const count = at === 0 ? 1 : random() < 0.62 ? 1 : 2;
    const parents = new Set(Array.from({ length: count }, () => Math.floor(random() ** 3 * at)));
    for (const parent of parents) {
      const code = at === 0 ? '' : String(100_000_000 + parent * 7);
      rows += `${100_000_000 + at * 7},${code},"Disorder, of structure ${at} (disorder)",Disorder ${at}|Another name ${at}\n`;
    }
    if (rows.length < 1_000_000) continue;
    await file.write(rows);
    rows = '';
  }
  await file.write(rows);
  await file.close();
};

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

const measure = async (path: string): Promise<void> => {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let [peak, blockedMs, last] = [before, 0, performance.now()];
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
    blockedMs = Math.max(blockedMs, performance.now() - last - 5);
    last = performance.now();
  }, 5);
  const started = process.cpuUsage();
  const hierarchy = await openHierarchy({ name: 'h', path, file: path, relations: [] });
  const { user, system } = process.cpuUsage(started);
  clearInterval(timer);
  await sleep(500);
  globalThis.gc?.();
  const kept = process.memoryUsage.rss() - before;
  const { size, depth } = hierarchy;
  console.log(
    `${path}: ${size} terms, ${depth} levels: ${Math.round((user + system) / 1_000)} ms of processor time, ` +
      `at most ${megabytes(peak - before)} more, ${megabytes(kept)} afterwards, event loop blocked for ${Math.round(blockedMs)} ms`,
  );
  const searchedAt = performance.now();
  hierarchy.search('zz', 50);
  hierarchy.suggest(`${hierarchy.id(size - 1)}0`);
  console.log(
    `  a search that finds nothing, and a suggestion: ${Math.round(performance.now() - searchedAt)} ms`,
  );
};

console.log(`${cpus().length} processors, load ${loadavg()[0]!.toFixed(1)}`);
const folder = await mkdtemp(join(tmpdir(), 'tributary-hierarchies-'));
const made = join(folder, 'snomed-shaped.csv');
await writeSnomed(made);
for (const file of [...process.argv.slice(2), made]) await measure(file);
await rm(folder, { recursive: true });
