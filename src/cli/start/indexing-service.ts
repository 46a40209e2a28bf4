import type { Logger } from 'pino';
import type { ConnectionsConfig, Settings } from '../../config/config.ts';
import type { Engine } from '../../engines/engine.ts';
import { sendInBounds } from '../../http/answers/send-json.ts';
import { jsonSender } from '../../http/answers/send-json.ts';
import { httpServer } from '../../http/koa/http-server.ts';
import { openJobQueue } from '../../indexing/jobs/open-job-queue.ts';
import { openRepository } from '../../indexing/repositories/open-repository.ts';
import { refusalBody } from '../../indexing/service/error-answer.ts';
import { createIndexingApp } from '../../indexing/service/indexing-app.ts';
import { drained, listen } from './listen.ts';
import { withinOpenFiles } from './open-files.ts';

export interface IndexingService {
  readonly url: string;
  /** For the terminal: where it listens and what it indexes. */
  readonly lines: readonly string[];
  /** Finishes pending requests, accepts no new ones, and lets running jobs reach a point to resume from. */
  readonly close: () => Promise<void>;
}

export interface IndexingServiceParts {
  readonly engine: Engine;
  readonly log: Logger;
  readonly connections: ConnectionsConfig;
  /** The maximum size of a response body. */
  readonly maxResponseBytes: number;
  /** Called when the fields of an index have changed; a job is reported as done once the promise resolves. */
  readonly onIndexed?: () => Promise<void>;
}

/**
 * Listens for indexing requests, and resumes the jobs of an earlier process. Listens first: a process that does not get
 * the port must not touch the jobs.
 * @throws TributaryError CONFLICT, CONFIG_INVALID when the port is not available; nothing stays open then
 */
export const openIndexingService = async (
  port: number,
  { host, token, dataPath, repositories }: Settings['indexing'],
  { engine, log, connections, maxResponseBytes, onIndexed }: IndexingServiceParts,
): Promise<IndexingService> => {
  const { server, serve } = httpServer(withinOpenFiles(connections), refusalBody);
  const url = await listen(server, { port, host, variables: 'INDEXING_PORT or INDEXING_HOST' });
  try {
    const jobs = await openJobQueue({
      engine,
      repositories: repositories.map((repository) => openRepository(repository)),
      dataPath,
      log,
      ...(onIndexed === undefined ? {} : { onIndexed }),
    });
    const answers = sendInBounds(jsonSender(maxResponseBytes));
    serve(createIndexingApp({ jobs, token, log, answers }).callback());
    return {
      url,
      lines: linesOf(url, repositories),
      close: async () => {
        await drained(server);
        await jobs.close();
      },
    };
  } catch (error) {
    await drained(server);
    throw error;
  }
};

const linesOf = (url: string, repositories: Settings['indexing']['repositories']): string[] => {
  const how = repositories.length === 0 ? ': no repositories are configured (REPOSITORIES_PATH)' : '';
  return [
    `  indexing at ${url}/api-docs${how}`,
    ...repositories.map(({ code, displayName, indexName }) => {
      const name = displayName === code ? code : `${code} (${displayName})`;
      return `  repository ${name}: into ${indexName}`;
    }),
  ];
};
