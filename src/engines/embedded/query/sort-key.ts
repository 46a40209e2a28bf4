import { TributaryError } from '../../../errors.ts';
import { isIntegerType, kindOf } from '../../../introspection/fields/field.ts';
import type { SortKey, SortMode } from '../../engine.ts';
import { neverStopped, type Checkpoint } from '../columns/checkpoint.ts';
import type { Columns } from '../columns/columns.ts';
import { keywordOrder } from './keyword-order.ts';
import { numberOrder } from './number-order.ts';
import type { Order } from './order.ts';

/**
 * Binds a sort key to the documents it orders; a field without a column is missing everywhere.
 * @throws TributaryError BAD_USER_INPUT for text fields, and sums of non-numeric fields
 */
export const bindSortKey = (
  columns: Columns,
  key: SortKey,
  ids: Uint32Array,
  checkpoint: Checkpoint = neverStopped,
): Order => {
  const column = columns.column(key.field.path);
  const kind = column?.fieldKind ?? kindOf(key.field.type);
  const numeric = kind === 'number' || kind === 'date';
  if (kind === 'text') {
    throw new TributaryError(
      'BAD_USER_INPUT',
      `field ${key.field.path} is of type text, which cannot be sorted by`,
    );
  }
  if (!numeric && arithmeticModes.has(key.mode)) {
    throw new TributaryError(
      'BAD_USER_INPUT',
      `sort mode ${key.mode} needs numbers, field ${key.field.path} is of type ${key.field.type}; min and max work`,
    );
  }
  if (!numeric) return keywordOrder(columns, column, key, ids, checkpoint);
  const whole = kind === 'date' || isIntegerType(column?.type ?? key.field.type);
  return numberOrder(columns, column, key, whole, ids, checkpoint);
};

const arithmeticModes: ReadonlySet<SortMode> = new Set(['avg', 'sum', 'median']);
