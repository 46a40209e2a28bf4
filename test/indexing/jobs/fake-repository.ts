import { setImmediate as turn } from 'node:timers/promises';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type {
  RepositoryConfig,
  RecordPage,
  Repository,
  RepositoryRecord,
} from '../../../src/indexing/repositories/repository.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';

export interface FakeRepository extends Repository {
  /** What it has; tests change it at any time. */
  records: RepositoryRecord[];
  /** By record. */
  readonly skipped: Map<string, string>;
  readonly failed: Map<string, string>;
  /** Called before each page; may wait, or throw what then is the repository's failure. */
  beforePage: (page: number, signal: AbortSignal) => Promise<void> | void;
  up: boolean;
}

/** A repository in memory, of pages of two records. */
export const fakeRepository = (
  config: Partial<RepositoryConfig> = {},
  records: readonly RepositoryRecord[] = [],
): FakeRepository => {
  const fake: FakeRepository = {
    config: repositoryConfig(config),
    records: [...records],
    skipped: new Map(),
    failed: new Map(),
    beforePage: () => undefined,
    up: true,
    fetchAll: async function* (organization, signal) {
      const requested = fake.records.filter(
        (one) => organization === null || one.organization === organization,
      );
      const size = fake.config.pageSize;
      for (let at = 0; at === 0 || at < requested.length; at += size) {
        await turn();
        await fake.beforePage(at / size, signal);
        signal.throwIfAborted();
        yield pageOf(fake, requested.slice(at, at + size), requested.length);
      }
    },
    fetchOne: async (organization, recordId, signal) => {
      await turn();
      await fake.beforePage(0, signal);
      const found = fake.records.filter(
        (one) => one.organization === organization && one.recordId === recordId,
      );
      return found.length === 0 ? null : pageOf(fake, found, found.length);
    },
    probe: async () => {
      if (!fake.up) throw new TributaryError('UPSTREAM_FAILED', 'the repository is down');
    },
  };
  return fake;
};

const pageOf = (
  { skipped, failed }: FakeRepository,
  records: readonly RepositoryRecord[],
  total: number,
): RecordPage => {
  const reasons = (from: ReadonlyMap<string, string>) =>
    [...new Set(records.map(({ recordId }) => recordId))].flatMap((recordId) => {
      const reason = from.get(recordId);
      return reason === undefined ? [] : [{ recordId, reason }];
    });
  return {
    records: records.filter(({ recordId }) => !skipped.has(recordId) && !failed.has(recordId)),
    skipped: reasons(skipped),
    failed: reasons(failed),
    total,
  };
};

const repositoryConfig = (config: Partial<RepositoryConfig>): RepositoryConfig =>
  ({
    kind: 'record',
    code: 'museum',
    displayName: 'Museum',
    baseUrl: 'http://127.0.0.1',
    indexName: 'things',
    pageSize: 2,
    timeoutMs: 1_000,
    exclude: [],
    map: [],
    categoryId: '1',
    validOnly: true,
    ...config,
  }) as RepositoryConfig;

/** A record that is one document. */
export const record = (
  documentId: string,
  document: JsonObject = {},
  organization = 'O',
): RepositoryRecord => ({
  documentId,
  recordId: documentId,
  organization,
  document: { name: documentId, ...document },
});

/** A document that is a part of a record. */
export const part = (documentId: string, recordId: string, organization = 'O'): RepositoryRecord => ({
  ...record(documentId, {}, organization),
  recordId,
});
