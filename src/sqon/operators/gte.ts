import { range } from './range.ts';

/** Of several bounds the greatest counts. */
export const gte = range([{ name: 'gte', of: 'greatest' }], ['>=']);
