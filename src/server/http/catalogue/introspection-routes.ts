import { catalogueNodes } from '../../../federation/config/nodes.ts';
import { createHash } from 'node:crypto';
import { isJsonObject } from '../../../lib/json/json.ts';
import { packageVersion } from '../../../lib/runtime/server-version.ts';
import { jsonStream } from '../answers/send-json.ts';
import { aggregateStatus } from '../../../local/registry.ts';
import type { Catalogue } from '../../../search/catalogue.ts';
import { describeFields, sqonSchema } from '../../../sqon/describe.ts';
import type { WithheldStatement } from '../../../introspection/fields/catalogue-config.ts';
import {
  disclosureOf,
  assertOpen,
  failedDetail,
  failure,
  serveAt,
  viewOf,
  type TargetParts,
} from '../callers/require-access.ts';
import { carriedCaller, nothingAt, type HttpContext, type Middleware } from '../koa/http-context.ts';
import {
  findServed,
  serverNetworkId,
  type Place,
  type Served,
  type ServedCatalogue,
  type ServedNetwork,
  type Target,
} from '../callers/served.ts';

type ListParts = Pick<TargetParts, 'served' | 'settings'>;

/** GET /introspection: all catalogues, failed ones included, and no network. */
export const listCatalogues = (context: HttpContext, { served, settings }: ListParts): void => {
  const all = served();
  const catalogues = all.filter((one) => one.kind === 'catalogue');
  context.body = {
    ...catalogueList(catalogues),
    ...capabilitiesOf(catalogues, {
      network: all.some(({ id }) => id === serverNetworkId),
      portal: settings.portal !== null,
    }),
  };
};

/** GET .../network/introspection: the network as a server's only catalogue. */
export const listNetwork = (
  context: HttpContext,
  { path, network, catalogue, switches, limits }: ServedNetwork,
  { settings }: Pick<TargetParts, 'settings'>,
): void => {
  assertOpen(network);
  if (catalogue === null) throw nothingAt(context.path);
  const { catalogueId, description, documentType } = catalogue.config;
  context.body = {
    // clients that know this path only for catalogues read its own keys
    catalogId: catalogueId,
    documentType,
    catalogCount: 1,
    mode: 'single',
    status: 'healthy',
    sqonSchemaPath: `${path}/introspection/sqon`,
    catalogs: {
      [catalogueId]: {
        ...(description !== undefined && { description }),
        documentType,
        paths: {
          fields: `${path}/introspection/fields`,
          graphql: `${path}/graphql`,
          introspection: `${path}/introspection/${catalogueId}`,
        },
        status: 'available',
      },
    },
    ...capabilitiesOf([{ switches: { ...switches, enableSets: false }, limits }], {
      network: true,
      portal: settings.portal !== null,
    }),
  };
};

/**
 * The version and capabilities of this server; for several catalogues, those that all of them have.
 * @param others capabilities that do not depend on the catalogues
 */
const capabilitiesOf = (
  targets: readonly Pick<Served, 'switches' | 'limits'>[],
  others: { readonly network: boolean; readonly portal: boolean },
) => {
  const all = (offers: (target: (typeof targets)[number]) => boolean): boolean =>
    targets.length > 0 && targets.every(offers);
  return {
    version: packageVersion(),
    capabilities: {
      batching: all(({ switches }) => switches.enableGraphQLBatching),
      downloads: all(({ switches }) => !switches.disableDownloads),
      filters: all(({ switches }) => !switches.disableFilters),
      graphqlIntrospection: all(({ limits }) => !limits.introspectionDisabled),
      playground: all(({ switches }) => !switches.disablePlayground),
      sets: all(({ switches }) => switches.enableSets),
      ...others,
    },
  };
};

/**
 * Answers of the REST introspection have an ETag, so that polling clients need not read an unchanged answer again. They
 * depend on the caller, so only the client's own cache keeps them.
 */
