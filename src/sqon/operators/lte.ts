import { range } from './range.ts';

/** Of several bounds the least counts. */
export const lte = range([{ name: 'lte', of: 'least' }], ['<=']);
