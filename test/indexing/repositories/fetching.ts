import type { ExecutionContext } from 'ava';
import { openRepository } from '../../../src/indexing/repositories/open-repository.ts';
import type {
  RecordPage,
  Repository,
  RecordRepositoryConfig,
  StudyRepositoryConfig,
} from '../../../src/indexing/repositories/repository.ts';
import type { Address } from '../../whole/repositories/repository-server.ts';
import type { RecordServer, SubmittedRecord } from '../../whole/repositories/record-server.ts';
import { startRecordServer } from '../../whole/repositories/record-server.ts';
import type { Analysis, StudyServer } from '../../whole/repositories/study-server.ts';
import { startStudyServer } from '../../whole/repositories/study-server.ts';

/** A server until the test is over. */
export const studies = async (
  t: ExecutionContext,
  analyses: readonly Analysis[],
  address: Address = {},
): Promise<StudyServer> => {
  const server = await startStudyServer(analyses, address);
  t.teardown(server.close);
  return server;
};

/** A server until the test is over. */
export const category = async (
  t: ExecutionContext,
  records: readonly SubmittedRecord[],
  address: Address = {},
): Promise<RecordServer> => {
  const server = await startRecordServer(records, address);
  t.teardown(server.close);
  return server;
};

const common = {
  code: 'ARCHIVE',
  displayName: 'The archive',
  indexName: 'plays',
  pageSize: 2,
  timeoutMs: 5000,
  exclude: [],
  map: [],
};

export const studyConfig = (
  baseUrl: string,
  changes: Partial<StudyRepositoryConfig> = {},
): StudyRepositoryConfig => ({
  ...common,
  kind: 'study',
  baseUrl,
  documents: 'analysis',
  indexableStates: ['PUBLISHED'],
  ...changes,
});

export const recordConfig = (
  baseUrl: string,
  changes: Partial<RecordRepositoryConfig> = {},
): RecordRepositoryConfig => ({
  ...common,
  kind: 'record',
  baseUrl,
  categoryId: '1',
  validOnly: true,
  ...changes,
});

/** A repository that does not wait between attempts; what it would have waited is in `waits`. */
export const impatient = (
  config: StudyRepositoryConfig | RecordRepositoryConfig,
): { readonly repository: Repository; readonly waits: readonly number[] } => {
  const waits: number[] = [];
  const repository = openRepository(config, async (ms) => void waits.push(ms));
  return { repository, waits };
};

export const never = (): AbortSignal => new AbortController().signal;

/** All pages of a fetch, as lists of document ids. */
export const idsOf = async (
  pages: AsyncIterable<RecordPage>,
  onPage: () => void = () => undefined,
): Promise<string[][]> => {
  const ids: string[][] = [];
  for await (const page of pages) {
    ids.push(page.records.map(({ documentId }) => documentId));
    onPage();
  }
  return ids;
};

/** All pages of a fetch as one. */
export const fetched = async (pages: AsyncIterable<RecordPage>): Promise<RecordPage> => {
  const all: RecordPage[] = [];
  for await (const page of pages) all.push(page);
  return {
    records: all.flatMap(({ records }) => records),
    skipped: all.flatMap(({ skipped }) => skipped),
    failed: all.flatMap(({ failed }) => failed),
    total: all.at(-1)?.total ?? null,
  };
};
