import type { Network } from '../../federation/network.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import { closedNodes } from '../callers/require-access.ts';
import { catalogueDetail } from '../catalogue/introspection-routes.ts';
import { nothingAt } from '../catalogue/find-catalogue.ts';
import type { HttpContext } from '../koa/http-context.ts';
import type { NetworkParts } from './served-network.ts';
import { assertDiscovered, requireNetwork, servedNetwork } from './served-network.ts';

/** GET .../network/introspection: the network as a server's only catalogue. */
export const listNetwork = (context: HttpContext, name: string | null, parts: NetworkParts): void => {
  const { base, catalogue } = served(context, name, parts);
  const { catalogueId, description, documentType } = catalogue.config;
  context.body = {
    catalogCount: 1,
    mode: 'single',
    status: 'healthy',
    sqonSchemaPath: `${base}/introspection/sqon`,
    catalogs: {
      [catalogueId]: {
        ...(description !== undefined && { description }),
        documentType,
        paths: {
          fields: `${base}/introspection/fields`,
          graphql: `${base}/graphql`,
          introspection: `${base}/introspection/${catalogueId}`,
        },
        status: 'available',
      },
    },
  };
};

/** GET .../network/introspection/network and .../fields: the network's fields, as far as the caller may know them. */
export const describeNetworkFields = async (
  context: HttpContext,
  name: string | null,
  parts: NetworkParts,
): Promise<void> => {
  const { network, catalogue, ...access } = served(context, name, parts);
  await requireNetwork(context, access, parts);
  const closed = await closedNodes(context, network, parts);
  const authFiltered = closed.size > 0 || (await isFiltered(context, network, parts));
  context.body = catalogueDetail(closed.size === 0 ? catalogue : openPart(catalogue, network, closed), authFiltered);
}; // prettier-ignore

/** @throws TributaryError NOT_FOUND without a network, or without a name for its documents; NOT_READY */
const served = (context: HttpContext, name: string | null, parts: NetworkParts) => {
  const found = servedNetwork(name, parts);
  if (found === null) throw nothingAt(context.path);
  assertDiscovered(found.network);
  const catalogue = found.network.catalogue();
  if (catalogue === null) throw nothingAt(context.path);
  return { ...found, catalogue };
};

/** Whether the caller sees only some documents of a local node. */
const isFiltered = async (
  context: HttpContext,
  { catalogues }: Network,
  { accessFilter }: NetworkParts,
): Promise<boolean> => {
  for (const catalogueId of catalogues().values())
    if ((await accessFilter(context, catalogueId)) !== null) return true;
  return false;
};

/** Without the fields that only closed nodes have; warnings are about fields too. */
const openPart = (
  catalogue: Catalogue,
  network: Network,
  closed: ReadonlyMap<string, unknown>,
): Catalogue => {
  const open = new Set(
    network
      .state()
      .fields.filter(({ nodes }) => nodes.some(({ nodeId, state }) => state === 'covered' && !closed.has(nodeId)))
      .map(({ path }) => path),
  );
  const isAbove = (path: string): boolean => [...open].some((one) => one.startsWith(`${path}.`));
  const fields = new Map([...catalogue.fields].filter(([path]) => open.has(path) || isAbove(path)));
  return { ...catalogue, fields, warnings: [] };
}; // prettier-ignore
