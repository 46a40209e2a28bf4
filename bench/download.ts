/**
 * Prints how much memory a node needs above its idle self while it streams a download, and how fast it does.
 *
 *   node bench/download.ts [rows] [case]     default: 1000000, all cases; a part of a case's name
 *
 * Idle is after the start, one small download and a garbage collection. Every download has a fresh node, started with
 * --max-semi-space-size=4 (MiB).
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Command, Memory } from './download/measured-node.ts';
import { columns } from './download/samples.ts';
import { asTheProductRuns } from './fork-options.ts';

const mebibyte = 1024 * 1024;

const cases: Readonly<Record<string, Record<string, unknown>>> = {
  'TSV, unsorted': { fileType: 'tsv' },
  'TSV, sorted by a number': { fileType: 'tsv', sort: [{ fieldName: 'bytes', order: 'desc' }] },
  'TSV, sorted by two keywords': {
    fileType: 'tsv',
    sort: [{ fieldName: 'tissue' }, { fieldName: 'id' }],
  },
  'TSV, a slow reader': { fileType: 'tsv', maxBytesPerSecond: 16 * mebibyte },
  'JSON, unsorted': { fileType: 'json' },
};

const program = (name: string): string => join(import.meta.dirname, 'download', name);

const write = async (dataPath: string, rows: number): Promise<void> => {
  const [code] = (await once(fork(program('samples.ts'), [dataPath, String(rows)]), 'exit')) as [
    number | null,
  ];
  if (code !== 0) throw new Error(`the documents could not be written: exit code ${code}`);
};

interface Received {
  readonly bytes: number;
  readonly lines: number;
  readonly seconds: number;
}

/** Downloads a file and forgets it. */
const download = async (
  url: string,
  { maxBytesPerSecond = Infinity, ...file }: Record<string, unknown> & { maxBytesPerSecond?: number },
): Promise<Received> => {
  const params = encodeURIComponent(JSON.stringify({ files: [{ columns, ...file }] }));
  const startedMs = performance.now();
  const [response] = (await once(get(`${url}/download?params=${params}`), 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`download answered ${response.statusCode}`);
  let bytes = 0;
  let lines = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
    const early = (bytes / maxBytesPerSecond) * 1000 - (performance.now() - startedMs);
    if (early > 50) await setTimeout(early);
  }
  return { bytes, lines, seconds: (performance.now() - startedMs) / 1000 };
};

const request = async (node: ChildProcess, command: Command): Promise<unknown> => {
  node.send(command);
  return ((await once(node, 'message')) as [unknown])[0];
};

const few = { sqon: { op: 'in', content: { fieldName: 'id', value: ['sample-1'] } } };

const measure = async (dataPath: string, file: Record<string, unknown>): Promise<Received & Memory> => {
  const node = fork(program('measured-node.ts'), [dataPath], asTheProductRuns);
  const [url] = (await once(node, 'message')) as [string];
  await download(url, few);
  await request(node, 'watch');
  const received = await download(url, file);
  const memory = (await request(node, 'report')) as Memory;
  node.disconnect();
  await once(node, 'exit');
  return { ...received, ...memory };
};

const print = (name: string, rows: number, { bytes, seconds, idle, peak }: Received & Memory): void => {
  const speed = `${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s`;
  console.log(`${name}: ${rows} rows, ${(bytes / mebibyte).toFixed(0)} MiB in ${speed}`);
  console.log(`  idle ${idle.toFixed(0)} MiB resident, at most ${(peak - idle).toFixed(0)} MiB above it`);
};

const [count = '1000000', part = ''] = process.argv.slice(2);
const rows = Number(count);
const dataPath = await mkdtemp(join(tmpdir(), 'tributary-bench-'));
try {
  await write(dataPath, rows);
  for (const [name, file] of Object.entries(cases)) {
    if (!name.includes(part)) continue;
    const measured = await measure(dataPath, file);
    const { lines } = measured;
    const expected = file['fileType'] === 'json' ? rows : rows + 1;
    if (lines !== expected) throw new Error(`${expected} lines expected, ${lines} received`);
    print(name, rows, measured);
  }
} finally {
  await rm(dataPath, { recursive: true, force: true });
}
