import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Koa from 'koa';
import type { SendJson } from '../src/server/http/answers/send-json.ts';
import { jsonSender } from '../src/server/http/answers/send-json.ts';
import { connectionLimits, httpServer } from '../src/server/http/koa/http-server.ts';
import type { RequestState } from '../src/server/http/koa/http-context.ts';
import { sized } from './size.ts';

/**
 * What it takes to send an answer, written as one text and as the server sends it: milliseconds of the processor, of
 * both ends of the connection, and the longest time that other requests had to wait for.
 *
 *     node bench/answers.ts
 */
const sizes = [
  { hits: 5, times: 2_000 },
  { hits: 500, times: 300 },
  { hits: 4_500, times: 40 },
  { hits: 45_000, times: 8 },
  { hits: 290_000, times: 3 },
];

const answerOf = (hits: number) => ({
  data: {
    painting: {
      hits: {
        total: hits,
        edges: Array.from({ length: hits }, (_, n) => ({
          searchAfter: [`painting ${n}`, n],
          node: {
            id: `object-${n}`,
            title: `Le Déjeuner ${n}`,
            year: 1_500 + (n % 500),
            materials: ['oil', 'canvas'],
            width: n * 1.37,
          },
        })),
      },
    },
  },
});

const asOneText: SendJson = async (context, body) => {
  context.body = JSON.stringify(body);
};

const ways: Readonly<Record<string, SendJson>> = {
  'one text': asOneText,
  'as sent': jsonSender(),
};

const measure = async (send: SendJson, body: unknown, times: number) => {
  const app = new Koa<RequestState>();
  app.use(async (context) => send(context, body));
  const { server, serve } = httpServer(connectionLimits);
  serve(app.callback());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const run = async (): Promise<number> => {
    const [answer] = await once(get({ port, host: '127.0.0.1', agent }), 'response');
    let bytes = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) bytes += chunk.length;
    return bytes;
  };
  const bytes = await run();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.cpuUsage();
  for (let n = 0; n < times; n++) await run();
  const { user, system } = process.cpuUsage(before);
  delay.disable();
  agent.destroy();
  server.close();
  await once(server, 'close');
  return { bytes, cpuMs: (user + system) / 1_000 / times, maxMs: delay.max / 1e6 };
};

for (const { hits, times } of sized(sizes, sizes.slice(0, 1))) {
  const body = answerOf(hits);
  for (const [way, send] of Object.entries(ways)) {
    const { bytes, cpuMs, maxMs } = await measure(send, body, times);
    const size = `${(bytes / 1e6).toFixed(3)} MB`.padStart(10);
    console.log(
      `${size}  ${way.padEnd(8)}  ${cpuMs.toFixed(2).padStart(8)} ms of processor  ${maxMs.toFixed(0).padStart(5)} ms longest wait`,
    );
  }
}
