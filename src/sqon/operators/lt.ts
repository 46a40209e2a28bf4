import { range } from './range.ts';

/** Of several bounds the least counts. */
export const lt = range([{ name: 'lt', of: 'least' }], ['<']);
