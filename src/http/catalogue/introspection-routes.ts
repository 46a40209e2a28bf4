import { createHash } from 'node:crypto';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { isJsonObject } from '../../json/json.ts';
import { serverVersion } from '../../runtime/server-version.ts';
import { jsonStream } from '../answers/send-json.ts';
import type { HttpSettings } from '../koa/settings.ts';
import { aggregateStatus, type Registry } from '../../local/registry.ts';
import type { Catalogue, CatalogueState } from '../../search/catalogue.ts';
import { describeFields, sqonSchema } from '../../sqon/describe.ts';
import type { WithheldStatement } from '../../search/nodes-answer.ts';
import { disclosureOf, viewFor } from '../callers/require-access.ts';
import type { AccessFilter, HttpContext, Middleware } from '../koa/http-context.ts';
import { failedDetail, failure, onlyCatalogue, serveCatalogue } from '../callers/find-target.ts';

export interface IntrospectionParts {
  readonly registry: Registry;
  readonly accessFilter: AccessFilter;
}

interface ListParts extends Pick<IntrospectionParts, 'registry'> {
  readonly network: object | null;
  readonly settings: Pick<HttpSettings, 'portal'>;
}

/** GET /introspection: all catalogues, failed ones included. */
export const listCatalogues = (context: HttpContext, { registry, network, settings }: ListParts): void => {
  const states = registry.states();
  context.body = {
    ...catalogueList(states),
    ...capabilitiesOf(
      states.map(({ config }) => config),
      { network: network !== null, portal: settings.portal != null },
    ),
  };
};

/**
 * The version and capabilities of this server; for several catalogues, those that all of them have.
 * @param others capabilities that do not depend on the catalogues
 */
export const capabilitiesOf = (
  configs: readonly Pick<CatalogueConfig, 'switches' | 'disableGraphQLIntrospection'>[],
  others: { readonly network: boolean; readonly portal: boolean },
) => {
  const all = (offers: (config: (typeof configs)[number]) => boolean): boolean =>
    configs.length > 0 && configs.every(offers);
  return {
    version: serverVersion().split(' ').at(-1)!,
    capabilities: {
      batching: all(({ switches }) => switches.enableGraphQLBatching),
      downloads: all(({ switches }) => !switches.disableDownloads),
      filters: all(({ switches }) => !switches.disableFilters),
      graphqlIntrospection: all(({ disableGraphQLIntrospection }) => !disableGraphQLIntrospection),
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
export const describeOnly = (context: HttpContext, parts: IntrospectionParts): Promise<void> =>
  describeCatalogue(context, onlyCatalogue(parts.registry.states()) === null ? 'fields' : null, parts);

/** GET /introspection/{catalogue}. @param name its id or document type; null: the only catalogue */
export const describeCatalogue = (
  context: HttpContext,
  name: string | null,
  parts: IntrospectionParts,
): Promise<void> =>
  serveCatalogue(context, name, parts, async (state) => {
    if (state !== null) return describeState(context, state, parts);
    context.status = 404;
    // clients of the established server read a plain string here
    context.body = { error: `Catalogue ${JSON.stringify(name)} was not found.` };
  });

const describeState = async (
  context: HttpContext,
  state: CatalogueState,
  { accessFilter }: IntrospectionParts,
): Promise<void> => {
  if (state.status === 'failed') {
    context.body = failedDetail(state);
    return;
  }
  const access = await accessFilter(context, state.config.catalogueId);
  const view = await viewFor(context, state.catalogue);
  const disclosure = await disclosureOf(context, view, accessFilter);
  context.body = catalogueDetail(view.catalogue, access !== null, disclosure);
};

/** The body of GET /introspection. */
const catalogueList = (states: readonly CatalogueState[]) => ({
  catalogCount: states.length,
  mode: states.length === 1 ? 'single' : 'multiple',
  status: aggregateStatus(states),
  sqonSchemaPath: '/introspection/sqon',
  catalogs: Object.fromEntries(
    states.map((state) => [state.config.catalogueId, summaryOf(state, states.length === 1)]),
  ),
});

const summaryOf = (state: CatalogueState, single: boolean) => {
  const { catalogueId, description, documentType } = state.config;
  const id = encodeURIComponent(catalogueId);
  return {
    ...(description === undefined ? {} : { description }),
    documentType,
    paths: {
      ...(single ? { fields: '/introspection/fields' } : {}),
      graphql: single ? '/graphql' : `/${id}/graphql`,
      introspection: `/introspection/${id}`,
    },
    status: state.status,
    ...(state.status === 'failed' ? { error: failure(state.error) } : {}),
  };
};

/**
 * The body of GET /introspection/{id}; `authFiltered` when a server-side filter restricts what this caller sees.
 * @param disclosure describes answers of the caller's tier; null: records
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
