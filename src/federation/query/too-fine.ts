import { histogramTooFine, maxHistogramBuckets } from '../../engines/semantics/bucket-key.ts';
import { calendarBetween, datesTooFar } from '../../engines/semantics/calendar.ts';
import { requiredZone } from '../../engines/semantics/time-zone.ts';
import { badUserInput, type TributaryError } from '../../errors/errors.ts';
import type { Fields } from '../../introspection/fields/field.ts';
import type { FacetAnswer, FailedFacet } from '../../search/nodes-answer.ts';
import type { NetworkFacet, NodesQuery } from './network-query.ts';
import type { NodeResult } from './node-result.ts';

/** Asks the nodes for facets, merged, as the query that they refused. */
type AskFacets = (facets: readonly NetworkFacet[]) => Promise<readonly (FacetAnswer | FailedFacet)[]>;

/**
 * The error for a query with a histogram that has too many buckets at some node: merging with others does not reduce
 * them. The interval that it names fits the values of all nodes, whose extremes are asked for; where they cannot be
 * known, it is what that node named.
 * @returns null if no node refused for this reason
 */
export const tooFineHistogram = async (
  query: NodesQuery,
  answers: readonly NodeResult[],
  fields: Fields,
  ask: AskFacets,
): Promise<TributaryError | null> => {
  const refused = answers.find(({ smallestInterval }) => smallestInterval !== undefined);
  if (refused === undefined) return null;
  const histograms = query.facets.filter(
    ({ measure: { kind } }) => kind === 'histogram' || kind === 'date_histogram',
  );
  const extents = await ask(histograms.map(({ path }) => ({ path, measure: { kind: 'stats' } }))).catch(
    // the nodes' own refusal is as true
    () => [],
  );
  for (const [index, facet] of histograms.entries()) {
    const error = tooFineOver(facet, fields.get(facet.path)!.type, extents[index]);
    if (error) return error;
  }
  const { nodeId } = refused.plan.node.config;
  return badUserInput(`node "${nodeId}" ${refused.reason}`, {
    details: { smallestInterval: refused.smallestInterval },
  });
};

const tooFineOver = (
  { path, measure }: NetworkFacet,
  type: string,
  extent: FacetAnswer | FailedFacet | undefined,
): TributaryError | null => {
  if (extent?.kind !== 'stats' || extent.min === null || extent.max === null) return null;
  const [min, max] = [Number(extent.min), Number(extent.max)];
  if (measure.kind === 'histogram') {
    const size = Math.floor(max / measure.interval) - Math.floor(min / measure.interval) + 1;
    return size <= maxHistogramBuckets ? null : histogramTooFine(path, type, max - min);
  }
  if (measure.kind !== 'date_histogram') return null;
  const calendar = calendarBetween(min, max, measure.interval, requiredZone(measure.timeZone));
  return calendar === null ? datesTooFar(path, min, max) : null;
};