export const tagIntrospection: Middleware = async (context, next) => {
  await next();
  const body: unknown = context.body;
  if (context.status !== 200 || !isJsonObject(body)) return;
  const hash = createHash('sha256');
  for await (const part of jsonStream(body)) hash.update(part as Buffer);
  context.set('cache-control', 'private, no-cache');
  context.etag = hash.digest('base64url').slice(0, 22);
  if (context.fresh) context.status = 304;
};

/** GET /introspection/sqon */
export const describeSqon = (context: HttpContext): void => {
  context.body = sqonSchema();
};

/** GET /introspection/fields: the only catalogue; with several, `fields` is an ordinary catalogue name. */
export const describeOnly = (context: HttpContext, parts: TargetParts): Promise<void> => {
  const isOnly = findServed(parts.served(), { name: null, isNetwork: false }).kind === 'found';
  return describeAt(context, { name: isOnly ? null : 'fields', isNetwork: false }, parts);
};

/** GET /introspection/{catalogue}: a catalogue, whether it failed or not. */
export const describeAt = (context: HttpContext, place: Place, parts: TargetParts): Promise<void> =>
  serveAt(context, place, parts, (target) => describeTarget(context, target, parts), {
    failed: (state) => {
      context.body = failedDetail(state);
    },
    missing: () => {
      context.status = 404;
      // clients of the established server read a plain string here
      context.body = { error: `Catalogue ${JSON.stringify(place.name)} was not found.` };
    },
  });

/** The fields of a catalogue or a network, as far as the caller may know them. */
export const describeTarget = async (
  context: HttpContext,
  target: Target,
  parts: TargetParts,
): Promise<void> => {
  const view = await viewOf(context, target, parts);
  const isFiltered = !view.isWhole || (await hasFilter(context, target));
  const disclosure = await disclosureOf(context, view.catalogue);
  context.body = catalogueDetail(view.catalogue, isFiltered, disclosure);
};

/** Whether the caller sees only some documents of the catalogue, or of a catalogue of this server in the network. */
const hasFilter = async (context: HttpContext, target: Target): Promise<boolean> => {
  const { accessFilter } = carriedCaller(context);
  const ids = target.kind === 'catalogue' ? [target.id] : catalogueNodes(target.network.config).values();
  for (const catalogueId of ids) if ((await accessFilter(catalogueId)) !== null) return true;
  return false;
};

/** The body of GET /introspection. */
const catalogueList = (catalogues: readonly ServedCatalogue[]) => ({
  catalogCount: catalogues.length,
  mode: catalogues.length === 1 ? 'single' : 'multiple',
  status: aggregateStatus(catalogues.map(({ state }) => state)),
  sqonSchemaPath: '/introspection/sqon',
  catalogs: Object.fromEntries(catalogues.map((one) => [one.id, summaryOf(one, catalogues.length === 1)])),
});

const summaryOf = ({ path, state }: ServedCatalogue, single: boolean) => {
  const { description, documentType } = state.config;
  return {
    ...(description === undefined ? {} : { description }),
    documentType,
    paths: {
      ...(single ? { fields: '/introspection/fields' } : {}),
      graphql: single ? '/graphql' : `${path}/graphql`,
      introspection: `/introspection${path}`,
    },
    status: state.status,
    ...(state.status === 'failed' ? { error: failure(state.error) } : {}),
  };
};

/**
 * The body of GET /introspection/{id}; `authFiltered` when a server-side filter restricts what this caller sees.
 * @param disclosure describes the answers to the caller; null: they are records
 */
export const catalogueDetail = (
  catalogue: Catalogue,
  authFiltered: boolean,
  disclosure: WithheldStatement | null = null,
) => {
  const { catalogueId, description, documentType, extended } = catalogue.config;
  const { fields, operators } = describeFields(catalogue.fields, extended);
  return {
    catalogId: catalogueId,
    ...(description === undefined ? {} : { description }),
    documentType,
    fields,
    operators,
    generatedAt: disclosure?.date ? `${disclosure.date}T00:00:00.000Z` : catalogue.generatedAt,
    meta: { authFiltered, ...(disclosure && { disclosure }) },
    ...(catalogue.warnings.length === 0 ? {} : { warnings: catalogue.warnings }),
  };
};
