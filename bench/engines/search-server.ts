import { serverKinds } from '../../test/whole/servers/build-server.ts';
import { startServer } from '../../test/whole/servers/start-server.ts';
import { index } from './loaded.ts';

/** The search server that is measured. */
export interface SearchServer {
  readonly url: string;
  /** Processor time it has used. */
  cpuMs(): Promise<number>;
  /** Merges all documents into one segment, its quickest form. */
  merge(): Promise<void>;
  /** How many searches it has answered from its request cache. */
  cached(): Promise<number>;
  close(): Promise<void>;
}

/** The server of TEST_OPENSEARCH_URL; without it one is started, which goes afterwards. */
export const openSearchServer = async (): Promise<SearchServer> => {
  const runningUrl = process.env['TEST_OPENSEARCH_URL'];
  const server =
    runningUrl === undefined ? await startServer(serverKinds['opensearch2']!, { fastCode: true }) : null;
  const url = server?.url ?? runningUrl!;
  return {
    url,
    cpuMs: async () => {
      const { nodes } = await send<
        Record<'nodes', NodesOf<{ process: { cpu: { total_in_millis: number } } }>>
      >(url, '/_nodes/stats/process');
      return Object.values(nodes).reduce((sum, node) => sum + node.process.cpu.total_in_millis, 0);
    },
    merge: async () => {
      await send(url, `/${index}/_forcemerge?max_num_segments=1`, 'POST');
      await send(url, `/${index}/_refresh`, 'POST');
    },
    cached: async () => {
      const stats = await send<{ _all: { total: { request_cache: { hit_count: number } } } }>(
        url,
        `/${index}/_stats/request_cache`,
      );
      return stats._all.total.request_cache.hit_count;
    },
    close: async () => {
      if (server === null) await send(url, `/${index}`, 'DELETE');
      else await server.stop();
    },
  };
};

type NodesOf<Node> = Readonly<Record<string, Node>>;

const send = async <Answer>(url: string, path: string, method = 'GET'): Promise<Answer> => {
  const answer = await fetch(`${url}${path}`, { method });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as Answer;
};
