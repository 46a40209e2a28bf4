import { MISSING, OTHER } from '../../sqon/ast.ts';
import type { DimensionCell } from '../table/released-table.ts';

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
      return OTHER;
    case 'missing':
      return MISSING;
  }
};
