import { CannotBuild, serverKinds } from '../../whole/servers/build-server.ts';
import { startServer, type RunningServer } from '../../whole/servers/start-server.ts';

/** A server to test against, or why there is none. */
export type TestServer =
  | ({ readonly kind: 'running'; readonly name: string } & RunningServer)
  | { readonly kind: 'absent'; readonly name: string; readonly reason: string };

/**
 * The servers whose URLs are in TEST_OPENSEARCH_URL and TEST_ELASTICSEARCH_URL (several with commas between them), and those
 * of TEST_ENGINES (opensearch2, opensearch3, elasticsearch7, elasticsearch8, elasticsearch9), which are started here.
 */
export const testServers = async (): Promise<readonly TestServer[]> => {
  const urls = listOf(
    `${process.env['TEST_OPENSEARCH_URL'] ?? ''},${process.env['TEST_ELASTICSEARCH_URL'] ?? ''}`,
  );
  const running = await Promise.all(urls.map(runningServer));
  const started = await Promise.all(listOf(process.env['TEST_ENGINES']).map(startNamed));
  return [...running, ...started];
};

/**
 * Starts servers for several test processes; they end with this one. @param names as in TEST_ENGINES
 * @returns the variables with which `testServers` finds them; each server that cannot be had stays in TEST_ENGINES
 */
export const startTestServers = async (names: string): Promise<Readonly<Record<string, string>>> => {
  const servers = await Promise.all(listOf(names).map(startNamed));
  return {
    TEST_OPENSEARCH_URL: servers.flatMap((one) => (one.kind === 'running' ? [one.url] : [])).join(','),
    TEST_ENGINES: servers.flatMap((one) => (one.kind === 'absent' ? [one.name] : [])).join(','),
  };
};

const listOf = (text = ''): readonly string[] => text.split(',').filter((one) => one !== '');

/** A server that runs already, named after its product and version as those started here are. */
const runningServer = async (url: string): Promise<TestServer> => {
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
