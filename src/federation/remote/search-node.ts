import type { CatalogueQuery, CatalogueResult } from '../../search/query.ts';
import type { RemoteSource } from '../config/nodes.ts';
import { establishedSearch, type SendDocument } from './established.ts';
import { printQuery } from './print-query.ts';
import { readAnswer } from './read-answer.ts';
import { byDocumentId, type RemoteCatalogue } from './remote-catalogue.ts';

/** Answers a query by the documents that it sends. */
export type SearchNode = (query: CatalogueQuery, send: SendDocument) => Promise<CatalogueResult>;

/**
 * The search of a node: one document for each query to a node of this software; an established one is sent what puts
 * together the measures that it lacks.
 */
export const searchNode = (remote: RemoteCatalogue, source: RemoteSource): SearchNode => {
  const searchPlainly: SearchNode = async (query, send) => {
    const printed = printQuery(query, remote, source);
    return readAnswer(await send(printed.query, printed.variables), remote, source, query, printed);
  };
  const search = remote.dialect === 'established' ? establishedSearch(remote, source) : null;
  return (asked, send) => {
    const query = byDocumentId(asked, remote.fields);
    if (search === null) return searchPlainly(query, send);
    return search(query, (part) => searchPlainly(part, send), send);
  };
};
