import { CannotBuild, serverKinds } from '../../servers/build-server.ts';
import { startServer, type RunningServer } from '../../servers/start-server.ts';

/** A server to test against, or why there is none. */
export type TestServer =
  | ({ readonly kind: 'running'; readonly name: string } & RunningServer)
  | { readonly kind: 'absent'; readonly name: string; readonly reason: string };

/**
 * The servers named by TEST_OPENSEARCH_URL and TEST_ELASTICSEARCH_URL, and those of TEST_ENGINES (opensearch2,
 * opensearch3, elasticsearch8, elasticsearch9), which are started here.
 */
export const testServers = async (): Promise<readonly TestServer[]> => {
  const given = [
    { name: 'opensearch', url: process.env['TEST_OPENSEARCH_URL'] },
    { name: 'elasticsearch', url: process.env['TEST_ELASTICSEARCH_URL'] },
  ].flatMap(({ name, url }): TestServer[] =>
    url === undefined ? [] : [{ kind: 'running', name, url, stop: () => Promise.resolve() }],
  );
  const wanted = (process.env['TEST_ENGINES'] ?? '').split(',').filter((name) => name !== '');
  const started = await Promise.all(wanted.map(startNamed));
  return [...given, ...started];
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
