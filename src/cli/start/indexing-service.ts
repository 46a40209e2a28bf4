import type { Logger } from 'pino';
import type { ConnectionsConfig, Settings } from '../../config/config.ts';
import type { Engine } from '../../engines/engine.ts';
import { sendInBounds } from '../../http/answers/send-in-bounds.ts';
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
  /** What a person is told: where it is and what it indexes. */
  readonly lines: readonly string[];
  /** Answers what has been asked, takes nothing new, and lets running jobs reach a point to go on from. */
  readonly close: () => Promise<void>;
}

export interface IndexingServiceParts {
  readonly engine: Engine;
  readonly log: Logger;
  readonly connections: ConnectionsConfig;
  /** The largest body of an answer. */
  readonly maxResponseBytes: number;
  /** Is called when the fields of an index have changed; a job is told of as done when the promise is. */
  readonly onIndexed?: () => Promise<void>;
}

/**
 * Listens for indexing requests, and goes on with the jobs that an earlier process left. Listens first: a process that
 * does not get the port leaves the jobs alone.
 * @throws TributaryError CONFLICT, CONFIG_INVALID when the port cannot be had; nothing stays open then
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
