import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { createApp } from '../../../src/server/http/app.ts';
import { aggregateStatus, openRegistry } from '../../../src/local/registry.ts';
import { defaultSettings, noSpools } from '../../server/http/running-app.ts';
import { bookConfig, bookProperties } from '../../local/catalogue-fixture.ts';
import { engineOn, startScripted, type Script } from './scripted-server.ts';
import { freePort, listening } from '../../listening.ts';

const books: Script = ({ line }) =>
  line.endsWith('_count')
    ? { body: { count: 3 } }
    : { body: { books: { aliases: {}, mappings: { properties: bookProperties }, settings: {} } } };

/** A node whose search server may be away: what /ready and /introspection say. */
const nodeOn = async (t: ExecutionContext, port: number) => {
  const registry = await openRegistry([bookConfig()], engineOn(t, port), {
    ...{ retryMs: 10, maxRetryMs: 50, refreshMs: 50, statusMs: 10 },
  });
  const log = pino({ level: 'silent' });
  const app = createApp({ registry, networks: new Map(), settings: defaultSettings, spools: noSpools, log });
  t.teardown(registry.close);
  const { url } = await listening(t, createServer(app.callback()));
  const stated = async () => {
    const [ready, list] = await Promise.all([fetch(`${url}/ready`), fetch(`${url}/introspection`)]);
    return `${ready.status} ${await list.text()}`;
  };
  return { stated, registry };
};

const until = async (stated: () => Promise<string>, pattern: RegExp): Promise<string> => {
  for (;;) {
    const now = await stated();
    if (pattern.test(now)) return now;
    await sleep(20);
  }
};

for (const product of ['opensearch', 'elasticsearch'] as const)
  test(`${product}: a catalogue whose server was away comes back by itself, and fails again without it`, async (t) => {
    t.timeout(300_000);
    const port = await freePort();
    const { stated, registry } = await nodeOn(t, port);
    const away = await stated();
    t.regex(away, /^503 .*"connection_error"/);
    const server = await startScripted(t, product, books, port);
    t.notRegex(await until(stated, /^200 .*"available"/), /connection_error/);
    // the state changes without anybody asking for it
    await server.stop();
    await until(() => Promise.resolve(aggregateStatus(registry.states())), /unhealthy/);
    t.regex(await stated(), /^503 .*"connection_error"/);
  });
