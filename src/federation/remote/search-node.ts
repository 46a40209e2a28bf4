import type { CatalogueQuery, CatalogueResult } from '../../search/query.ts';
import type { RemoteSource } from '../config/nodes.ts';
import { withCountedSets, type SendDocument } from './counted-sets.ts';
import { failsAtFacets, FacetsFailed, FailingFacets } from './failing-facets.ts';
import { printQuery, SearchForms } from './print-query.ts';
import { readAnswer } from './read-answer.ts';
import type { RemoteCatalogue } from './remote-catalogue.ts';
import { withSubstitutes } from './substitute-measures.ts';

/** Answers a query by the documents that it sends. */
export type SearchNode = (query: CatalogueQuery, send: SendDocument) => Promise<CatalogueResult>;

/**
 * The search of a node: one document for each query if the node has everything that it requests. An established node lacks
 * some measures, which are put together from others.
 */
export const searchNode = (remote: RemoteCatalogue, source: RemoteSource): SearchNode => {
  const forms = new SearchForms(remote);
  const exchange =
    (send: SendDocument) =>
    (query: CatalogueQuery): Promise<CatalogueResult> =>
      exchangeFor(query, remote, source, forms, send);
  if (remote.dialect === 'tributary') return (query, send) => exchange(send)(query);
  const failing = new FailingFacets();
  return (query, send) =>
    withCountedSets(query, remote, source.maxAliases, send, (rest) =>
      withSubstitutes(rest, remote, (plain) => failing.search(plain, exchange(send))),
    );
};

/** @throws FacetsFailed for a query to an established node that might succeed with other facets */
const exchangeFor = async (
  wanted: CatalogueQuery,
  remote: RemoteCatalogue,
  source: RemoteSource,
  forms: SearchForms,
  send: SendDocument,
): Promise<CatalogueResult> => {
  let isOfFacets = false;
  try {
    return await forms.search(wanted, async (query, form) => {
      const printed = printQuery(query, remote, source, form);
      const answer = await send(printed.query, printed.variables);
      isOfFacets ||= remote.dialect === 'established' && failsAtFacets(answer, remote.documentType);
      return { answer, read: () => readAnswer(answer, remote, query, printed) };
    });
  } catch (error) {
    throw isOfFacets ? new FacetsFailed('its facets fail', { cause: error }) : error;
  }
};
