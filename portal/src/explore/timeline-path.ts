import type { Catalogue } from '../api/catalogue.ts';
import type { PortalConfig } from '../api/config.ts';
import { isYear } from '../api/fields.ts';
import type { View } from '../state/view.ts';

type Described = Pick<Catalogue, 'facets' | 'fields'>;

/** The dates and numbers of the records themselves: those of most institutions first, and of these dates, years, numbers. */
export const timelinePaths = ({ facets, fields }: Described): readonly string[] => {
  const isNested = (path: string): boolean =>
    path.split('.').some((_, at, parts) => fields.get(parts.slice(0, at).join('.'))?.kind === 'nested');
  const ranked = facets.flatMap((path) => {
    const { kind, nodes } = fields.get(path) ?? { kind: 'other', nodes: null };
    if ((kind !== 'dates' && kind !== 'numbers') || isNested(path)) return [];
    return [{ path, rank: kind === 'dates' ? 0 : isYear(path) ? 1 : 2, nodes: nodes?.length ?? 1 }];
  });
  return ranked
    .sort((one, other) => other.nodes - one.nodes || one.rank - other.rank)
    .map(({ path }) => path);
};

/** The field of the histogram above the table: the view's, the consortium's, or the first that there is; null: none. */
export const timelinePath = (
  { look }: Pick<PortalConfig, 'look'>,
  catalogue: Described & Pick<Catalogue, 'disclosure'>,
  view: Pick<View, 'timeline'>,
): string | null => {
  const paths = timelinePaths(catalogue);
  if (view.timeline === '' || catalogue.disclosure !== null) return null;
  return (
    [view.timeline, look.timeline, paths[0]].find((path) => path !== undefined && paths.includes(path)) ??
    null
  );
};
