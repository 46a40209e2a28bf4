import type { Catalogue } from '../api/catalogue.ts';
import { bareOf, isOfWords, linkNested } from '../api/filter.ts';
import type { PortalConfig } from '../api/config.ts';
import type { FacetSizes, Question } from '../api/questions.ts';
import { chartPaths } from '../charts/chart-paths.ts';
import { chosenOf } from '../state/chosen.ts';
import { filterOf, type View } from '../state/view.ts';

/** The facets whose numbers a view of Explore shows. */
export const shownPaths = (config: PortalConfig, catalogue: Catalogue, view: View): readonly string[] => {
  const hidden = new Set(config.look.hiddenFacets ?? []);
  const open = catalogue.facets.slice(0, catalogue.shownFacets).filter((path) => !hidden.has(path));
  const charts = view.tab === 'charts' ? chartPaths(config, catalogue, view) : [];
  return [...new Set([...open, ...(view.opened ?? []), ...filteredPaths(view), ...charts])].filter((path) =>
    catalogue.fields.has(path),
  );
};

/** A facet with a condition is always shown; otherwise it could not be changed. */
const filteredPaths = ({ filters = [] }: View): readonly string[] =>
  filters.flatMap((filter) => {
    const { content } = bareOf(filter);
    return 'fieldName' in content && typeof content.fieldName === 'string' ? [content.fieldName] : [];
  });

/**
 * The query of a view of Explore. If any of the conditions suffices, facets count within the result: without its own
 * condition a facet would count the records of the others, which are not part of what selecting it finds.
 */
export const questionOf = (view: View, catalogue: Pick<Catalogue, 'fields'> | undefined): Question => {
  const filter = filterOf(view);
  return {
    filter: filter && linkNested(filter, catalogue?.fields ?? new Map()),
    nodes: view.nodes ?? null,
    ...(view.join === 'or' && { isExact: true }),
  };
};

/** Whether a view's records are in the order of relevance: words are searched, and no other order is chosen. */
export const isRanked = ({ filters, sort, join }: View): boolean =>
  sort === undefined && join !== 'or' && filters?.some(isOfWords) === true;

/**
 * How many values its facets list, besides those that are selected; charts have room for more.
 * @param more by path, if the user requested more
 */
export const sizesOf = (view: View, more: FacetSizes['more']): FacetSizes => {
  const { tab, levels = {} } = view;
  const also = filteredPaths(view).flatMap((path) => {
    const { values } = chosenOf(view, path);
    return values.length === 0 ? [] : [[path, values] as const];
  });
  return {
    asUsual: tab === 'charts' ? 10 : 6,
    more,
    ...(also.length > 0 && { also: Object.fromEntries(also) }),
    ...(tab === 'charts' && { levels }),
  };
};
