import test from 'ava';
import type { Engine } from '../../../src/engines/engine.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { testServers, type TestServer } from './servers.ts';

type OpenServer = Extract<TestServer, { kind: 'running' }>;

/** The engine of a server that asks for no credentials. */
const engineOf = ({ url }: OpenServer): Promise<Engine> =>
  openEngine({
    kind: 'detect',
    url,
    user: undefined,
    password: undefined,
    apiKey: undefined,
    caFile: undefined,
  });

/**
 * Declares tests for each server; one that is skipped says why there are none. Engine and server are closed after them.
 * @param declare returns what removes its traces from the server before that, if it leaves any
 */
export const onServers = async (
  declare: (server: OpenServer, engine: Engine) => (() => Promise<unknown>) | undefined,
): Promise<void> => {
  // opened before the first declaration: AVA takes none after the turn of the first
  const servers = await Promise.all(
    (await testServers()).map(async (server) =>
      server.kind === 'absent' ? server : { ...server, engine: await engineOf(server) },
    ),
  );
  if (servers.length === 0)
    test.skip('no search server: npm run test:all -- engines starts some, TEST_OPENSEARCH_URL names one', () =>
      undefined);
  for (const server of servers) {
    if (server.kind === 'absent') {
      test.skip(`${server.name}: ${server.reason}`, () => undefined);
      continue;
    }
    const cleanUp = declare(server, server.engine);
    test.after.always(async () => {
      await cleanUp?.();
      await server.engine.close();
      await server.stop();
    });
  }
};
