import type { QueryClient } from '@tanstack/react-query';
import { catalogueQuery, overviewQuery } from './api/queries.ts';
import { sourceOf, type PortalConfig } from './api/config.ts';
import { questionOf, shownPaths, sizesOf } from './explore/view-question.ts';
import { chartSizes, everything, startPaths } from './start/start-question.ts';
import { shortLinkOf } from './state/link.ts';
import { currentPlace } from './state/navigation.ts';

/**
 * Sends the first queries of the page in the address while its code is still loading. The answers are cached under the
 * page's query keys; a query that fails is repeated, and its error reported, by the page.
 */
export const prefetch = async (client: QueryClient, config: PortalConfig): Promise<void> => {
  const { page, view } = currentPlace();
  const source = sourceOf(config, view.source);
  if (source?.status !== 'available' || page === 'docs' || shortLinkOf(location.hash) !== null) return;
  const catalogue = await client.fetchQuery(catalogueQuery(source));
  if (page === 'record' || page === 'network') return;
  const isStart = page === 'start';
  const paths = isStart ? startPaths(config, catalogue) : shownPaths(config, catalogue, view);
  const question = isStart ? everything : questionOf(view, catalogue);
  const sizes = isStart ? chartSizes(view) : sizesOf(view, {});
  await client.fetchQuery(overviewQuery(client, { catalogue, question, paths, sizes }));
};
