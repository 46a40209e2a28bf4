import type Router from '@koa/router';
import type Koa from 'koa';
import { TributaryError } from '../../lib/errors/errors.ts';
import { packagedFile } from '../../lib/runtime/packaged-file.ts';
import { openApiDocument } from './openapi-document.ts';
import { noQuery, readQuery } from './request-checks.ts';

/** The page is self-contained: it uses no other host, and the policy enforces that. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Indexing service</title>
    <link rel="stylesheet" href="api-docs/swagger-ui.css" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs scripts. The description it shows is at <a href="api-docs/openapi.json">api-docs/openapi.json</a>.</noscript>
    <script src="api-docs/swagger-ui-bundle.js"></script>
    <script src="api-docs/show.js"></script>
  </body>
</html>
`;

/** No validator: it would send the address of this service to another host. */
const showScript = `window.ui = SwaggerUIBundle({
  url: 'api-docs/openapi.json',
  dom_id: '#reference',
  validatorUrl: null,
  docExpansion: 'list',
  displayRequestDuration: true,
});
`;

const assets = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' } as const;

/** The interactive reference at /api-docs, its OpenAPI document, and a redirect from /. */
export const addApiPage = (router: Router, { token }: { readonly token: string | undefined }): Router => {
  const document = openApiDocument({ requiresToken: token !== undefined });
  router.get('/', (context) => context.redirect('api-docs'));
  router.get('/api-docs', (context) => {
    // relative links of the page only work without the trailing slash
    if (context.path.endsWith('/')) return context.redirect('../api-docs');
    readQuery(context, noQuery);
    context.set('content-security-policy', policy);
    send(context, 'text/html', page);
  });
  router.get('/api-docs/openapi.json', (context) => {
    readQuery(context, noQuery);
    context.body = document;
  });
  router.get('/api-docs/show.js', (context) => send(context, 'text/javascript', showScript));
  for (const [name, type] of Object.entries(assets))
    router.get(`/api-docs/${name}`, async (context) => {
      const content = await readAsset(name);
      context.set('cache-control', 'max-age=3600');
      send(context, type, content);
    });
  return router;
};

const send = (context: Koa.Context, type: string, body: string | Buffer): void => {
  context.type = `${type}; charset=utf-8`;
  context.body = body;
};

const readAsset = async (name: string): Promise<Buffer> => {
  const content = await packagedFile(
    new URL(`./swagger-ui/${name}`, import.meta.url),
    'swagger-ui-dist',
    name,
  );
  if (content === null)
    throw new TributaryError(
      'NOT_FOUND',
      'this installation has no files for the page: the description it would show is at /api-docs/openapi.json',
    );
  return content;
};
