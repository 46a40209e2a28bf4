import { isJsonObject } from '../../json/json.ts';
import { withNamedFacets, type PortalSections } from '../../introspection/sections/sections.ts';

/** What a network's own part of its file says about its portal. */
export const sectionsIn = (network: Readonly<Partial<PortalSections>>): Partial<PortalSections> => {
  const { extended, table, facets, charts, matchbox, downloads } = network;
  return { extended, table, facets, charts, matchbox, downloads };
};

/** The content of a network's file, its facets in their full form: a bare list is that of their aggregations. */
export const withBareFacets = (content: unknown): unknown =>
  isJsonObject(content) && isJsonObject(content['network'])
    ? { ...content, network: withNamedFacets(content['network']) }
    : content;
