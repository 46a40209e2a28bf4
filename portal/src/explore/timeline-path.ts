import { openFacets, type Catalogue } from '../api/catalogue.ts';
import type { PortalConfig } from '../api/config.ts';
import { isYear } from '../api/fields.ts';
import type { View } from '../state/view.ts';

type Described = Pick<Catalogue, 'facets' | 'fields' | 'nodes'>;

/**
 * The dates and numbers of the records themselves. Times that at least half of the institutions have come first, then
 * fields that most institutions have, and among these dates, years, numbers.
 */
export const timelinePaths = ({ facets, fields, nodes: all }: Described): readonly string[] => {
  const isNested = (path: string): boolean =>
    path.split('.').some((_, at, parts) => fields.get(parts.slice(0, at).join('.'))?.kind === 'nested');
  const ranked = facets.flatMap((path) => {
    const { kind, nodes } = fields.get(path) ?? { kind: 'other', nodes: null };
    if ((kind !== 'dates' && kind !== 'numbers') || isNested(path)) return [];
    const rank = kind === 'dates' ? 0 : isYear(path) ? 1 : 2;
    const holders = nodes?.length ?? all.length;
    return [{ path, rank, holders, isMain: rank < 2 && holders * 2 >= all.length }];
  });
  return ranked
    .sort(
      (one, other) =>
        Number(other.isMain) - Number(one.isMain) || other.holders - one.holders || one.rank - other.rank,
    )
    .map(({ path }) => path);
};

/** The date, or else the year, of the records themselves that most institutions have; null: none. */
export const timePath = (catalogue: Described, paths: readonly string[]): string | null =>
  timelinePaths({ ...catalogue, facets: paths }).find(
    (path) => catalogue.fields.get(path)?.kind === 'dates' || isYear(path),
  ) ?? null;

/** The field of the histogram above the table: the view's, the consortium's, or the first existing one; null: none. */
export const timelinePath = (
  { look }: Pick<PortalConfig, 'look'>,
  catalogue: Described & Pick<Catalogue, 'disclosure' | 'shownFacets'>,
  view: Pick<View, 'timeline'>,
): string | null => {
  if (catalogue.disclosure !== null) return null;
  const paths = timelinePaths(catalogue);
  const [open] = timelinePaths({ ...catalogue, facets: openFacets(catalogue) });
  return (
    [view.timeline, look.timeline, open, paths[0]].find(
      (path) => path !== undefined && paths.includes(path),
    ) ?? null
  );
};
