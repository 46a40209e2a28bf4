import { isIntegerType, kindOf } from '../../../introspection/fields/field.ts';
import type { SortKey } from '../../engine.ts';
import { assertSortKey } from '../../semantics/field-uses.ts';
import { neverStopped, type Checkpoint } from '../columns/checkpoint.ts';
import type { Columns } from '../columns/columns.ts';
import { keywordOrder } from './keyword-order.ts';
import { numberOrder } from './number-order.ts';
import type { Order, OrderRoom } from './order.ts';

/**
 * Binds a sort key to the documents it orders; a field without a column is missing everywhere.
 * @param room reused for the order's arrays, which are then only valid until it is used again
 * @throws TributaryError BAD_USER_INPUT for text fields, and modes that need a number or a date
 */
export const bindSortKey = (
  columns: Columns,
  key: SortKey,
  ids: Uint32Array,
  checkpoint: Checkpoint = neverStopped,
  room?: OrderRoom,
): Order => {
  const column = columns.column(key.field.path);
  const kind = column?.fieldKind ?? kindOf(key.field.type);
  const numeric = kind === 'number' || kind === 'date';
  assertSortKey(key.field, kind, key.mode);
  if (!numeric) return keywordOrder(columns, column, key, ids, checkpoint, room);
  const whole = kind === 'date' || isIntegerType(column?.type ?? key.field.type);
  return numberOrder(columns, column, key, whole, ids, checkpoint, room);
};
