import { failureCodes, type TributaryError } from '../../errors/errors.ts';
import type { Registry } from '../../local/registry.ts';
import type { CatalogueState } from '../../search/catalogue.ts';
import type { HttpContext } from '../koa/http-context.ts';

export type FoundCatalogue =
  | { readonly kind: 'found'; readonly state: CatalogueState }
  | { readonly kind: 'ambiguous'; readonly documentType: string; readonly catalogueIds: readonly string[] }
  | { readonly kind: 'unknown' };

/**
 * Serves the catalogue of a path. A document type of several catalogues is answered 409 instead.
 * @param name a catalogue's id or document type; null: the only catalogue
 * @param serve called with null if there is no such catalogue
 */
export const serveCatalogue = async (
  context: HttpContext,
  name: string | null,
  { registry }: { readonly registry: Registry },
  serve: (state: CatalogueState | null) => Promise<void> | void,
): Promise<void> => {
  const states = registry.states();
  if (name === null) return serve(onlyCatalogue(states));
  const found = findCatalogue(states, name);
  if (found.kind !== 'ambiguous') return serve(found.kind === 'found' ? found.state : null);
  context.status = 409;
  context.body = ambiguousBody(found.documentType, found.catalogueIds);
};

/** The body of 409: a document type shared by several catalogues. */
const ambiguousBody = (documentType: string, catalogueIds: readonly string[]) => ({
  documentType,
  error: {
    code: 'ambiguous_document_type',
    message: `documentType "${documentType}" is that of several catalogues: use a catalogue's id instead`,
  },
  matchingCatalogueIds: catalogueIds,
});

/** The catalogue that a path segment names: by its id, else by its document type, ignoring case. */
export const findCatalogue = (states: readonly CatalogueState[], name: string): FoundCatalogue => {
  const wanted = name.toLowerCase();
  const byId = states.find(({ config }) => config.catalogueId.toLowerCase() === wanted);
  if (byId !== undefined) return { kind: 'found', state: byId };
  const byType = states.filter(({ config }) => config.documentType.toLowerCase() === wanted);
  if (byType.length === 1 && wanted !== '') return { kind: 'found', state: byType[0]! };
  if (byType.length === 0 || wanted === '') return { kind: 'unknown' };
  return {
    kind: 'ambiguous',
    documentType: byType[0]!.config.documentType,
    catalogueIds: byType.map(({ config }) => config.catalogueId).sort(),
  };
};

/** The only catalogue, whose routes have no prefix; null when there are several. */
export const onlyCatalogue = (states: readonly CatalogueState[]): CatalogueState | null =>
  states.length === 1 ? states[0]! : null;

export type FailedState = Extract<CatalogueState, { status: 'failed' }>;

/** Answers every path of a failed catalogue except its introspection. */
export const answerFailed = (context: HttpContext, state: FailedState): void => {
  context.status = 404;
  if (state.retryMs !== undefined) context.set('retry-after', String(Math.ceil(state.retryMs / 1_000)));
  context.body = failedElsewhere(state);
};

/** The body of every path of a failed catalogue except its introspection. */
const failedElsewhere = (state: FailedState) => ({
  ...failedDetail(state),
  details: `/introspection/${encodeURIComponent(state.config.catalogueId)}`,
});

/** The body of a failed catalogue's introspection. */
export const failedDetail = ({ config, error }: FailedState) => ({
  catalogueId: config.catalogueId,
  ...(config.description === undefined ? {} : { description: config.description }),
  documentType: config.documentType,
  error: failure(error),
  status: 'failed' as const,
});

/** Why a catalogue failed, as introspection shows it. */
export const failure = (error: TributaryError) =>
  failureCodes.has(error.code)
    ? { code: error.code, message: error.message }
    : { code: 'unknown_error', message: 'an unexpected error occurred while this catalogue was loaded' };
