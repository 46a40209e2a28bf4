import type { ReleasedTable } from '../table/released-table.ts';
import type { DimensionShape } from './formula.ts';

/** What formulas must know of a table's dimensions. */
export const shapesOf = ({ dimensions }: Pick<ReleasedTable, 'dimensions'>): DimensionShape[] =>
  dimensions.map(({ cells, isMulti }) => {
    const missing = cells.findIndex(({ kind }) => kind === 'missing');
    return { size: cells.length, isMulti, missing: missing < 0 ? null : missing };
  });
