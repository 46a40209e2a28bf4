import { kindOf } from '../../introspection/fields/field.ts';
import type { HitsQuery, SortKey } from '../engine.ts';
import type { CostBreakdown } from '../cost-breakdown.ts';
import type { IndexEstimates } from './index-estimates.ts';
import { prices } from './prices.ts';

/** Adds the cost of a page of hits, without its filter. */
export const hitsCost = (hits: HitsQuery, figures: IndexEstimates, bill: CostBreakdown): void => {
  const size = Math.min(hits.size, figures.documents);
  bill.add('hits', size, size * hitPrice(hits, figures));
  if (hits.size + hits.offset === 0) return;
  const [first, ...others] = hits.sort;
  if (first !== undefined) bill.add('sort keys', 1, firstKeyCost(first, figures));
  for (const key of others)
    bill.add('sort keys', 1, firstKeyCost(key, figures) + figures.documents * prices.furtherRank);
};

const hitPrice = ({ source, sort }: HitsQuery, figures: IndexEstimates): number => {
  const read = source?.length === 0 ? 0 : figures.documentBytes * prices.readByte;
  return (
    prices.hit + read + (source?.length ?? 0) * prices.pickedField + (sort.length + 1) * prices.cursorValue
  );
};

const firstKeyCost = ({ field }: SortKey, figures: IndexEstimates): number => {
  const kind = kindOf(field.type);
  const isNestedNumber = field.nestedIn.length > 0 && (kind === 'number' || kind === 'date');
  const values = Math.max(figures.values(field), figures.documents);
  return values * (isNestedNumber ? prices.rankedNestedNumber : prices.rankedValue);
};
