import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { questionOf } from '../explore/view-question.ts';
import { withRange, withValues } from '../state/edit.ts';
import type { View } from '../state/view.ts';
import type { Facet } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import { countsQuery } from './counts.ts';
import { rangeEndsOf } from './fields.ts';
import type { Filter } from './filter.ts';
import { counterOf, ofRecords, ownUnit, uncounted, withCounts, type Unit } from './units.ts';

/** A facet, and what its numbers count. */
interface InUnit {
  readonly facet: Facet;
  readonly unit: Unit;
  /** Its numbers are not those of the view yet. */
  readonly isAwaited: boolean;
}

/**
 * A facet's numbers in the unit that the view wants: each value or interval is counted by its own filter, and the former
 * numbers stay with their unit until then.
 */
export const useInUnit = (catalogue: Catalogue, facet: Facet, view: View): InUnit => {
  const field = catalogue.fields.get(facet.path)!;
  const own = ownUnit(field, catalogue);
  const unit = view.units?.[facet.path] ?? own;
  const counter = unit === ofRecords ? null : counterOf(unit, field, catalogue);
  const isOwn = unit === own || (unit !== ofRecords && counter === null);
  const filters = useMemo(() => (isOwn ? [] : partsOf(facet, view, catalogue)), [isOwn, facet, catalogue]);
  const nodes = view.nodes ?? null;
  const { data: counts } = useQuery(countsQuery(catalogue, filters, nodes, { counter }));
  const { data: gaps } = useQuery(
    countsQuery(catalogue, isOwn || counter === null ? [] : [uncounted(counter)], nodes),
  );
  const isIn = filters.length === 0 || (counts !== undefined && (counter === null || gaps !== undefined));
  const now = useMemo((): InUnit | null => {
    if (isOwn) return { facet, unit: own, isAwaited: false };
    if (!isIn) return null;
    // objects without the counting number are in none of these counts
    const isWhole = counter === null || gaps?.[0]?.upper === 0;
    const known = (counts ?? []).map((each) => each && (isWhole ? each : { ...each, upper: Infinity }));
    return { facet: withCounts(facet, known), unit, isAwaited: false };
  }, [facet, own, unit, isOwn, isIn, counts, gaps, counter]);
  const [shown, setShown] = useState<InUnit>(now ?? { facet, unit: own, isAwaited: true });
  if (now !== null && now !== shown) setShown(now);
  return now ?? { ...shown, isAwaited: true };
};

/** The filter of each value or interval: of what adding it to the view would find. */
const partsOf = (facet: Facet, view: View, catalogue: Catalogue): readonly Filter[] => {
  const { path } = facet;
  const field = catalogue.fields.get(path)!;
  const filterIn = (one: View): Filter | null => questionOf(one, catalogue).filter;
  const partIn = (change: (before: View) => View): Filter => {
    const before = filterIn(view);
    return view.join === 'or' && before !== null
      ? { op: 'and', content: [before, filterIn(change({}))!] }
      : filterIn(change(view))!;
  };
  return facet.kind === 'values'
    ? facet.buckets.map(({ key }) => partIn((before) => withValues(before, path, [key])))
    : facet.bins.map(({ from, to }) =>
        partIn((before) => withRange(before, path, ...rangeEndsOf(field, from, to))),
      );
};
