import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedEngine } from '../src/engines/embedded/embedded-engine.ts';
import type { WriteOperation } from '../src/engines/engine.ts';
import { importFile } from '../src/indexing/file-import/import-file.ts';
import { openRejectsFile } from '../src/indexing/file-import/rejects-file.ts';
import { readRecords } from '../src/indexing/file-import/read-files.ts';
import type { JsonObject } from '../src/lib/json/json.ts';
import { documentAt, flatFields } from './engine/documents.ts';
import { median } from './engine/median.ts';
import { measuredProcess } from './measured-process.ts';

const formats = ['ndjson', 'csv'] as const;
type Format = (typeof formats)[number];

const index = 'loaded';
const batchSize = 2_000;
const target = 0.6;

const writeFiles = async (folder: string, count: number): Promise<void> => {
  const [ndjson, csv] = formats.map((format) => createWriteStream(join(folder, `documents.${format}`)));
  csv!.write(`${paths.join(',')}\n`);
  for (let position = 0; position < count; position += 1) {
    const document = loadDocument(position);
    csv!.write(`${flatRow(document)}\n`);
    if (!ndjson!.write(`${JSON.stringify(document)}\n`)) await once(ndjson!, 'drain');
  }
  await Promise.all([ndjson, csv].map((stream) => once(stream!.end(), 'close')));
};

/** Bytes of a file of 16 digits, as sequencing centres count them: below 2^53, so numbers like any other. */
const loadDocument = (position: number): JsonObject => ({
  ...documentAt(position),
  bytes: 1_000_000_000_000_000 + position,
});

const paths = flatFields.map(([path]) => path);

const flatRow = (document: JsonObject): string =>
  paths
    .map((path) => path.split('.').reduce<unknown>((value, key) => (value as JsonObject)[key], document))
    .map((value) => (value === undefined ? '' : String(value)))
    .join(',');

interface Measured {
  readonly ms: number;
  /** What all threads of the process took, in milliseconds. */
  readonly processorMs: number;
  readonly mapping: JsonObject;
}

const stopwatch = (): (() => { ms: number; processorMs: number }) => {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { ms: performance.now() - startedMs, processorMs: (user + system) / 1_000 };
  };
};

const load = async (folder: string, format: Format): Promise<Measured> => {
  const file = join(folder, `documents.${format}`);
  const engine = openEmbeddedEngine(join(folder, `load-${String(process.pid)}`));
  await engine.describe('none').catch(() => undefined); // starts the thread
  const watch = stopwatch();
  const rejects = await openRejectsFile(file);
  const chunks = createReadStream(file, { highWaterMark: 256 * 1024 });
  const report = await importFile(
    engine,
    {
      chunks,
      format,
      name: index,
      aliases: [],
      mapping: null,
      idField: 'id',
      replace: false,
      mayBeEmpty: false,
    },
    rejects,
  );
  const measured = watch();
  if (report.failure !== null || rejects.count() > 0)
    throw report.failure ?? new Error('records were rejected');
  await engine.close();
  return { ...measured, mapping: report.mapping };
};

/** The engine's own time for the same documents under the same mapping. */
const bare = async (folder: string, format: Format, mapping: JsonObject): Promise<Measured> => {
  const engine = openEmbeddedEngine(join(folder, `bare-${String(process.pid)}`));
  await engine.manage({ kind: 'create', index, mapping });
  const batches: WriteOperation[][] = [[]];
  const chunks = createReadStream(join(folder, `documents.${format}`));
  for await (const record of readRecords(format, chunks, null)) {
    if (record.kind !== 'document') throw new Error('a record was rejected');
    if (batches.at(-1)!.length === batchSize) batches.push([]);
    batches.at(-1)!.push({ kind: 'upsert', id: String(record.document['id']), document: record.document });
  }
  const watch = stopwatch();
  for (const batch of batches) await engine.write(index, batch);
  const measured = watch();
  await engine.close();
  return { ...measured, mapping };
};

const measured = (...step: readonly string[]): Promise<Measured> =>
  measuredProcess<Measured>(import.meta.filename, step);

const spread = (values: readonly number[], unit = ''): string =>
  `${shown(median(values))}${unit} (${shown(Math.min(...values))} to ${shown(Math.max(...values))})`;
const shown = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));

const compare = async (count: number, rounds: number): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-'));
  try {
    await writeFiles(folder, count);
    console.log(`${count} documents, ${rounds} rounds, load average ${loadavg()[0]!.toFixed(1)}`);
    for (const format of formats) {
      const rates = {
        load: [] as number[],
        bare: [] as number[],
        ratio: [] as number[],
        byProcessor: [] as number[],
      };
      for (let round = 0; round < rounds; round += 1) {
        const loaded = await measured('load', folder, format);
        const alone = await measured('bare', folder, format, JSON.stringify(loaded.mapping));
        rates.load.push(count / (loaded.ms / 1_000));
        rates.bare.push(count / (alone.ms / 1_000));
        rates.ratio.push(alone.ms / loaded.ms);
        rates.byProcessor.push(alone.processorMs / loaded.processorMs);
      }
      console.log(`${format.padEnd(8)}load   ${spread(rates.load, ' documents/s')}`);
      console.log(`${''.padEnd(8)}engine ${spread(rates.bare, ' documents/s')}`);
      const met = median(rates.ratio) >= target ? 'met' : 'missed';
      console.log(`${''.padEnd(8)}ratio  ${spread(rates.ratio)}; at least ${target}: ${met}`);
      console.log(`${''.padEnd(8)}by processor time ${spread(rates.byProcessor)}`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
};

const [what, folder, format, mapping] = process.argv.slice(2) as [string?, string?, Format?, string?];
if (process.send === undefined) await compare(Number(what ?? 100_000), Number(folder ?? 5));
else {
  const result =
    what === 'load'
      ? await load(folder!, format!)
      : await bare(folder!, format!, JSON.parse(mapping!) as JsonObject);
  process.send(result, () => process.disconnect());
}
