import test from 'ava';
import { asDownload } from '../../src/search/audited-search.ts';
import type { AuditedQuestion } from '../../src/search/request-context.ts';
import { contextFor } from './request-context.ts';

test('a download of several catalogues is written down once for each, and so is what failed halfway', (t) => {
  const written: AuditedQuestion[] = [];
  const { observer } = asDownload(
    contextFor().withSteps((one) => void written.push(one)),
    ['title'],
  );
  const page: AuditedQuestion = {
    ...{ catalogueId: 'a', network: null, nodes: [], filters: null, facetFilters: [], tier: null },
    ...{ fields: ['_id'], kind: 'rows', state: 'ok', rows: 2, total: 5, tookMs: 1 },
  };
  const failed = { ...page, state: 'ENGINE_TIMEOUT', rows: 0, total: null };
  for (const step of [page, page, failed, { ...page, catalogueId: 'b' }, failed]) observer.onQuestion(step);
  t.deepEqual(
    written.map(({ catalogueId, state, fields, kind, rows }) => [catalogueId, state, fields, kind, rows]),
    [
      ['a', 'ok', ['title'], 'download', 5],
      ['a', 'ENGINE_TIMEOUT', ['title'], 'download', 0],
      ['b', 'ok', ['title'], 'download', 5],
    ],
  );
});
