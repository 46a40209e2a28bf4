import type { LocalText } from '../../../../src/lib/text/portal-languages.ts';

/** Facets under a heading of the consortium, or of the objects that they count; with neither, facets of the records themselves. */
export interface FacetGroup {
  readonly name: LocalText | null;
  /** The nested list whose objects the facets count. */
  readonly object: string | null;
  /** Shown with numbers. */
  readonly open: readonly string[];
  /** Shown by name only. */
  readonly closed: readonly string[];
}

/**
 * Facets by groups, others by their objects; each facet once, in the first group that names it.
 * @param order all existing facets; those with numbers keep this order
 */
export const facetGroups = (
  groups: readonly { readonly name: LocalText; readonly facets: readonly string[] }[],
  order: readonly string[],
  isOpen: (path: string) => boolean,
  objectOf: (path: string) => string | null,
): readonly FacetGroup[] => {
  const left = new Set(order);
  const take = (paths: readonly string[]): Pick<FacetGroup, 'open' | 'closed'> => {
    const own = paths.filter((path) => left.delete(path));
    return { open: own.filter(isOpen), closed: own.filter((path) => !isOpen(path)) };
  };
  const named = groups.map(({ name, facets }) => ({ name, object: null, ...take(facets) }));
  const others = order.filter((path) => left.has(path));
  const objects = [...new Set(others.map(objectOf))].map((object) => ({
    name: null,
    object,
    ...take(others.filter((path) => objectOf(path) === object)),
  }));
  const own = objects.find(({ object }) => object === null);
  return [
    ...named,
    ...objects.map((group) => (group === own ? { ...own, closed: [] } : group)),
    // a long list of names would hide what is below it
    ...(own === undefined ? [] : [{ ...own, open: [] }]),
  ].filter(({ open, closed }) => open.length + closed.length > 0);
};
