import { parse, print } from 'graphql';
import type { RequestContext } from './request-context.ts';

/** A browser that opens the endpoint's address, rather than a program that queries it. */
export const wantsPage = (context: RequestContext): boolean =>
  context.method === 'GET' &&
  !context.URL.searchParams.has('query') &&
  /\btext\/html\b/i.test(context.get('accept'));

/** The page is whole in itself; the policy keeps it so, whatever its bundle mentions. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; " +
  "img-src 'self' data: blob:; font-src data:; connect-src 'self' blob:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'";

/** Stands in the page where the first query goes. */
const firstQueryMark = '{ firstQuery }';

let page: Promise<string> | undefined;

/**
 * GraphiQL on the address it is asked for. Nine megabytes, so it is loaded when first wanted and kept.
 * @param firstQuery what a visitor finds in the editor, ready to run
 */
export const showPage = async (context: RequestContext, firstQuery: string): Promise<void> => {
  page ??= import('@graphql-yoga/render-graphiql').then(({ renderGraphiQL }) =>
    renderGraphiQL({ title: 'Tributary GraphiQL', defaultQuery: firstQueryMark }).trimStart(),
  );
  const html = await page;
  context.set('content-security-policy', policy);
  context.type = 'text/html; charset=utf-8';
  context.body = html.replace(JSON.stringify(firstQueryMark), () => JSON.stringify(firstQuery));
};

/** The first page of a catalogue. */
export const catalogueQuery = (documentType: string): string =>
  print(parse(`{ ${documentType} { hits(first: 5) { total edges { node { id } } } } }`));

/** Who answers in the network, and with how much. */
export const networkQuery = print(
  parse('{ network { total partial nodes { nodeId name status hits errors } } }'),
);
