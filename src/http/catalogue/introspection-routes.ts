import type { CatalogueState } from '../../search/catalogue.ts';
import type { Registry } from '../../local/registry.ts';
import { sqonSchema } from '../../sqon/describe.ts';
import { ambiguousBody, catalogueDetail, catalogueList, failedDetail } from './catalogue-bodies.ts';
import { disclosureOf, viewFor } from '../callers/require-access.ts';
import { findCatalogue, onlyCatalogue } from './find-catalogue.ts';
import type { AccessFilter, HttpContext } from '../koa/http-context.ts';

export interface IntrospectionParts {
  readonly registry: Registry;
  readonly accessFilter: AccessFilter;
}

/** GET /introspection: all catalogues, failed ones included. */
export const listCatalogues = (context: HttpContext, { registry }: IntrospectionParts): void => {
  context.body = catalogueList(registry.states());
};

/** GET /introspection/sqon */
export const describeSqon = (context: HttpContext): void => {
  context.body = sqonSchema();
};

/** GET /introspection/fields: the only catalogue; with several, `fields` is an ordinary catalogue name. */
export const describeOnly = async (context: HttpContext, parts: IntrospectionParts): Promise<void> => {
  const only = onlyCatalogue(parts.registry.states());
  if (only === null) await describeNamed(context, 'fields', parts);
  else await describeState(context, only, parts);
};

/** GET /introspection/{catalogue}, by id or document type. */
export const describeNamed = async (
  context: HttpContext,
  name: string,
  parts: IntrospectionParts,
): Promise<void> => {
  const found = findCatalogue(parts.registry.states(), name);
  switch (found.kind) {
    case 'found':
      return describeState(context, found.state, parts);
    case 'ambiguous':
      context.status = 409;
      context.body = ambiguousBody(found.documentType, found.catalogueIds);
      return;
    case 'unknown':
      context.status = 404;
      // Clients of the established server read a plain text here.
      context.body = { error: `Catalogue ${JSON.stringify(name)} was not found.` };
  }
};

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
  context.body = catalogueDetail(view.catalogue, access !== null, disclosureOf(view));
};
