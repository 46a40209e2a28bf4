import type { IndexingProcess } from './indexing-process.ts';
import { until } from './indexing-process.ts';

/** What GET /jobs/{jobId} returns, as far as tests look at it. */
export interface JobReport {
  readonly jobId: string;
  readonly state: string;
  readonly attempts: number;
  readonly counts: { readonly fetched: number; readonly indexed: number; readonly removed: number };
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Accepted {
  readonly successful: boolean;
  readonly indexName: string;
  readonly jobId: string;
}

/** Sends an indexing request. @param path what follows /index/repository/ @throws when it is not accepted */
export const request = async (
  node: IndexingProcess,
  method: 'POST' | 'DELETE',
  path: string,
): Promise<Accepted> => {
  const response = await fetch(`${node.indexingUrl}/index/repository/${path}`, { method });
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Accepted;
};

export const readJob = async (node: IndexingProcess, jobId: string): Promise<JobReport> =>
  (await (await fetch(`${node.indexingUrl}/jobs/${jobId}`)).json()) as JobReport;

/** The job when it is over. */
export const finished = async (node: IndexingProcess, jobId: string): Promise<JobReport> => {
  const isOver = async () => !['queued', 'running'].includes((await readJob(node, jobId)).state);
  await until(`job ${jobId} to be over`, isOver);
  return readJob(node, jobId);
};

/** Sends an indexing request and waits for the end of its job. */
export const done = async (
  node: IndexingProcess,
  method: 'POST' | 'DELETE',
  path: string,
): Promise<JobReport> => finished(node, (await request(node, method, path)).jobId);
