/**
 * Replaces a server by the next one again and again while clients send requests over kept connections, and prints how
 * many of these failed: none should.
 *
 *   node bench/restarts.ts [restarts] [requests]     default: 20 5000, the requests of each restart
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEngine } from '../src/engines/open/open-engine.ts';
import { fill } from './engines/loaded.ts';
import { startNode, type NodeProcess } from './engines/node-process.ts';

const clients = 50;
const [restarts = 20, requests = 5_000] = process.argv.slice(2).map(Number);

const folder = await mkdtemp(join(tmpdir(), 'tributary-restarts-'));
const engine = await openEngine({ kind: 'embedded', dataPath: folder });
await fill(engine, 1_000);
await engine.close();
const start = (): Promise<NodeProcess> =>
  startNode(folder, { SEARCH_ENGINE: 'embedded', DATA_PATH: folder, QUERY_COST_PER_SECOND: '0' });

const body = JSON.stringify({ query: '{ specimen { hits(first: 10) { total edges { node { id } } } } }' });
const init = { method: 'POST', headers: { 'content-type': 'application/json' } };

/** Whether an answer came whole, and whether it is the last of its connection. */
const ask = async (url: string, agent: Agent): Promise<{ isWhole: boolean; isLast: boolean }> => {
  const sent = request(`${url}/graphql`, { ...init, agent });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const isWhole = (await text(response)).endsWith('}') && response.statusCode === 200;
  return { isWhole, isLast: response.headers.connection === 'close' };
};

const failures: string[] = [];
let answered = 0;
let current = await start();

/** Requests over one connection after the other, each kept until an answer says that it is its last. */
const client = async (count: number): Promise<void> => {
  let [url, agent] = [current.url, new Agent({ keepAlive: true, maxSockets: 1 })];
  for (let sent = 0; sent < count; sent++) {
    try {
      const { isWhole, isLast } = await ask(url, agent);
      if (!isWhole) failures.push('an answer is not whole');
      answered += 1;
      // some clients send their next request at once, others later
      if (sent % 2 === 0) await sleep(Math.random() * 20);
      if (!isLast) continue;
    } catch (error) {
      failures.push(String(error));
    }
    agent.destroy();
    [url, agent] = [current.url, new Agent({ keepAlive: true, maxSockets: 1 })];
  }
  agent.destroy();
};

for (let restart = 0; restart < restarts; restart++) {
  const before = current;
  const next = await start();
  const goal = answered + requests / 2;
  const sending = Promise.all(Array.from({ length: clients }, () => client(requests / clients)));
  while (answered < goal && failures.length === 0) await sleep(5);
  current = next;
  await before.close();
  await sending;
}
await current.close();
await rm(folder, { recursive: true });
console.log(`${answered} requests over ${restarts} restarts, ${failures.length} failed`);
for (const failure of new Set(failures)) console.log(`  ${failure}`);
console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
process.exitCode = failures.length === 0 ? 0 : 1;
