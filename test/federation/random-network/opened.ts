import { graphql } from 'graphql';
import type { Engine } from '../../../src/engines/engine.ts';
import { openNetwork } from '../../../src/federation/network.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import type { CatalogueState } from '../../../src/search/catalogue.ts';
import { openCatalogue } from '../../../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import { bookConfig } from '../../local/catalogue-fixture.ts';
import { contextOf } from '../node-fixtures.ts';
import { serveSchema } from '../remote-server.ts';
import { propertiesOf, types } from './consortium.ts';
import type { Institution } from './consortium.ts';

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
  const states = new Map<string, CatalogueState>();
  const closing: (() => Promise<unknown>)[] = [];
  const nodes: unknown[] = [];
  for (const [at, institution] of institutions.entries()) {
    const { nodeId, values } = institution;
    const index = `${prefix}-${at}`;
    const state = await openNode(engine, index, institution);
    states.set(nodeId, state);
    closing.push(() => engine.manage({ kind: 'delete', index }));
    const fields = Object.fromEntries([...institution.own].filter(([path, own]) => path !== own));
    const base = { nodeId, timeoutMs: 60_000, fields, values };
    if (!overHttp) nodes.push({ ...base, catalogue: nodeId });
    else {
      if (state.status === 'failed') throw state.error;
      const remote = await serveSchema(buildCatalogueSchema(state.catalogue));
      closing.push(remote.close);
      nodes.push({ ...base, documentType: 'item', graphqlUrl: remote.url });
    }
  }
  const file = { network: { fields: types }, defaults: { discoveryTimeoutMs: 60_000 }, nodes };
  const network = openNetwork(readNodes(file, 'nodes.json'), (id) => states.get(id));
  closing.push(network.close as () => Promise<unknown>);
  await network.ready;
  return {
    runQuery: async (source, variableValues) => {
      const schema = network.ownSchema();
      const result = await graphql({ schema, source, variableValues, contextValue: contextOf() });
      if (result.errors) throw new Error(result.errors.map(({ message }) => message).join('; '));
      return (JSON.parse(JSON.stringify(result.data)) as { network: Record<string, unknown> }).network;
    },
    close: async () => {
      for (const close of closing) await close();
    },
  };
};

const openNode = async (engine: Engine, index: string, institution: Institution): Promise<CatalogueState> => {
  const mapping = { dynamic: false, properties: propertiesOf(institution) };
  await engine.manage({ kind: 'create', index, mapping });
  const operations = institution.records.map(
    ({ id, stored }) => ({ kind: 'upsert', id, document: { id, ...stored } }) as const,
  );
  if (operations.length > 0)
    for (const outcome of await engine.write(index, operations))
      if (outcome.status === 'refused') throw new Error(outcome.reason);
  return openCatalogue(bookConfig({ documentType: 'item', esIndex: index, extended: [] }), engine, {});
};
