import { pino } from 'pino';
import type { Settings } from '../../config/config.ts';
import { loadSettings } from '../../config/load.ts';
import { openEngine, rejectUnusable } from '../../engines/open/open-engine.ts';
import { TributaryError } from '../../errors/errors.ts';
import { endSignal, unlessEnded } from './end-signal.ts';
import { describeError } from '../terminal/command-line.ts';
import type { IndexingService } from './indexing-service.ts';
import { openIndexingService } from './indexing-service.ts';
import { packageVersion } from './package-root.ts';

/**
 * The command `tributary indexing`: the indexing service alone, until the process is told to terminate. Search servers
 * over the same indexes see what it writes: those on a cluster, and those on the same folder of the embedded engine.
 * @returns the exit code: 0 after SIGTERM or SIGINT, 1 when the service could not start
 */
export const runIndexing = async (env: NodeJS.ProcessEnv): Promise<number> => {
  try {
    const settings = loadSettings(env);
    settings.warnings.forEach((warning) => console.error(`warning: ${warning}`));
    rejectUnusable(settings.engine);
    const ended = endSignal();
    const service = await unlessEnded(() => serve(settings), ended);
    if (service === null) return 0;
    await ended;
    console.log('stopping');
    await service.close();
    return 0;
  } catch (error) {
    console.error(`tributary indexing: ${describeError(error)}`);
    return 1;
  }
};

/** @throws TributaryError CONFIG_INVALID, CONFLICT; nothing stays open then */
const serve = async ({
  engine: engineConfig,
  http,
  indexing,
  logLevel,
  server,
}: Settings): Promise<IndexingService> => {
  const { port } = indexing;
  if (port === null)
    throw new TributaryError('CONFIG_INVALID', 'INDEXING_PORT is off: give a port, or none for 11235');
  const log = pino({ level: logLevel }, pino.destination({ fd: 2, sync: true }));
  const engine = await openEngine(engineConfig);
  try {
    const service = await openIndexingService(port, indexing, {
      engine,
      log,
      connections: server.connections,
      maxResponseBytes: http.maxResponseBytes,
    });
    const title = `tributary ${packageVersion()} runs the indexing service only, without search`;
    console.log([title, ...service.lines].join('\n'));
    return {
      ...service,
      close: async () => {
        await service.close();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
};
