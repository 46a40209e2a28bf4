import type { Facet, Overview } from '../api/answer.ts';
import { openFacets, type Catalogue } from '../api/catalogue.ts';
import type { PortalConfig } from '../api/config.ts';
import { isIdentifier } from '../api/fields.ts';
import type { FacetSizes, Question } from '../api/questions.ts';
import type { View } from '../state/view.ts';
import { timePath } from '../explore/timeline-path.ts';

/** A choice, not a catalogue: Explore has the others. */
export const chartsShown = 3;
/** The number of facets considered for the charts. */
const candidates = 14;

/** The start page queries all institutions without a filter. */
export const everything: Question = { filter: null, nodes: null };

/** How many values each chart has, and which levels of hierarchies. */
export const chartSizes = ({ levels = {} }: View): FacetSizes => ({ asUsual: 6, levels });

/** The facets that the start page queries: the consortium's choice, or those among which the charts are chosen. */
export const startPaths = ({ look }: PortalConfig, catalogue: Catalogue): readonly string[] => {
  if (look.charts !== undefined)
    return look.charts.filter((path) => catalogue.fields.has(path)).slice(0, chartsShown);
  const hidden = new Set(look.hiddenFacets);
  const paths = openFacets(catalogue).filter(
    (path) => !isIdentifier(path) && !isTitle(path) && !hidden.has(path),
  );
  const time = timePath(catalogue, paths);
  return [...new Set([...paths.slice(0, candidates), ...(time === null ? [] : [time])])];
};

/** Names and texts differ in nearly every record. */
const isTitle = (path: string): boolean =>
  /(^|[._])(title|label|text|description|notes?|comment|remark|caption)$/i.test(path) ||
  /[a-z](Title|Label|Text|Description)$/.test(path);

/**
 * The consortium's charts in their order; else the time, a histogram and the most informative lists of values: those whose
 * few values divide many records, by the Shannon entropy of what is drawn times its share of all records.
 * @param paths the queried paths
 */
export const chooseCharts = (
  { look }: PortalConfig,
  catalogue: Catalogue,
  { total, facets }: Pick<Overview, 'total' | 'facets'>,
  paths: readonly string[],
): readonly string[] => {
  const time = timePath(catalogue, paths);
  if (look.charts !== undefined) return paths;
  const others = paths.filter((path) => path !== time);
  const first = time === null || isEmpty(facets.get(time)) ? [] : [time];
  const isMeasured = (path: string): boolean =>
    ['numbers', 'dates'].includes(catalogue.fields.get(path)?.kind ?? '');
  const histograms = others
    .filter((path) => isMeasured(path) && !isEmpty(facets.get(path)))
    .slice(0, histogramsShown);
  const tellings = new Map(
    others.filter((path) => !isMeasured(path)).map((path) => [path, tellingOf(facets.get(path), total ?? 0)]),
  );
  const best = [...tellings.keys()]
    .filter((path) => tellings.get(path)! > leastTelling)
    .sort((one, other) => tellings.get(other)! - tellings.get(one)!)
    .slice(0, chartsShown - histograms.length - first.length);
  // in the owners' order, which users know from the facets
  return [...first, ...others.filter((path) => best.includes(path) || histograms.includes(path))];
};

/** Histograms besides the time: the first in the owners' order, even if their intervals are still awaited. */
const histogramsShown = 1;

const isEmpty = (facet: Facet | undefined): boolean =>
  facet !== undefined && countsOf(facet).every((one) => one === 0);

const leastTelling = 0.02;

const tellingOf = (facet: Facet | undefined, total: number): number => {
  if (facet === undefined || total === 0) return 0;
  const shares = countsOf(facet).map((count) => Math.min(1, count / total));
  return (
    Math.min(
      1,
      shares.reduce((sum, share) => sum + share, 0),
    ) * entropy(shares)
  );
};

const countsOf = (facet: Facet): readonly number[] =>
  (facet.kind === 'values' ? facet.buckets : facet.bins).map(({ count }) => count);

const entropy = (shares: readonly number[]): number =>
  shares.reduce((sum, share) => sum - (share > 0 ? share * Math.log(share) : 0), 0);
