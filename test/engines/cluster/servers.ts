import { CannotBuild, serverKinds } from '../../servers/build-server.ts';
import { startServer, type RunningServer } from '../../servers/start-server.ts';

/** A server to test against, or why there is none. */
export type TestServer =
  | ({ readonly kind: 'running'; readonly name: string } & RunningServer)
  | { readonly kind: 'absent'; readonly name: string; readonly reason: string };

/**
 * The servers named by TEST_OPENSEARCH_URL and TEST_ELASTICSEARCH_URL, and those of TEST_ENGINES (opensearch2,
 * opensearch3, elasticsearch7, elasticsearch8, elasticsearch9), which are started here.
 */
export const testServers = async (): Promise<readonly TestServer[]> => {
  const urls = [process.env['TEST_OPENSEARCH_URL'], process.env['TEST_ELASTICSEARCH_URL']];
  const given = await Promise.all(urls.filter((url) => url !== undefined).map(givenServer));
  const wanted = (process.env['TEST_ENGINES'] ?? '').split(',').filter((name) => name !== '');
  const started = await Promise.all(wanted.map(startNamed));
  return [...given, ...started];
};

/** A server that runs already, named as if it were started here: by what it says it is. */
const givenServer = async (url: string): Promise<TestServer> => {
  const { version } = (await (await fetch(url)).json()) as {
    readonly version: { readonly number: string; readonly distribution?: string };
  };
  const name = `${version.distribution ?? 'elasticsearch'}${Number.parseInt(version.number, 10)}`;
  return { kind: 'running', name, url, stop: () => Promise.resolve() };
};

const startNamed = async (name: string): Promise<TestServer> => {
  const kind = serverKinds[name];
  if (kind === undefined)
    throw new Error(`TEST_ENGINES knows ${Object.keys(serverKinds).join(', ')}, not ${name}`);
  try {
    return { kind: 'running', name, ...(await startServer(kind)) };
  } catch (error) {
    if (error instanceof CannotBuild) return { kind: 'absent', name, reason: error.message };
    throw error;
  }
};
