import { MISSING } from '../../sqon/ast.ts';
import type { DimensionCell } from '../table/released-table.ts';

/** The key of the values that the release counts together because they are not listed. */
const otherKey = '__other__';

/** A cell in words: a value as text, a pattern, `from-to` with `*` for an open end. */
export const cellLabel = (cell: DimensionCell): string => {
  switch (cell.kind) {
    case 'value':
      return String(cell.value);
    case 'pattern':
      return cell.pattern;
    case 'range':
      return `${cell.from ?? '*'}-${cell.to ?? '*'}`;
    case 'other':
      return otherKey;
    case 'missing':
      return MISSING;
  }
};
