import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { createApp } from '../../../src/server/http/app.ts';
import { connectionLimits, httpServer } from '../../../src/server/http/koa/http-server.ts';
import { openRegistry } from '../../../src/local/registry.ts';
import { parseSqon } from '../../../src/sqon/parse.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { listening } from '../../listening.ts';
import { defaultSettings, noSpools } from './running-app.ts';
import { testNetwork } from '../../builders.ts';

const index = 'plots';
const plots = [
  { id: 'p1', club: 'north', crop: 'leek', sown: '2024-03-01' },
  { id: 'p2', club: 'north', crop: 'bean', sown: '2024-04-01' },
  { id: 'p3', club: 'south', crop: 'leek', sown: '2024-05-01' },
];

export interface Plots {
  /** Of its GraphQL. */
  readonly url: string;
  /** For a network of this node alone. */
  readonly networkUrl: string;
  readonly write: (id: string, crop: string) => Promise<void>;
}

/**
 * A node over the plots of garden clubs, on the embedded engine, until the test is over: the header `x-club` names whose
 * plots a caller sees, `x-tier` what they may learn of them.
 */
export const servePlots = async (t: ExecutionContext): Promise<Plots> => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-plots-'));
  const engine = await openEngine({ kind: 'embedded', dataPath });
  const properties = Object.fromEntries(['id', 'club', 'crop'].map((name) => [name, { type: 'keyword' }]));
  const mapping = { properties: { ...properties, sown: { type: 'date' } } };
  await engine.manage({ kind: 'create', index, mapping });
  await engine.write(
    index,
    plots.map((document) => ({ kind: 'upsert', id: document.id, document })),
  );
  const named = { catalogueId: 'plot', documentType: 'plot', esIndex: index, extended: [] };
  const registry = await openRegistry([bookConfig(named)], engine, {});
  const network = await testNetwork(t, [{ nodeId: 'own', catalogue: 'plot' }], {
    network: { documentType: 'plot' },
    byId: registry.byId,
  });
  const app = createApp({
    registry,
    networks: new Map([['network', network]]),
    settings: { ...defaultSettings, bodyLimitBytes: 20_000 },
    spools: noSpools,
    log: pino({ level: 'silent' }),
    accessFilter: (context) => {
      const club = context.get('x-club');
      return club === '' ? null : parseSqon({ op: 'in', content: { fieldName: 'club', value: [club] } });
    },
    tierOf: (context) => (context.get('x-tier') === 'counts' ? 'counts' : null),
  });
  const { server, serve } = httpServer(connectionLimits);
  serve(app.callback());
  const { url } = await listening(t, server);
  t.teardown(async () => {
    await registry.close();
    await engine.close();
    await rm(dataPath, { recursive: true, force: true });
  });
  return {
    url: `${url}/graphql`,
    networkUrl: `${url}/network/graphql`,
    write: async (id, crop) => {
      await engine.write(index, [{ kind: 'upsert', id, document: { id, crop, club: 'north' } }]);
    },
  };
};
