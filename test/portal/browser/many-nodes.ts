import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fieldsOf, searchOf, type Row } from '../../federation/collection.ts';
import { serveCatalogue } from '../../federation/remote-server.ts';
import { startNetwork, type RunningServer } from './server.ts';

/** The facets of the network of many: `facet-0` has as many values as there are records, the others ten each. */
export const facetName = (at: number): string => `facet_${at}`;

const rowsOf = (node: number, facets: number, values: number): readonly Row[] =>
  Array.from({ length: values }, (_, row) => ({
    id: `${node}-${row}`,
    ...Object.fromEntries(
      Array.from({ length: facets }, (_, at) => [
        facetName(at),
        at === 0 ? `value ${String(row).padStart(5, '0')}` : `of ${at}: ${(row + at) % 10}`,
      ]),
    ),
  }));

/**
 * A network whose nodes all have the same fields and values, each record once at every node.
 * @param values of the first facet, which is as many records as each node has
 */
export const startMany = async (nodes: number, facets: number, values: number): Promise<RunningServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-many-'));
  const types = Object.fromEntries([
    ['id', 'keyword'],
    ...Array.from({ length: facets }, (_, at) => [facetName(at), 'keyword']),
  ]) as Record<string, string>;
  const remotes = await Promise.all(
    Array.from({ length: nodes }, (_, at) =>
      serveCatalogue('thing', fieldsOf(types), searchOf(rowsOf(at, facets, values))),
    ),
  );
  const file = join(folder, 'nodes.json');
  const aggregations = Array.from({ length: facets }, (_, at) => ({
    fieldName: facetName(at),
    isActive: true,
    show: true,
  }));
  writeFileSync(
    file,
    JSON.stringify({
      network: { displayName: 'Many', documentType: 'thing', fields: types, facets: { aggregations } },
      nodes: remotes.map(({ url }, at) => ({
        nodeId: `node${at}`,
        displayName: `Institution ${at}`,
        about: { contact: { name: 'Data access', email: `data-access@institution-${at}.example.org` } },
        documentType: 'thing',
        graphqlUrl: url,
        timeoutMs: 300_000,
      })),
    }),
  );
  const server = await startNetwork(file, { SEARCH_TIMEOUT_MS: '300000' });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await Promise.all(remotes.map(({ close }) => close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
