import type { QueryClient } from '@tanstack/react-query';
import { catalogueAsked, overviewAsked } from './api/asked.ts';
import { sourceOf, type PortalConfig } from './api/config.ts';
import { questionOf, shownPaths, sizesOf } from './explore/view-question.ts';
import { chartSizes, everything, startPaths } from './start/start-question.ts';
import { shortLinkOf } from './state/link.ts';
import { currentPlace } from './state/navigation.ts';

/**
 * Asks what the page of the address asks first, while what draws it is still on its way. The answers are kept under
 * the same names, so the page finds them; what fails is asked again, and reported, by the page.
 */
export const askAhead = async (client: QueryClient, config: PortalConfig): Promise<void> => {
  const { page, view } = currentPlace();
  const source = sourceOf(config, view.source);
  if (source?.status !== 'available' || page === 'docs' || shortLinkOf(location.hash) !== null) return;
  const catalogue = await client.fetchQuery(catalogueAsked(source));
  if (page === 'record' || page === 'network') return;
  const isStart = page === 'start';
  const paths = isStart ? startPaths(config, catalogue) : shownPaths(config, catalogue, view);
  const question = isStart ? everything : questionOf(view);
  const sizes = isStart ? chartSizes : sizesOf(view, {});
  await client.fetchQuery(overviewAsked(client, { catalogue, question, paths, sizes }));
};
