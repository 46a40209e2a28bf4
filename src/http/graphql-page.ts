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

let page: Promise<string> | undefined;

/** GraphiQL on the address it is asked for. Nine megabytes, so it is loaded when first wanted and kept. */
export const showPage = async (context: RequestContext): Promise<void> => {
  page ??= import('@graphql-yoga/render-graphiql').then(({ renderGraphiQL }) =>
    renderGraphiQL({ title: 'Tributary GraphiQL' }).trimStart(),
  );
  context.set('content-security-policy', policy);
  context.type = 'text/html; charset=utf-8';
  context.body = await page;
};
