import { range } from './range.ts';

/** Of several bounds the greatest applies. */
export const gte = range([{ name: 'gte', of: 'greatest' }], ['>=']);
