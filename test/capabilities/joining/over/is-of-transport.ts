import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const network = 'src/federation/network.ts';

/** What these compare is made and merged alike whatever the bytes travel through; `npm test` runs them. */
const ofValues: ReadonlySet<string> = new Set(
  globSync([
    'test/federation/{conversion,sorting,schema,random-network}/*.test.ts',
    'test/federation/{property-*,dates,digits,typed-values,established-truth,completed-network,coverage-of-levels}.test.ts',
    'test/federation/schema-descriptions.test.ts',
    'test/federation/catalogue/{document-type,missing-bucket-fields}.test.ts',
    'test/federation/nodes/local-node.test.ts',
  ]),
);

/** Whether a test file opens networks, itself or by a helper, and its subject is what travels to the nodes and back. */
export const isOfTransport = (path: string): boolean => !ofValues.has(path) && opensNetworks(path, new Set());

const opensNetworks = (path: string, seen: Set<string>): boolean => {
  if (path === network) return true;
  if (seen.has(path) || !path.startsWith('test/') || !existsSync(path)) return false;
  seen.add(path);
  return [...readFileSync(path, 'utf8').matchAll(/from '(\.[^']+\.ts)'/g)].some(([, imported]) =>
    opensNetworks(join(dirname(path), imported!), seen),
  );
};
