import type { LocalText } from '../../api/config.ts';

/** Facets under a heading of the consortium; null: those that stand under none. */
export interface FacetGroup {
  readonly name: LocalText | null;
  /** With their numbers. */
  readonly open: readonly string[];
  /** By name only. */
  readonly closed: readonly string[];
}

/**
 * Facets by groups, the others last; each facet once, in the first group that names it.
 * @param order all facets that are there, those with numbers in the order of these
 */
export const facetGroups = (
  groups: readonly { readonly name: LocalText; readonly facets: readonly string[] }[],
  order: readonly string[],
  isOpen: (path: string) => boolean,
): readonly FacetGroup[] => {
  const left = new Set(order);
  const take = (name: LocalText | null, paths: readonly string[]): FacetGroup => {
    const own = paths.filter((path) => left.delete(path));
    return { name, open: own.filter(isOpen), closed: own.filter((path) => !isOpen(path)) };
  };
  return [...groups.map(({ name, facets }) => take(name, facets)), take(null, order)].filter(
    ({ open, closed }) => open.length + closed.length > 0,
  );
};
