/**
 * Restarts a server again and again under load while a parent keeps its listening socket, as systemd does, and prints
 * how many requests failed: none should.
 *
 *   node bench/restarts.ts [restarts] [requests]     default: 20 5000, the requests between two restarts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEngine } from '../src/engines/open/open-engine.ts';
import { startHeld, traffic } from '../test/whole/end-to-end/held-socket.ts';
import { fill, index } from './engines/loaded.ts';
import { writeCatalogue } from './engines/node-process.ts';

const clients = 50;
const [restarts = 20, requests = 5_000] = process.argv.slice(2).map(Number);

const folder = await mkdtemp(join(tmpdir(), 'tributary-restarts-'));
const engine = await openEngine({ kind: 'embedded', dataPath: folder });
await fill(engine, 1_000);
await engine.close();
const held = await startHeld({
  CONFIGS_PATH: await writeCatalogue(folder, index),
  NODES_PATH: 'off',
  DATA_PATH: folder,
});

const body = JSON.stringify({ query: '{ specimen { hits(first: 10) { total edges { node { id } } } } }' });
const { answered, failures, stop } = traffic(clients, held.url, body);
for (let restart = 0; restart < restarts; restart++) {
  const goal = answered() + requests;
  while (answered() < goal) await sleep(5);
  await held.restart();
}
await stop();
await held.close();
await rm(folder, { recursive: true });
console.log(`${answered()} requests over ${restarts} restarts, ${failures.length} failed`);
for (const failure of new Set(failures)) console.log(`  ${failure}`);
console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
process.exitCode = failures.length === 0 ? 0 : 1;
