import type { Engine } from '../../../src/engines/engine.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import { serveSchema } from '../remote-server.ts';
import { propertiesOf, types } from './consortium.ts';
import type { Institution } from './consortium.ts';
import { askNetwork, openCase, testCatalogue, testNetwork, type TestNode } from '../../builders.ts';

export interface OpenedConsortium {
  /** @throws when GraphQL answers with errors */
  readonly runQuery: (query: string, variables: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

/**
 * The institutions as nodes of one network, over catalogues of an engine.
 * @param prefix of the indexes, which are deleted again
 * @param overHttp the nodes are remote ones
 */
export const openConsortium = async (
  institutions: readonly Institution[],
  engine: Engine,
  prefix: string,
  overHttp: boolean,
): Promise<OpenedConsortium> => {
  const { teardown, close } = openCase();
  const nodes: TestNode[] = [];
  for (const [at, institution] of institutions.entries()) {
    const { nodeId, own, records, values } = institution;
    const index = `${prefix}-${at}`;
    const catalogue = await testCatalogue({
      ...{ documentType: 'item', engine, index },
      properties: propertiesOf(institution),
      documents: records.map(({ id, stored }) => ({ id, ...stored })),
    });
    teardown(() => engine.manage({ kind: 'delete', index }));
    const fields = Object.fromEntries([...own].filter(([path, ownPath]) => path !== ownPath));
    const base = { nodeId, fields, values };
    if (!overHttp) nodes.push({ ...base, catalogue });
    else {
      const remote = await serveSchema(buildCatalogueSchema(catalogue));
      nodes.push({ ...base, documentType: 'item', remote });
    }
  }
  const network = await testNetwork({ teardown }, nodes, { network: { fields: types } });
  return { runQuery: (query, variables) => askNetwork(network, query, variables), close };
};
