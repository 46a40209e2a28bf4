import { range } from './range.ts';

/** Of several bounds the least applies. */
export const lte = range([{ name: 'lte', of: 'least' }], ['<=']);
