import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverKey } from '../../../src/lib/runtime/server-key.ts';
import { identityOf, type Identity } from '../../../src/capabilities/joining/handshake.ts';
import { institution } from './institutions.ts';
import type { Settings } from './processes.ts';

const warn = (_: object, message: string): void => console.error(message);

/** The identity of a server by its key file, else by its data folder, made if there is none. */
export const identityAt = (dataPath: string, keyFile?: string): Identity =>
  identityOf(serverKey(keyFile, dataPath, { warn }).signingKey('tunnels'));

export interface JoinedHub {
  /** Its name at the member. */
  readonly name: string;
  readonly folder: string;
  readonly url: string;
}

/** A member that its hubs have accepted already, with so many records: the settings of its server. */
export const acceptedMember = async (
  folder: string,
  nodeId: string,
  count: number,
  { hubs, env = {} }: { readonly hubs: readonly JoinedHub[]; readonly env?: Settings },
): Promise<Settings> => {
  const own = join(folder, nodeId);
  const records = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ person_id: `${nodeId}-${at}`, sex: at % 3 === 0 ? 'Female' : 'Male', age: at % 90 }),
  );
  const entries = hubs.map(({ name, url, folder: hubFolder }) => {
    const key = identityAt(join(hubFolder, 'data')).thumbprint;
    return { name, url, nodeId, key, catalogue: 'person' };
  });
  const settings = await institution(own, 'person', records.join('\n'), { 'hubs.json': { hubs: entries } });
  const key = identityAt(join(own, 'data')).thumbprint;
  for (const { folder: hubFolder } of hubs) {
    const file = join(hubFolder, 'nodes.json');
    const content = JSON.parse(readFileSync(file, 'utf8')) as { readonly nodes: readonly object[] };
    const nodes = [...content.nodes, { nodeId, dialsIn: true, documentType: 'person', key }];
    writeFileSync(file, JSON.stringify({ ...content, nodes }));
  }
  return { ...settings, ...env };
};

/** A hub without nodes, to which members are added before it starts: the settings of its server. */
export const emptyHub = (folder: string, port: number): Settings => {
  mkdirSync(join(folder, 'configs'), { recursive: true });
  const network = { displayName: 'Bench', documentType: 'person' };
  writeFileSync(
    join(folder, 'nodes.json'),
    JSON.stringify({ network, defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 }, nodes: [] }),
  );
  return {
    ...{ CONFIGS_PATH: join(folder, 'configs'), DATA_PATH: join(folder, 'data') },
    ...{ NODES_PATH: join(folder, 'nodes.json'), HUBS_PATH: 'off', PORTAL_PATH: 'off' },
    ...{ SERVER_PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` },
  };
};
