import type { CursorValue } from '../../engines/engine.ts';
import type { CatalogueHit, SearchFn } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { FilePlan } from './file-plan.ts';

/**
 * The hits of a plan, page by page by cursor, so that a results window limits neither the number of hits nor their
 * memory. A page is requested once the previous one has been consumed.
 * @param pageSize no more than the catalogue's results window
 */
export const hitPages = async function* (
  { query, limit }: Pick<FilePlan, 'query' | 'limit'>,
  search: SearchFn,
  context: RequestContext,
  pageSize: number,
): AsyncGenerator<readonly CatalogueHit[]> {
  const reader = context.withPagedAllowance();
  let left = limit ?? Infinity;
  let searchAfter: readonly CursorValue[] | null = null;
  while (left > 0) {
    const first = Math.min(pageSize, left);
    const { hits } = await search({ ...query, hits: { ...query.hits, first, searchAfter } }, reader);
    if (hits.length > 0) yield hits;
    if (hits.length < first) return;
    searchAfter = hits.at(-1)!.cursor;
    left -= hits.length;
  }
};
