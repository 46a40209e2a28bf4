import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { postQuery } from '../../whole/end-to-end/processes.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { faultProxy } from './fault-proxy.ts';
import { institutions, mappings, prepareInstitution, writeNodes } from './institutions.ts';
import type { NodeProcess } from './node-process.ts';
import { eventually, patienceMs, startProcess } from './node-process.ts';
import { freePort } from '../../listening.ts';

/** The deadline of the node that fails: long enough for a healthy answer on a busy machine. */
export const croftTimeoutMs = 10_000;

/** Three processes: abbey is the portal's own catalogue, brook a healthy node, croft stands behind the faults. */
export interface Consortium {
  readonly portal: NodeProcess;
  readonly croft: NodeProcess;
  readonly proxy: FaultProxy;
  readonly askNetwork: () => Promise<NetworkAnswer>;
  /** Gives croft another deadline than croftTimeoutMs. */
  readonly setDeadline: (timeoutMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Resolves once all of them are ready. */
export const startConsortium = async (): Promise<Consortium> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tributary-faults-'));
  const [abbeySettings, brookSettings, croftSettings] = await Promise.all(
    (['abbey', 'brook', 'croft'] as const).map((name) => prepareInstitution(folder, name)),
  );
  const brook = startProcess(await freePort(), brookSettings!);
  const croft = startProcess(await freePort(), croftSettings!);
  const proxy = faultProxy(await freePort(), croft.url);
  await proxy.open();
  await Promise.all([brook.ready, croft.ready]);
  const network = (timeoutMs: number) => ({
    defaults: { discoveryTimeoutMs: patienceMs },
    nodes: [
      { nodeId: 'abbey', catalogue: 'abbey', timeoutMs: patienceMs, ...mappings.abbey },
      {
        nodeId: 'brook',
        documentType: 'tree',
        graphqlUrl: `${brook.url}/graphql`,
        timeoutMs: patienceMs,
        ...mappings.brook,
      },
      {
        nodeId: 'croft',
        documentType: 'specimen',
        graphqlUrl: `${proxy.url}/graphql`,
        timeoutMs,
        headers: ['x-team'],
      },
    ],
  });
  const NODES_PATH = await writeNodes(folder, network(croftTimeoutMs));
  const logged = { LOG_LEVEL: 'info', SEARCH_TIMEOUT_MS: String(patienceMs) };
  const portal = startProcess(await freePort(), { ...abbeySettings!, ...logged, NODES_PATH });
  await portal.ready;
  return {
    portal,
    croft,
    proxy,
    askNetwork: async () => {
      const { data, errors } = await postQuery(`${portal.url}/network/graphql`, query);
      if (errors) throw new Error(JSON.stringify(errors));
      return data?.['network'] as NetworkAnswer;
    },
    setDeadline: async (timeoutMs) => {
      const reloads = (): number => portal.output().split('configuration reloaded').length;
      const before = reloads();
      await writeFile(NODES_PATH, JSON.stringify(network(timeoutMs)));
      portal.signal('SIGHUP');
      if (!(await eventually(() => reloads() > before))) throw new Error(portal.output());
    },
    close: async () => {
      await Promise.all([portal, brook, croft].map((node) => node.end()));
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export const query = `query($filters: JSON) { network(filters: $filters) {
  total partial
  nodes { nodeId hits status errors state code took uncoveredFields }
  hits(first: 10, sort: [{fieldName: "name", order: asc}]) { total edges { nodeId node { id name genus girth } } }
  aggregations {
    genus { buckets { key doc_count exact } coverage { nodeId state docs } }
    girth { stats { count min max sum } coverage { nodeId state docs } }
  }
} }`;

export interface NodeLine {
  readonly nodeId: string;
  readonly hits: number | null;
  readonly status: string | null;
  readonly errors: string;
  readonly state: string;
  readonly code: string | null;
  readonly took: number;
}
export interface NetworkAnswer {
  readonly total: number | null;
  readonly partial: boolean;
  readonly nodes: readonly NodeLine[];
  readonly hits: unknown;
  readonly aggregations: unknown;
}

/** The status of croft. */
export const croftLine = ({ nodes }: NetworkAnswer): NodeLine =>
  nodes.find(({ nodeId }) => nodeId === 'croft')!;

const abbeyRows = [
  { nodeId: 'abbey', node: { id: 'a1', name: 'Beacon', genus: 'Malus', girth: 90 } },
  { nodeId: 'abbey', node: { id: 'a2', name: 'Crown', genus: 'Pyrus', girth: 140 } },
  { nodeId: 'abbey', node: { id: 'a3', name: 'Dusk', genus: null, girth: 20 } },
];
const brookRows = [
  { nodeId: 'brook', node: { id: 'b1', name: 'Amber', genus: 'Malus', girth: 55.5 } },
  { nodeId: 'brook', node: { id: 'b2', name: 'Ember', genus: 'Prunus', girth: 70 } },
];
const croftRows = institutions.croft.documents.map((document) => ({
  nodeId: 'croft',
  node: { girth: null, ...document },
}));
const [amber, ember] = brookRows;

const bucket = (key: string, doc_count: number) => ({ key, doc_count, exact: true });
const coverage = (croft: object) => [
  { nodeId: 'abbey', state: 'answered', docs: 3 },
  { nodeId: 'brook', state: 'answered', docs: 2 },
  { nodeId: 'croft', ...croft },
];

/** Everything but `nodes`, with croft. */
export const whole = {
  total: 8,
  partial: false,
  hits: { total: 8, edges: [amber, ...abbeyRows, ember, ...croftRows] },
  aggregations: {
    genus: {
      buckets: [bucket('Malus', 3), bucket('Prunus', 3), bucket('Pyrus', 1), bucket('__missing__', 1)],
      coverage: coverage({ state: 'answered', docs: 3 }),
    },
    girth: {
      stats: { count: 7, min: 20, max: 140, sum: 452.5 },
      coverage: coverage({ state: 'answered', docs: 3 }),
    },
  },
};
/** Everything but `nodes`, without croft. */
export const withoutCroft = {
  total: 5,
  partial: true,
  hits: { total: 5, edges: [amber, ...abbeyRows, ember] },
  aggregations: {
    genus: {
      buckets: [bucket('Malus', 2), bucket('Prunus', 1), bucket('Pyrus', 1), bucket('__missing__', 1)],
      coverage: coverage({ state: 'failed', docs: null }),
    },
    girth: {
      stats: { count: 5, min: 20, max: 140, sum: 375.5 },
      coverage: coverage({ state: 'failed', docs: null }),
    },
  },
};

/** Everything but `nodes`. */
export const values = ({ total, partial, hits, aggregations }: NetworkAnswer) => ({
  total,
  partial,
  hits,
  aggregations,
});
