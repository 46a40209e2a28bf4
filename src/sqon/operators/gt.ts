import { range } from './range.ts';

/** Of several bounds the greatest applies. */
export const gt = range([{ name: 'gt', of: 'greatest' }], ['>']);
