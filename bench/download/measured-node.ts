import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { createApp } from '../../src/server/http/app.ts';
import { openSpoolStorage } from '../../src/local/download/spool.ts';
import { openRegistry } from '../../src/local/registry.ts';
import { tuneHeap } from '../../src/lib/runtime/garbage-collection.ts';
import { samples } from './samples.ts';

// A node in a separate process that sends its parent its address and, on request, its memory:
// whoever reads the download is another process, and so is whoever wrote the documents.

/** What the parent requests: to become idle and be watched from then on, or what was seen. */
export type Command = 'watch' | 'report';

/** Resident memory in MiB. */
export interface Memory {
  readonly idle: number;
  readonly peak: number;
}

const mebibyte = 1024 * 1024;
const sampleMs = 10;
/** Long enough for what the warm query left to be let go of. */
const settleMs = 1_000;

const settings = {
  allowedOrigins: null,
  publicOrigin: null,
  bodyLimitBytes: mebibyte,
  maxResponseBytes: 64 * mebibyte,
  searchTimeoutMs: 30_000,
  pingPath: '/ping',
  readyPath: '/ready',
  cost: { maxQueryCost: 0, trustedProxies: 0 },
  metricsToken: undefined,
  portal: null,
  doors: {},
  network: {
    ...{ maxAliases: 15, maxDepth: 7, introspectionDisabled: false, switches: samples.switches },
    downloadBufferRows: 200,
  },
};

const residentMebibytes = (): number => process.memoryUsage.rss() / mebibyte;

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-expose-gc');
};

const watch = async (): Promise<() => Memory> => {
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  collectGarbage();
  const idle = residentMebibytes();
  let peak = idle;
  const sample = (): number => (peak = Math.max(peak, residentMebibytes()));
  const timer = setInterval(sample, sampleMs);
  return () => {
    sample();
    clearInterval(timer);
    return { idle, peak };
  };
};

tuneHeap();
const [dataPath] = process.argv.slice(2);
const engine = await openEngine({ kind: 'embedded', dataPath: dataPath! });
const registry = await openRegistry([samples], engine, {});
const spools = openSpoolStorage(join(dataPath!, 'spool'), 1_024 * mebibyte);
const app = createApp({ registry, networks: new Map(), settings, spools, log: pino({ level: 'error' }) });
const server = createServer(app.callback()).listen(0, '127.0.0.1');
await once(server, 'listening');

let report = (): Memory => ({ idle: NaN, peak: NaN });
process.on('message', (command: Command) => {
  if (command === 'report') process.send!(report());
  else
    void watch().then((reporter) => {
      report = reporter;
      process.send!('watching');
    });
});
process.on('disconnect', () => {
  registry.close();
  server.closeAllConnections();
  server.close();
  void engine.close();
});
process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
