import type { HttpRequest } from './http-exchange.ts';

const json = { 'content-type': 'application/json' };

/** A GraphQL operation as JSON. */
export const posted = (query: string, variables?: unknown, path = '/graphql'): HttpRequest => ({
  path,
  headers: json,
  body: JSON.stringify({ query, variables }),
});

/** Any text as a JSON body. */
export const postedText = (body: string | Uint8Array, path = '/graphql'): HttpRequest => ({
  path,
  headers: json,
  body,
});

/** The number of documents a filter matches, with the filter in a variable. */
export const counted = (filters: unknown): HttpRequest =>
  posted('query($filters: JSON) { book { hits(filters: $filters) { total } } }', { filters });

/** With the filter written into the document. */
export const countedInline = (literal: string): HttpRequest =>
  posted(`{ book { hits(filters: ${literal}) { total } } }`);

/** A JSON value whose keys are GraphQL names, as a literal. */
export const literalOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}: ${literalOf(item)}`)
    .join(', ')}}`;
};
