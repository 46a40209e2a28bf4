import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyHub, identityAt } from '../../test/whole/end-to-end/accepted-members.ts';
import {
  answersWhole,
  run,
  startNode,
  type RunningNode,
  type Settings,
} from '../../test/whole/end-to-end/processes.ts';
import { freePort } from '../../test/listening.ts';
import { writeRecords } from './records.ts';

/** A way to the same records. */
export interface Way {
  readonly name: string;
  readonly url: string;
  /** Whether all users come from one address. */
  readonly isShared: boolean;
}

/** Settings are the defaults, behind one proxy. */
const behindProxy: Settings = { TRUST_PROXY: '1', LOG_LEVEL: 'error' };
const nodeId = 'museum';

const writeJson = (path: string, content: object): void => writeFileSync(path, JSON.stringify(content));

/** A hub that knows the node by one entry of `nodes.json`; limits of tests are left to their defaults. */
const hubOf = (folder: string, port: number, entry: object): Settings => {
  const { PORTAL_PATH: _portal, ...settings } = emptyHub(folder, port);
  writeJson(join(folder, 'nodes.json'), {
    network: { displayName: 'Honest', documentType: 'record' },
    defaults: { discoveryTimeoutMs: 60_000 },
    nodes: [{ nodeId, documentType: 'record', ...entry }],
  });
  return { ...settings, ...behindProxy };
};

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 100));
};

/** Loads the records into a node as its operator does. */
const loadedNode = async (folder: string, count: number): Promise<Settings> => {
  mkdirSync(join(folder, 'configs/record'), { recursive: true });
  writeJson(join(folder, 'configs/record/base.json'), { documentType: 'record', esIndex: 'record' });
  const file = join(folder, 'records.csv');
  await writeRecords(file, count);
  const settings = {
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    HUBS_PATH: join(folder, 'hubs.json'),
    NODES_PATH: 'off',
  };
  const loaded = await run(['load', file, '--index', 'record', '--id-field', 'id'], settings);
  if (loaded.code !== 0) throw new Error(loaded.output);
  return { ...settings, ...behindProxy };
};

/** One node, a hub that asks it by its address, and one that asks it through its tunnel. */
export const startServers = async (
  folder: string,
  count: number,
): Promise<{ readonly ways: readonly Way[]; readonly servers: readonly RunningNode[] }> => {
  const settings = await loadedNode(join(folder, 'node'), count);
  const [hubFolder, tunnelFolder] = [join(folder, 'hub'), join(folder, 'tunnel')];
  const tunnelPort = await freePort();
  const tunnelSettings = hubOf(tunnelFolder, tunnelPort, {
    dialsIn: true,
    key: identityAt(join(folder, 'node/data')).thumbprint,
  });
  const key = identityAt(join(tunnelFolder, 'data')).thumbprint;
  writeJson(join(folder, 'node/hubs.json'), {
    hubs: [{ name: 'hub', url: `http://127.0.0.1:${tunnelPort}`, nodeId, key, catalogue: 'record' }],
  });
  const tunnel = await startNode(tunnelSettings);
  const node = await startNode(settings);
  const hub = await startNode(hubOf(hubFolder, await freePort(), { graphqlUrl: `${node.url}/graphql` }));
  await until(() => answersWhole(`${tunnel.url}/ready`));
  await until(async () => (await (await fetch(`${tunnel.url}/network`)).text()).includes('"state":"ok"'));
  return {
    ways: [
      { name: 'one address', url: node.url, isShared: true },
      { name: 'each its own', url: node.url, isShared: false },
      { name: 'through a hub', url: hub.url, isShared: false },
      { name: 'through a tunnel', url: tunnel.url, isShared: false },
    ],
    servers: [hub, tunnel, node],
  };
};
