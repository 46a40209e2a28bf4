import { html } from '@remix-run/html-template';
import { parse, print } from 'graphql';
import type { FieldReport } from '../../../federation/nodes/network-fields.ts';
import type { Field, Fields } from '../../../introspection/fields/field.ts';
import { kindOf, aggregationName, graphqlSegment } from '../../../introspection/fields/field.ts';
import type { HttpContext } from '../koa/http-context.ts';
import { createHash } from 'node:crypto';
import { TributaryError } from '../../../lib/errors/errors.ts';
import { wantsHtml } from '../koa/middleware.ts';
import { packagedFile } from '../../../lib/runtime/packaged-file.ts';

/** Whether a request without an operation comes from a browser that opens the endpoint's address. */
export const wantsPage = (context: HttpContext): boolean => context.method === 'GET' && wantsHtml(context);

/**
 * The page is self-contained, which the policy enforces whatever its bundle mentions. It blocks only GraphiQL's style that
 * prevents scrolling behind a dialog, and this page does not scroll.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Responds with GraphiQL. @param firstQuery the initial query in the editor, ready to run */
export const showPage = async (context: HttpContext, firstQuery: string): Promise<void> => {
  const page = pageOf(await pageFiles(), firstQuery);
  context.set('content-security-policy', policy);
  context.set('x-content-type-options', 'nosniff');
  context.type = 'text/html; charset=utf-8';
  context.body = page;
};

const pageOf = (files: readonly PageFile[], firstQuery: string): string => {
  const styles = files.filter(({ type }) => type === 'text/css');
  const scripts = files.filter(({ type }) => type === 'text/javascript');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tributary GraphiQL</title>
<link rel="icon" href="data:,">
${styles.map(({ address }) => html`<link rel="stylesheet" href="${address}">`)}
</head>
<body>
<div id="graphiql" data-first-query="${firstQuery}"></div>
<noscript>This page needs scripts. Programs send their queries to the same address.</noscript>
${scripts.map(
  ({ address }) => html`<script src="${address}"></script>
`,
)}</body>
</html>
`.toString();
};

/** The first page of a catalogue, with a filter to edit. @param fields null for a caller who may not know them */
export const catalogueQuery = (documentType: string, fields: Fields | null): string => {
  const field = fields && exampleField(fields);
  if (!field) return `${aboutFilters('...')}\n${pretty(`{ ${documentType} { ${firstHits()} } }`)}`;
  const { path } = field;
  const facet = `aggregations { ${aggregationName(path)} { buckets(max: 5) { key doc_count } } }`;
  return `${aboutFilters(path)}\n${pretty(`{ ${documentType} { ${firstHits(path)} ${facet} } }`)}`;
};

const firstHits = (path?: string): string =>
  path === undefined
    ? 'hits(first: 5) { total edges { node { id } } }'
    : `hits(first: 5, filters: ${hasValue(path)}) { total edges { node { id ${graphqlSegment(path)} } } }`;

/** Which nodes of the network answer, with how many matches, and a filter to edit. @param fields as in catalogueQuery */
export const networkQuery = (fields: readonly FieldReport[] | null): string => {
  const path = fields?.find(({ path, type }) => isExample(path, type))?.path;
  const filters = path === undefined ? '' : `(filters: ${hasValue(path)})`;
  const query = `{ network${filters} { total partial nodes { nodeId name status hits errors } } }`;
  return `${aboutFilters(path ?? '...')}\n${pretty(query)}`;
};

const pretty = (query: string): string => print(parse(query));

/** A filter that finds something whatever the values are. */
const hasValue = (path: string): string =>
  `{op: "not-in", content: {fieldName: ${JSON.stringify(path)}, value: ["__missing__"]}}`;

const aboutFilters = (path: string): string =>
  [
    '# Filters are SQON. To try in the argument `filters`:',
    `#   ${hasValue(path)}`,
    `#   {op: "in", content: {fieldName: ${JSON.stringify(path)}, value: ["one value", "another", "*part*"]}}`,
    '#   {op: "and", content: [...]}, or, not; gt, gte, lt, lte, between for numbers and dates',
    '# GET /introspection/sqon describes all of it; the documentation beside this names the filters of each field.',
  ].join('\n');

