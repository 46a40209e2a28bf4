import { range } from './range.ts';

/** Of several bounds the greatest counts. */
export const gt = range([{ name: 'gt', of: 'greatest' }], ['>']);
