import { createHash } from 'node:crypto';
import { TributaryError } from '../../errors/errors.ts';
import { packagedFile } from '../../runtime/packaged-file.ts';
import type { HttpContext } from '../koa/http-context.ts';

/** The endpoint has the address of the page, whatever prefix a proxy adds. */
const startScript = `const root = document.querySelector('#graphiql');
ReactDOM.createRoot(root).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: location.pathname }),
    defaultQuery: root.dataset.firstQuery,
  }),
);
`;

/** GraphiQL fills what it is given. */
const pageStyle = `body { margin: 0 }
#graphiql { height: 100dvh }
`;

type Source = Pick<PageFile, 'name' | 'type'> &
  ({ readonly text: string } | { readonly packageName: string; readonly path: string });

/** In the order in which the page loads them; scripts/build.js copies what comes from other packages. */
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

/** What the page of GraphiQL loads. */
export interface PageFile {
  readonly name: string;
  readonly type: 'text/css' | 'text/javascript';
  readonly content: Buffer;
  /** Relative to the page; a new release of the file has a new address. */
  readonly address: string;
}

let files: Promise<readonly PageFile[]> | undefined;

/**
 * Read when first wanted, then kept.
 * @throws TributaryError NOT_FOUND for an installation without them
 */
export const pageFiles = (): Promise<readonly PageFile[]> => {
  files ??= Promise.all(sources.map(readFileOf)).catch((error: unknown) => {
    files = undefined;
    throw error;
  });
  return files;
};

/** The parameter of the endpoint's own address that names a file: beside the page under whatever path and prefix. */
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

/** A file of the page, rather than the page or a query. */
export const wantsPageFile = (context: HttpContext): boolean =>
  (context.method === 'GET' || context.method === 'HEAD') &&
  context.URL.searchParams.has(parameter) &&
  !context.URL.searchParams.has('query');

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