const exampleField = (fields: Fields): Field | undefined =>
  [...fields.values()].find(({ path, type }) => isExample(path, type));

/** A field of the document itself with values that users can choose from. */
const isExample = (path: string, type: string): boolean =>
  kindOf(type) === 'keyword' && !path.includes('.') && !/id$/i.test(path);

/** The endpoint has the address of the page, whatever prefix a proxy adds. */
const startScript = `const root = document.querySelector('#graphiql');
ReactDOM.createRoot(root).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: location.pathname }),
    defaultQuery: root.dataset.firstQuery,
  }),
);
`;

/** GraphiQL fills its container. */
const pageStyle = `body { margin: 0 }
#graphiql { height: 100dvh }
`;

type Source = Pick<PageFile, 'name' | 'type'> &
  ({ readonly text: string } | { readonly packageName: string; readonly path: string });

/** In the order in which the page loads them; scripts/build.js copies the files that come from other packages. */
const sources: readonly Source[] = [
  { name: 'graphiql.css', type: 'text/css', packageName: 'graphiql', path: 'graphiql.min.css' },
  { name: 'page.css', type: 'text/css', text: pageStyle },
  {
    name: 'react.js',
    type: 'text/javascript',
    packageName: 'react-umd',
    path: 'umd/react.production.min.js',
  },
  {
    name: 'react-dom.js',
    type: 'text/javascript',
    packageName: 'react-dom-umd',
    path: 'umd/react-dom.production.min.js',
  },
  { name: 'graphiql.js', type: 'text/javascript', packageName: 'graphiql', path: 'graphiql.min.js' },
  { name: 'start.js', type: 'text/javascript', text: startScript },
];

/** A file that the GraphiQL page loads. */
export interface PageFile {
  readonly name: string;
  readonly type: 'text/css' | 'text/javascript';
  readonly content: Buffer;
  /** Relative to the page; a new version of the file has a new address. */
  readonly address: string;
}

let files: Promise<readonly PageFile[]> | undefined;

/** Read on first use, then cached. @throws TributaryError NOT_FOUND for an installation without them */
const pageFiles = (): Promise<readonly PageFile[]> => {
  files ??= Promise.all(sources.map(readFileOf)).catch((error: unknown) => {
    files = undefined;
    throw error;
  });
  return files;
};

/** The parameter of the endpoint's address that names a file, so that files work under any path and prefix. */
const parameter = 'graphiql';

const readFileOf = async (source: Source): Promise<PageFile> => {
  const { name, type } = source;
  const content = 'text' in source ? Buffer.from(source.text) : await readPackaged(name, source);
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { name, type, content, address: `?${parameter}=${name}&v=${version}` };
};

const readPackaged = async (
  name: string,
  { packageName, path }: { readonly packageName: string; readonly path: string },
): Promise<Buffer> => {
  const content = await packagedFile(new URL(`./graphiql/${name}`, import.meta.url), packageName, path);
  if (content === null)
    throw new TributaryError('NOT_FOUND', 'this installation has no files for the page of GraphiQL');
  return content;
};

/** Whether a request without an operation is for a file of the page. */
export const wantsPageFile = (context: HttpContext): boolean =>
  (context.method === 'GET' || context.method === 'HEAD') && context.URL.searchParams.has(parameter);

/** @throws TributaryError NOT_FOUND for a name that the page does not load */
export const sendPageFile = async (context: HttpContext): Promise<void> => {
  const name = context.URL.searchParams.get(parameter);
  const file = (await pageFiles()).find((known) => known.name === name);
  if (file === undefined) throw new TributaryError('NOT_FOUND', 'the page of GraphiQL has no such file');
  const isThisRelease = context.URL.search === file.address;
  context.set('cache-control', isThisRelease ? 'public, max-age=31536000, immutable' : 'no-cache');
  context.set('x-content-type-options', 'nosniff');
  context.type = `${file.type}; charset=utf-8`;
  context.body = file.content;
};
