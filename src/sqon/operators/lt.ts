import { range } from './range.ts';

/** Of several bounds the least applies. */
export const lt = range([{ name: 'lt', of: 'least' }], ['<']);
