import test from 'ava';
import { checkRepositories } from '../../../src/cli/check/check.ts';
import type { RepositoryConfig } from '../../../src/indexing/repositories/repository.ts';
import { startRecordServer } from '../../repositories/record-server.ts';

const repository = (code: string, baseUrl: string): RepositoryConfig => ({
  kind: 'record',
  code,
  displayName: code,
  baseUrl,
  indexName: 'specimens',
  pageSize: 10,
  timeoutMs: 5_000,
  categoryId: '1',
  validOnly: true,
  exclude: [],
  map: [],
  credential: { header: 'authorization', value: 'Bearer s3cret' },
});

test('each repository has a line: that it answers, or why not', async (t) => {
  const server = await startRecordServer([]);
  t.teardown(() => server.close());
  const gone = await startRecordServer([]);
  await gone.close();
  const { lines, fine } = await checkRepositories([
    repository('abbey', server.url),
    repository('harbour', gone.url),
  ]);
  t.false(fine);
  t.is(lines.length, 2);
  t.is(lines[0], '  repository abbey (record-based, index specimens): answers');
  t.regex(lines[1]!, /^ {2}repository harbour \(record-based, index specimens\): .*harbour/);
  t.false(lines.join().includes('s3cret'));
});

test('without repositories there is nothing to say', async (t) => {
  t.deepEqual(await checkRepositories([]), { lines: [], fine: true });
});
