import { isDeepStrictEqual } from 'node:util';
import type { Engine, IndexDescription } from '../engines/engine.ts';
import { TributaryError, asTributaryError, failureCodes, type ErrorCode } from '../lib/errors/errors.ts';
import type { CatalogueConfig } from '../introspection/fields/catalogue-config.ts';
import { withMeta, withPaths } from '../introspection/fields/field-config.ts';
import { catalogueFields } from '../introspection/mapping/mapping.ts';
import {
  assertUniqueNames,
  withHierarchies,
  withoutOrigin,
  type Fields,
} from '../introspection/fields/field.ts';
import type { Catalogue, CatalogueState } from '../search/catalogue.ts';
import { problemText } from '../lib/text/problem.ts';
import { fixedRootFields } from './schema/connection-type.ts';
import { buildCatalogueSchema } from './schema/schema.ts';
import { catalogueSearch } from './search/search.ts';
import type { LocalSettings } from './search/settings.ts';

/** How a catalogue is opened. */
export interface OpeningParts {
  /**
   * The state so far: returned unchanged when the mapping has not changed, to preserve the catalogue's schema and its
   * generatedAt.
   */
  readonly previous?: CatalogueState | undefined;
  /**
   * Whether it is not in use yet: the guard is not told of it, so that a refused configuration closes no other catalogue.
   */
  readonly isTrial?: boolean;
}

/**
 * Opens one catalogue: describes its index, reads its fields, tries its schema. Never throws: any problem becomes a
 * failed state with one of the `failureCodes`.
 */
export const openCatalogue = async (
  config: CatalogueConfig,
  engineForAll: Engine,
  common: LocalSettings,
  { previous, isTrial = false }: OpeningParts = {},
): Promise<CatalogueState> => {
  try {
    const index = configuredIndex(config);
    const engine = (await common.engineOf?.(config)) ?? engineForAll;
    const settings =
      common.setsOf === undefined ? common : { ...common, sets: common.setsOf(config, engine) };
    const description = await engine.describe(index);
    if (
      previous?.status === 'available' &&
      isDeepStrictEqual(previous.config, config) &&
      isUnchanged(previous.catalogue, description, settings)
    )
      return previous;
    return {
      status: 'available',
      config,
      catalogue: catalogueOf(config, index, description, engine, settings, isTrial),
    };
  } catch (error) {
    const failure = catalogueFailure(error);
    const last = failure.code === 'connection_error' ? lastOf(previous, config) : undefined;
    return { status: 'failed', config, error: failure, ...(last && { last }) };
  }
};

/** The catalogue as it was last served by this configuration. */
const lastOf = (previous: CatalogueState | undefined, config: CatalogueConfig): Catalogue | undefined => {
  if (previous === undefined || !isDeepStrictEqual(previous.config, config)) return undefined;
  return previous.status === 'available' ? previous.catalogue : previous.last;
};

const isUnchanged = (
  catalogue: Catalogue,
  { properties, aliases, indices }: IndexDescription,
  { guard }: LocalSettings,
): boolean =>
  isDeepStrictEqual(catalogue.mapping, withoutOrigin(properties)) &&
  isDeepStrictEqual(catalogue.aliases, aliases) &&
  isDeepStrictEqual(catalogue.indices, indices) &&
  guard?.isCurrent(catalogue) !== false;

/** Routes of this server that a catalogue of that name would shadow. */
const reservedIds = new Set(['network', 'sqon', 'fields', 'introspection', 'ping', 'ready']);

const configuredIndex = ({ catalogueId, documentType, esIndex, problems }: CatalogueConfig): string => {
  if (problems.length > 0) throw new TributaryError('unknown_error', problems.map(problemText).join('; '));
  if (documentType === '')
    throw new TributaryError(
      'unknown_error',
      'base.json names no documentType, nor does any other file of the catalogue',
    );
  if (esIndex === null)
    throw new TributaryError(
      'unknown_error',
      'base.json names no esIndex, nor does any other file of the catalogue',
    );
  if (reservedIds.has(catalogueId.toLowerCase()))
    throw new TributaryError(
      'schema_build_error',
      `a catalogue cannot be called ${catalogueId}, which is a route of this server; give it another catalogId`,
    );
  if (fixedRootFields.has(documentType))
    throw new TributaryError(
      'schema_build_error',
      `documentType ${documentType} is a root field of every schema; choose another name`,
    );
  return esIndex;
};

/** Fields of pictures whose values cannot be addresses. */
const unfitImages = ({ extended }: CatalogueConfig, fields: Fields): readonly string[] =>
  extended.flatMap(({ fieldName, image }) => {
    const field = fields.get(fieldName);
    if (image !== true || field === undefined || field.kind === 'keyword' || field.kind === 'text') return [];
    return [
      `"${fieldName}" is to have pictures (image), but is of type ${field.type}: keyword or text expected`,
    ];
  });

const catalogueOf = (
  config: CatalogueConfig,
  index: string,
  description: IndexDescription,
  engine: Engine,
  settings: LocalSettings,
  isTrial: boolean,
): Catalogue => {
  const { fields: mapped, warnings } = catalogueFields(description.properties, config);
  const { fields, unfit } = withHierarchies(mapped, config.fieldHierarchies ?? new Map());
  assertUniqueNames(fields);
  const named = withPaths(config, fields);
  const catalogue: Catalogue = {
    id: config.catalogueId,
    config: { ...named, extended: withMeta(named.extended, fields) },
    fields,
    mapping: withoutOrigin(description.properties),
    aliases: description.aliases,
    indices: description.indices,
    warnings: [...warnings, ...unfit, ...unfitImages(named, fields), ...(description.warnings ?? [])],
    generatedAt: new Date().toISOString(),
    search: catalogueSearch({ config, index, fields, engine, settings }),
    ...(settings.sets && { sets: settings.sets }),
  };
  // tried here, so that a mapping GraphQL cannot represent fails this catalogue and not its first request
  buildCatalogueSchema(catalogue);
  if (settings.guard === undefined && config.disclosure !== undefined)
    throw new TributaryError(
      'unknown_error',
      'disclosure.json requires a guard, but this server was opened without one',
    );
  if (!isTrial) settings.guard?.addReader(catalogue);
  const restricted = settings.guard?.guard(catalogue) ?? catalogue;
  if (restricted.substitute !== undefined) buildCatalogueSchema(restricted.substitute);
  return restricted;
};

const engineFailures: Partial<Record<ErrorCode, ErrorCode>> = {
  ENGINE_UNAVAILABLE: 'connection_error',
  ENGINE_TIMEOUT: 'connection_error',
  ENGINE_ERROR: 'mapping_fetch_error',
};

/** The error with one of the codes that a failed catalogue may show, whatever the cause. */
const catalogueFailure = (thrown: unknown): TributaryError => {
  const error = asTributaryError(thrown);
  if (failureCodes.has(error.code)) return error;
  const code = engineFailures[error.code];
  if (code !== undefined) return new TributaryError(code, error.message, { cause: error });
  return new TributaryError('unknown_error', 'the catalogue could not be loaded', { cause: error });
};
