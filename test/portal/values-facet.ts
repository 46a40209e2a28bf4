import type { ValuesFacet } from '../../portal/src/api/answer.ts';
import type { CoverageState } from '../../src/search/node-states.ts';

/** A facet of these exact counts, as one institution answered it. @param docs how many records of it match */
export const valuesFacet = (
  counts: Readonly<Record<string, number>>,
  state: CoverageState = 'answered',
  unlistedUpper = 0,
  docs: number | null = null,
): ValuesFacet => ({
  kind: 'values',
  path: 'site',
  coverage: [{ nodeId: 'lyon', state, docs }],
  buckets: Object.entries(counts).map(([key, count]) => ({
    key,
    label: null,
    count,
    upper: count,
    nodes: null,
  })),
  missing: null,
  bucketCount: Object.keys(counts).length,
  isCountExact: true,
  unlistedUpper,
});
