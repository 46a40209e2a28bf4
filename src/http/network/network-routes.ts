import type Koa from 'koa';
import { errorCodes, TributaryError } from '../../errors/errors.ts';
import { briefFields, networkBody, partOfNetwork, summedNetwork } from './network-body.ts';
import { networkPage, networkPagePolicy, signInPage } from './network-page.ts';
import { nothingAt, type HttpContext } from '../koa/http-context.ts';
import { closedNodes, disclosedNodes } from '../callers/require-access.ts';
import {
  type NetworkParts,
  type ServedNetwork,
  requireNetwork,
  servedNetwork,
  assertDiscovered,
} from '../callers/find-target.ts';
import type { AboutInstitution } from '../../introspection/fields/catalogue-config.ts';
import type { Network } from '../../federation/network.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import { capabilitiesOf, catalogueDetail } from '../catalogue/introspection-routes.ts';
import { termsOf } from '../catalogue/hierarchy-routes.ts';

/**
 * GET /network, GET /{catalogue}/network. Without a network it is an ordinary path.
 * @param name the catalogue's name; null: the server's network, or that of its only catalogue
 */
export const describeNetwork = async (
  context: HttpContext,
  next: Koa.Next,
  name: string | null,
  parts: NetworkParts,
): Promise<void> => {
  const served = servedNetwork(name, parts);
  if (served === null) return next();
  await answer(context, served, parts);
};

/** Requires the same access as queries: field names are data too. */
const answer = async (context: HttpContext, served: ServedNetwork, parts: NetworkParts): Promise<void> => {
  const { network } = served;
  context.set('cache-control', 'no-store');
  context.vary('accept');
  const isPage = context.accepts(['json', 'html']) === 'html';
  try {
    await requireNetwork(context, served, parts);
  } catch (error) {
    if (!isPage || !isRefusal(error)) throw error;
    return showSignIn(context, error);
  }
  const closed = await closedNodes(context, network, parts);
  const disclosed = await disclosedNodes(context, network, parts);
  const about = aboutInstitutions(network, parts);
  const body = networkBody(network.state(), new Set(closed.keys()), disclosed, parts.waiting, about);
  if (isPage) showHtml(context, networkPage(body, Date.now()));
  else {
    const nodeIds = [context.query['node'] ?? []].flat();
    const full = nodeIds.length > 0 ? partOfNetwork(body, nodeIds) : summedNetwork(body);
    context.body = context.query['fields'] === undefined ? full : briefFields(full, context.query['fields']);
  }
};

/** By node: the description in nodes.json, else that of its catalogue if it is one of this server. */
const aboutInstitutions = (
  network: Network,
  { registry }: NetworkParts,
): ReadonlyMap<string, AboutInstitution> => {
  const configs = new Map(registry.states().map(({ config }) => [config.catalogueId, config]));
  return new Map(
    network.nodes().flatMap(({ config: { nodeId, source, about } }) => {
      const own = source.kind === 'local' ? configs.get(source.catalogueId) : undefined;
      const { description, contact, place } = { ...own?.about, description: own?.description, ...about };
      return description || contact || place ? [[nodeId, { description, contact, place }]] : [];
    }),
  );
};

/** Errors that the caller can fix. */
const isRefusal = (error: unknown): error is TributaryError =>
  error instanceof TributaryError && (error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN');

/** Shows browsers a sign-in page instead of the error for programs. */
const showSignIn = (context: HttpContext, error: TributaryError): void => {
  context.status = errorCodes[error.code].status;
  showHtml(context, signInPage(error.message, context.path));
};

const showHtml = (context: HttpContext, page: string): void => {
  context.set('content-security-policy', networkPagePolicy);
  context.set('x-content-type-options', 'nosniff');
  context.type = 'text/html; charset=utf-8';
  context.body = page;
};

/** GET .../network/introspection: the network as a server's only catalogue. */
export const listNetwork = (context: HttpContext, name: string | null, parts: NetworkParts): void => {
  const { base, catalogue, switches, limits } = catalogueAt(context, name, parts);
  const { catalogueId, description, documentType } = catalogue.config;
  context.body = {
    // clients that know this path only for catalogues read its own keys
    catalogId: catalogueId,
    documentType,
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
    ...capabilitiesOf(
      [
        {
          switches: { ...switches, enableSets: false },
          disableGraphQLIntrospection: limits.introspectionDisabled,
        },
      ],
      { network: true, portal: parts.settings.portal != null },
    ),
  };
};

/** GET .../network/introspection/network and .../fields: the network's fields, as far as the caller may know them. */
export const describeNetworkFields = async (
  context: HttpContext,
  name: string | null,
  parts: NetworkParts,
): Promise<void> => {
  const { catalogue, network, isWhole } = await openCatalogue(context, name, parts);
  const authFiltered = !isWhole || (await isFiltered(context, network, parts));
  context.body = catalogueDetail(catalogue, authFiltered);
};

/** GET .../network/introspection/hierarchies/{hierarchy}: the terms of a hierarchy of the network's fields. */
export const lookUpNetworkTerms = async (
  context: HttpContext,
  name: string | null,
  hierarchy: string,
  parts: NetworkParts,
): Promise<void> => {
  const { catalogue } = await openCatalogue(context, name, parts);
  context.body = termsOf(catalogue, hierarchy, context.query);
};

/** The network as a catalogue, as far as the caller may know its fields. */
const openCatalogue = async (context: HttpContext, name: string | null, parts: NetworkParts) => {
  const { network, catalogue, ...access } = catalogueAt(context, name, parts);
  await requireNetwork(context, access, parts);
  const closed = await closedNodes(context, network, parts);
  const isWhole = closed.size === 0;
  return { network, isWhole, catalogue: isWhole ? catalogue : openPart(catalogue, network, closed) };
};

/** @throws TributaryError NOT_FOUND without a network, or without a common document type; NOT_READY */
const catalogueAt = (context: HttpContext, name: string | null, parts: NetworkParts) => {
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

/** The body without the fields that only closed nodes have; warnings are about fields too. */
export const openPart = (
  catalogue: Catalogue,
  network: Network,
  closed: ReadonlyMap<string, unknown>,
): Catalogue => {
  const open = new Set(
    network
      .state()
      .fields.filter(({ nodes }) =>
        nodes.some(({ nodeId, state }) => state === 'covered' && !closed.has(nodeId)),
      )
      .map(({ path }) => path),
  );
  const isAbove = (path: string): boolean => [...open].some((one) => one.startsWith(`${path}.`));
  const fields = new Map([...catalogue.fields].filter(([path]) => open.has(path) || isAbove(path)));
  return { ...catalogue, fields, warnings: [] };
};
