import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { GraphQLSchema } from 'graphql';
import { graphql } from 'graphql';
import { bookConfig } from '../local/catalogue-fixture.ts';
import type { Fields } from '../../src/introspection/fields/field.ts';
import type { Catalogue } from '../../src/search/catalogue.ts';
import type { SearchFn } from '../../src/search/query.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import { contextOf } from './node-fixtures.ts';
import { freePort, listen } from '../listening.ts';

export interface RemoteRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
}

/** Takes a request over when it returns true. */
export type Fault = (request: RemoteRequest, response: ServerResponse) => boolean;

export interface RemoteServer {
  readonly url: string;
  /** Queries, without discovery's. */
  readonly queries: readonly RemoteRequest[];
  fault: Fault;
  close(): Promise<void>;
}

/** A catalogue as one of our own nodes serves it. */
export const catalogueOf = (documentType: string, fields: Fields, search: SearchFn): Catalogue => ({
  id: documentType,
  config: bookConfig({ catalogueId: documentType, documentType }),
  fields,
  mapping: {},
  aliases: [],
  warnings: [],
  generatedAt: '2020-01-01T00:00:00.000Z',
  search,
});

/**
 * Serves a schema as GraphQL over HTTP on a port of its own.
 * @param schema as it is, or as it is at the time of a request
 * @param key the key of the catalogue that it states to networks; unset: none
 */
export const serveSchema = async (
  schema: GraphQLSchema | (() => GraphQLSchema),
  key?: string,
): Promise<RemoteServer> => {
  const queries: RemoteRequest[] = [];
  const server = createServer((message, response) => void answer(message, response));
  // on a busy machine a query would otherwise meet the end of an idle connection
  server.keepAliveTimeout = 0;
  const { url, stop } = await listen(server);
  const remote: RemoteServer = { url: `${url}/graphql`, queries, fault: () => false, close: stop };
  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(message);
    // the client has left before all of the question was here
    if (body === '') return void response.destroy();
    const { query, variables = {} } = JSON.parse(body) as RemoteRequest;
    const request = { query, variables, headers: message.headers };
    if (query.startsWith('query nodeQuery')) queries.push(request);
    if (remote.fault(request, response)) return;
    const result = await graphql({
      schema: typeof schema === 'function' ? schema() : schema,
      source: query,
      variableValues: variables,
      contextValue: contextOf([], headersOf(message)),
    });
    const stated = key !== undefined && message.headers['tributary-node'] === '1';
    const answered = stated ? { ...result, extensions: { node: { key } } } : result;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answered));
  };
  return remote;
};

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** A node of ours over flat records. */
export const serveCatalogue = (
  documentType: string,
  fields: Fields,
  search: SearchFn,
  key?: string,
): Promise<RemoteServer> => serveSchema(buildCatalogueSchema(catalogueOf(documentType, fields, search)), key);

/** An address where nothing listens. */
export const deadUrl = async (): Promise<string> => `http://127.0.0.1:${await freePort()}/graphql`;
