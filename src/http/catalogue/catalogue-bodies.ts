import type { TributaryError } from '../../errors/errors.ts';
import { describeFields } from '../../sqon/describe.ts';
import type { JsonObject } from '../../json/json.ts';
import type { Catalogue, CatalogueState } from '../../search/catalogue.ts';
import { aggregateStatus } from '../../local/registry.ts';

/** The codes a failed catalogue may have (contract: "Error object"); anything else is unknown_error. */
const failureCodes: ReadonlySet<string> = new Set([
  'index_not_found',
  'permission_denied',
  'connection_error',
  'mapping_fetch_error',
  'schema_build_error',
  'unknown_error',
]);

export type FailedState = Extract<CatalogueState, { status: 'failed' }>;

/** The body of GET /introspection. */
export const catalogueList = (states: readonly CatalogueState[]) => ({
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
 * The body of GET /introspection/{id}; `authFiltered` when a server-side filter narrows what this caller sees.
 * @param disclosure what answers of the caller's tier are; null: records
 */
export const catalogueDetail = (
  catalogue: Catalogue,
  authFiltered: boolean,
  disclosure: JsonObject | null = null,
) => {
  const { catalogueId, description, documentType, extended } = catalogue.config;
  const { fields, operators } = describeFields(catalogue.fields, extended);
  return {
    catalogId: catalogueId,
    ...(description === undefined ? {} : { description }),
    documentType,
    fields,
    operators,
    generatedAt: catalogue.generatedAt,
    meta: { authFiltered, ...(disclosure && { disclosure }) },
    ...(catalogue.warnings.length === 0 ? {} : { warnings: catalogue.warnings }),
  };
};

/** The body of a failed catalogue's introspection. */
export const failedDetail = ({ config, error }: FailedState) => ({
  catalogueId: config.catalogueId,
  ...(config.description === undefined ? {} : { description: config.description }),
  documentType: config.documentType,
  error: failure(error),
  status: 'failed' as const,
});

/** The body of every other path of a failed catalogue. */
export const failedElsewhere = (state: FailedState) => ({
  ...failedDetail(state),
  details: `/introspection/${encodeURIComponent(state.config.catalogueId)}`,
});

const failure = (error: TributaryError) =>
  failureCodes.has(error.code)
    ? { code: error.code, message: error.message }
    : { code: 'unknown_error', message: 'an unexpected error occurred while this catalogue was loaded' };

/** The body of 409: a document type shared by several catalogues. */
export const ambiguousBody = (documentType: string, catalogueIds: readonly string[]) => ({
  documentType,
  error: {
    code: 'ambiguous_document_type',
    message: `documentType "${documentType}" is that of several catalogues: use a catalogue's id instead`,
  },
  matchingCatalogueIds: catalogueIds,
});
