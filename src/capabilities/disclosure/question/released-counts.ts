import type { CatalogueConfig, ReleasedDimension } from '../../../introspection/fields/catalogue-config.ts';
import { withHierarchies, type Fields } from '../../../introspection/fields/field.ts';
import { boundsOver } from '../bounds/bounds.ts';
import { estimateOver } from '../bounds/estimate.ts';
import { formulasOver, shapesOf } from '../bounds/formula.ts';
import type { Release, Stratum } from '../release/release.ts';
import { intersection, sumOf, type Interval } from '../table/interval.ts';
import type { UnitFormulas, Translation } from './filter-question.ts';

/** A count for display. */
export interface ReleasedCount extends Interval {
  /** Arithmetic on the release, not a count. */
  readonly estimate: number;
}

/** The counts of one stratum. */
export interface ReleasedCounts {
  readonly translation: Translation;
  readonly count: (formulas: UnitFormulas) => ReleasedCount;
}

/** The counts that a stratum's release can give. @param fields the catalogue's fields, for translating filters */
export const releasedCounts = ({ table }: Stratum, fields: Fields): ReleasedCounts => {
  const formulas = formulasOver(shapesOf(table));
  const bounds = boundsOver(table);
  const estimate = estimateOver(table);
  return {
    translation: { dimensions: table.dimensions, fields, formulas },
    count: ({ surely, maybe }) => {
      const upper = bounds(maybe);
      if (surely.key === maybe.key) return { ...upper, estimate: estimate(maybe, upper) };
      const lower = bounds(surely);
      const found = intersection({ lower: lower.lower, upper: Infinity }, { lower: 0, upper: upper.upper });
      const middle = (estimate(surely, lower) + estimate(maybe, upper)) / 2;
      return {
        ...found,
        estimate: Math.round(Math.min(found.upper, Math.max(found.lower, middle))),
      };
    },
  };
};

/** Sum over several strata. */
export const together = (counts: readonly ReleasedCount[]): ReleasedCount => ({
  ...sumOf(counts),
  estimate: counts.reduce((sum, { estimate }) => sum + estimate, 0),
});

/** The released fields by their path, with their hierarchies. */
export const fieldsOf = (
  { fields }: Release,
  { fieldHierarchies = new Map() }: Pick<CatalogueConfig, 'fieldHierarchies'>,
): Fields => withHierarchies(new Map(fields.map((field) => [field.path, field])), fieldHierarchies).fields;

/** The dimensions of a release's counts. Edges are declared, so all strata share them. */
export const releasedDimensions = ({ strata }: Release): readonly ReleasedDimension[] =>
  (strata[0]?.table.dimensions ?? []).map(({ fieldName, cells }) => {
    const edges = cells.flatMap((cell) => (cell.kind === 'range' && cell.from !== null ? [cell.from] : []));
    return { fieldName, ...(edges.length > 0 && { edges }) };
  });
