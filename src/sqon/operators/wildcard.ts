import { matchesText, wildcardFilter } from '../leaf-filter.ts';
import { malformed } from '../malformed.ts';
import type { MultiOperator } from './operator.ts';

/** A case-insensitive pattern for whole values: `*` is any run of characters, `?` any one. */
export const wildcard: MultiOperator = {
  kind: 'multi',
  aliases: ['filter'],
  introspection: {
    listedFor: ['measured', 'named', 'other'],
    listedAs: 'filter',
    applicableTo: 'all',
    valueType: 'string',
  },
  older: null,
  properties: {
    value: { type: 'string', description: '`*` is any run of characters, `?` any one.' },
  },
  parse: ({ value }, at) => {
    if (typeof value !== 'string') throw malformed(`${at}.value`, value, 'a string with * or ?');
    return { value };
  },
  finds: matchesText,
  notice: () => null,
  parts: (sqon) => [sqon],
  compilePart: wildcardFilter,
};
