import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { doorsOf } from '../../src/server/http/capability.ts';
import { addPortal } from '../../src/capabilities/portal/portal-routes.ts';
import { standard } from '../../src/standard.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { openEngine } from '../../src/engines/open/open-engine.ts';
import { createApp, type AppParts } from '../../src/server/http/app.ts';
import { connectionLimits, httpServer } from '../../src/server/http/koa/http-server.ts';
import type { About } from '../../src/introspection/fields/about.ts';
import type { CatalogueConfig } from '../../src/introspection/fields/catalogue-config.ts';
import { buildHierarchy } from '../../src/introspection/hierarchies/build-hierarchy.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import { openRegistry } from '../../src/local/registry.ts';
import { defaultSettings, noSpools } from '../server/http/running-app.ts';
import { bookConfig } from '../local/catalogue-fixture.ts';
import { listening } from '../listening.ts';
import { testNetwork } from '../builders.ts';

const properties: JsonObject = {
  sex: { type: 'keyword' },
  age: { type: 'integer' },
  alive: { type: 'boolean' },
  born: { type: 'date' },
  allele: { type: 'keyword' },
  phenotypes: { type: 'keyword' },
  notes: { type: 'text' },
  samples: { type: 'nested', properties: { tissue: { type: 'keyword' } } },
};

const sexes = ['Female', 'Male', null];
const phenotypes = ['HP:0001250', 'HP:0001263', 'HP:0000252', 'OMIM:607208'];
const alleles = ['HLA-A*02:01', 'HLA-A*02:06', 'HLA-B*07:02'];

/** Made by rule, so that tests can count them. */
const patients = (hospital: string, count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, at) => ({
    sex: sexes[at % 3]!,
    age: (at * 7) % 90,
    alive: at % 4 !== 0,
    born: `19${40 + (at % 50)}-05-01`,
    allele: alleles[at % alleles.length]!,
    phenotypes: phenotypes.filter((_phenotype, bit) => ((at >> bit) & 1) === 1),
    notes: `visit ${at} at ${hospital}`,
    samples: [{ tissue: at % 2 === 0 ? 'blood' : 'skin' }],
  }));

interface ServedPatients {
  readonly engine: Engine;
  readonly url: string;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
}

/** The catalogues `oslo` (60 patients) and `bergen` (40) and their network, with all doors, until the test is over. */
export const servePatients = async (
  t: ExecutionContext,
  about: About = {},
  options: Partial<AppParts> = {},
  own: Partial<CatalogueConfig> = {},
): Promise<ServedPatients> => {
  const dataPath = await mkdtemp(join(tmpdir(), 'tributary-doors-'));
  const engine = await openEngine({ kind: 'embedded', dataPath });
  const sizes = { oslo: 60, bergen: 40 };
  for (const [index, size] of Object.entries(sizes)) {
    await engine.manage({ kind: 'create', index, mapping: { properties } });
    const documents = patients(index, size);
    await engine.write(
      index,
      documents.map((document, at) => ({ kind: 'upsert', id: `${index}-${at}`, document })),
    );
  }
  const configs = Object.keys(sizes).map((index) =>
    bookConfig({
      ...{ catalogueId: index, documentType: 'patient', esIndex: index, about },
      extended: [{ fieldName: 'age', unit: 'years' }],
      ...own,
    }),
  );
  const registry = await openRegistry(configs, engine, {});
  const nodes = Object.keys(sizes).map((nodeId) => ({ nodeId, catalogue: nodeId }));
  const network = await testNetwork(t, nodes, {
    network: { displayName: 'Both hospitals', documentType: 'patient', catalogue: about },
    byId: registry.byId,
  });
  const app = createApp({
    ...{ registry, spools: noSpools, doors: doorsOf(standard), routes: [addPortal] },
    networks: new Map([['network', network]]),
    settings: { ...defaultSettings, bodyLimitBytes: 100_000 },
    log: pino({ level: 'silent' }),
    ...options,
  });
  const { server, serve } = httpServer(connectionLimits);
  serve(app.callback());
  const { url } = await listening(t, server);
  t.teardown(async () => {
    registry.close();
    await engine.close();
    await rm(dataPath, { recursive: true, force: true });
  });
  return {
    ...{ engine, url },
    get: (path, headers = {}) => fetch(url + path, { headers }),
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
};

/** Terms of phenotypes, some under others. */
export const phenotypeTerms = buildHierarchy(
  'hp',
  [
    { id: 'HP:0000118', label: 'Phenotypic abnormality' },
    { id: 'HP:0001250', label: 'Seizure', synonyms: ['Epilepsy'], parents: ['HP:0000118'] },
    { id: 'HP:0001263', label: 'Global developmental delay', parents: ['HP:0000118'] },
  ].map((term) => ({ synonyms: [], parents: [], obsolete: false, replacedBy: null, ...term })),
  'hp.obo',
);
