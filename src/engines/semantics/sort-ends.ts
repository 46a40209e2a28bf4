import type { SortKey } from '../engine.ts';

/** The ends of the 64-bit range, as digits: what missing whole numbers and dates sort as. */
export const minLong = '-9223372036854775808';
export const maxLong = '9223372036854775807';
export const maxUnsignedLong = '18446744073709551615';

/** Whether what is missing sorts above every value, as far as the values' own order goes. */
export const isHighEnd = ({ missing: end, order }: Pick<SortKey, 'missing' | 'order'>): boolean =>
  (end === 'last') === (order === 'asc');
