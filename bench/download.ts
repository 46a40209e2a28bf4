/**
 * Prints how much memory a node needs above its idle self while it streams a download.
 *
 *   node bench/download.ts [rows]     default: 1000000
 *
 * The documents are written by another process, so that writing leaves nothing behind in the one that is measured.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { openEngine } from '../src/engines/open.ts';
import type { WriteOperation } from '../src/engines/engine.ts';
import { createApp } from '../src/http/app.ts';
import type { CatalogueConfig } from '../src/introspection/catalogue-config.ts';
import type { JsonObject } from '../src/json.ts';
import { openRegistry } from '../src/local/registry.ts';

const index = 'samples';
const mebibyte = 1024 * 1024;

const properties: JsonObject = {
  id: { type: 'keyword' },
  tissue: { type: 'keyword' },
  bytes: { type: 'long' },
  taken: { type: 'date' },
  consented: { type: 'boolean' },
  labels: { type: 'keyword' },
  donors: { type: 'nested', properties: { name: { type: 'keyword' }, age: { type: 'integer' } } },
};

const documentAt = (position: number): JsonObject => ({
  id: `sample-${position}`,
  tissue: ['liver', 'lung', 'skin', 'blood'][position % 4]!,
  bytes: (position * 7919) % 1_000_003,
  taken: new Date(Date.UTC(2010, 0, 1 + (position % 5000))).toISOString(),
  consented: position % 3 === 0,
  labels: ['frozen', `batch ${position % 100}`],
  donors: [
    { name: `donor ${position % 1000}`, age: position % 90 },
    { name: `donor ${(position * 31) % 1000}`, age: (position * 3) % 90 },
  ],
});

const catalogue: CatalogueConfig = {
  catalogueId: 'samples',
  documentType: 'sample',
  esIndex: index,
  nestingPrefix: null,
  maxAliases: 15,
  maxDepth: 7,
  disableGraphQLIntrospection: false,
  enableAdmin: false,
  extended: [{ fieldName: 'labels', isArray: true }],
  table: { columns: null, defaultSorting: [], maxResultsWindow: 10_000, rowIdFieldName: 'id' },
  facets: null,
  matchbox: [],
  charts: {},
  downloads: { allowCustomMaxRows: false, maxRows: null },
  folder: '',
  problems: [],
};

const write = async (dataPath: string, rows: number): Promise<void> => {
  const engine = await openEngine({ kind: 'embedded', dataPath });
  await engine.manage({ kind: 'create', index, mapping: { properties } });
  const batch = 5_000;
  for (let from = 0; from < rows; from += batch) {
    const operations: WriteOperation[] = [];
    for (let position = from; position < Math.min(from + batch, rows); position++)
      operations.push({ kind: 'upsert', id: String(position), document: documentAt(position) });
    await engine.write(index, operations);
  }
  await engine.close();
};

const writeElsewhere = async (dataPath: string, rows: number): Promise<void> => {
  const child = fork(import.meta.filename, ['--write', dataPath, String(rows)]);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the documents could not be written: exit code ${code}`);
};

const serve = async (dataPath: string) => {
  const engine = await openEngine({ kind: 'embedded', dataPath });
  const registry = await openRegistry([catalogue], engine, {});
  const settings = {
    allowedOrigins: null,
    bodyLimitBytes: mebibyte,
    batching: false,
    playground: false,
    filtersDisabled: false,
    setsEnabled: false,
    downloads: { disabled: false, bufferRows: 2000 },
    pingPath: '/ping',
    readyPath: '/ready',
    network: { maxAliases: 15, maxDepth: 7, introspectionDisabled: false },
  };
  const app = createApp({ registry, network: null, settings, log: pino({ level: 'error' }) });
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    registry.close();
    server.closeAllConnections();
    server.close();
    await engine.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};

/** Downloads a file and forgets it. */
const download = async (
  url: string,
  file: Record<string, unknown>,
): Promise<{ bytes: number; lines: number }> => {
  const params = encodeURIComponent(JSON.stringify({ files: [file] }));
  const [response] = (await once(get(`${url}/download?params=${params}`), 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`download answered ${response.statusCode}`);
  let bytes = 0;
  let lines = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
  }
  return { bytes, lines };
};

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
};

const residentMebibytes = (): number => process.memoryUsage.rss() / mebibyte;

/** The highest resident memory while something runs. */
const watched = async <T>(run: () => Promise<T>): Promise<{ result: T; peak: number; seconds: number }> => {
  let peak = residentMebibytes();
  const timer = setInterval(() => (peak = Math.max(peak, residentMebibytes())), 20);
  const startedMs = performance.now();
  const result = await run();
  clearInterval(timer);
  return { result, peak, seconds: (performance.now() - startedMs) / 1000 };
};

const columns = Object.keys(properties)
  .filter((name) => name !== 'donors')
  .concat('donors.name', 'donors.age')
  .map((fieldName) => ({ fieldName }));

const measure = async (rows: number): Promise<void> => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-bench-'));
  try {
    await writeElsewhere(dataPath, rows);
    const node = await serve(dataPath);
    await download(node.url, {
      columns,
      sqon: { op: 'in', content: { fieldName: 'id', value: ['sample-1'] } },
    });
    collectGarbage();
    const idle = residentMebibytes();
    const { result, peak, seconds } = await watched(() => download(node.url, { fileType: 'tsv', columns }));
    await node.close();
    if (result.lines !== rows + 1) throw new Error(`${rows + 1} lines expected, ${result.lines} received`);
    console.log(`rows streamed       ${rows}, ${(result.bytes / mebibyte).toFixed(1)} MiB of TSV`);
    console.log(`time                ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s`);
    console.log(`idle process        ${idle.toFixed(0)} MiB resident`);
    console.log(`above it, at most   ${(peak - idle).toFixed(0)} MiB`);
  } finally {
    await rm(dataPath, { recursive: true, force: true });
  }
};

const [first, dataPath, count] = process.argv.slice(2);
if (first === '--write') await write(dataPath!, Number(count));
else await measure(Number(first ?? 1_000_000));
