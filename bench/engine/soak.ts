/**
 * Prints the memory of a process that writes and reads without a pause: documents are replaced, deleted and added
 * again, so that dead ones pile up and must be cleared away. At the end all documents must be there.
 *
 *   node bench/engine/soak.ts [minutes] [documents]     default: 10 100000
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, WriteOperation } from '../../src/engines/engine.ts';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { documentAt, idAt, mapping } from './documents.ts';
import { index } from './embedded-side.ts';
import { median, percentile } from './median.ts';
import { queries } from './queries.ts';
import { sized } from '../size.ts';

const batch = 100;
const mebibyte = 1024 * 1024;

const upsert = (position: number, edition: number): WriteOperation => ({
  kind: 'upsert',
  id: idAt(position),
  document: documentAt(position, edition),
});

const load = async (engine: Engine, documents: number): Promise<void> => {
  await engine.manage({ kind: 'create', index, mapping });
  for (let from = 0; from < documents; from += 1000) {
    const positions = Array.from({ length: Math.min(1000, documents - from) }, (_, i) => from + i);
    await engine.write(
      index,
      positions.map((position) => upsert(position, 0)),
    );
  }
};

/** Replaces the documents round and round; every fourth is deleted first. */
const writeRound = async (engine: Engine, documents: number, round: number): Promise<void> => {
  const first = (round * batch) % documents;
  const edition = 1 + Math.floor((round * batch) / documents);
  const positions = Array.from({ length: batch }, (_, i) => (first + i) % documents);
  const deleted = positions.filter((position) => position % 4 === 0);
  await engine.write(
    index,
    deleted.map((position) => ({ kind: 'delete', id: idAt(position) })),
  );
  await engine.write(
    index,
    positions.map((position) => upsert(position, edition)),
  );
};

const sizeOf = async (folder: string): Promise<number> => {
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

const soak = async (folder: string, minutes: number, documents: number): Promise<void> => {
  const engine = await openEngine({ kind: 'embedded', dataPath: folder });
  await load(engine, documents);
  console.log('minute  written  resident MiB  files MiB  search ms: median  p99  load average');
  let written = 0;
  let round = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    const endMs = performance.now() + sized(60_000, 500);
    const times: number[] = [];
    while (performance.now() < endMs) {
      await writeRound(engine, documents, round++);
      written += batch;
      const startedMs = performance.now();
      await engine.search(index, queries[round % queries.length]!.search);
      times.push(performance.now() - startedMs);
    }
    const cells = [
      minute,
      written,
      (process.memoryUsage.rss() / mebibyte).toFixed(0),
      ((await sizeOf(folder)) / mebibyte).toFixed(0),
      median(times).toFixed(1),
      percentile(times, 0.99).toFixed(1),
      loadavg()[0]!.toFixed(1),
    ];
    console.log(cells.map((cell, i) => String(cell).padStart([6, 9, 14, 11, 19, 5, 14][i]!)).join(''));
  }
  const { documents: live } = await engine.describe(index);
  if (live !== documents) throw new Error(`${documents} documents expected, ${live} found`);
  await engine.close();
};

const [minutes = 10, documents = 100_000] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), 'tributary-soak-'));
try {
  await soak(folder, minutes, documents);
} finally {
  await rm(folder, { recursive: true, force: true });
}
