import { leaf, search, type Collection } from './case.ts';

const withValue = ['yes', 'both', 'word', 'no', 'blank', 'mixed'];
const without = ['none', 'empty', 'nil'];

/** Every operator on booleans: false and the empty string are values. */
export const booleanValues: Collection = {
  name: 'boolean values',
  mapping: { properties: { v: { type: 'boolean' }, n: { type: 'integer' } } },
  documents: {
    yes: { v: true, n: 1 },
    both: { v: [true, false], n: 2 },
    word: { v: 'true', n: 3 },
    no: { v: false, n: 4 },
    blank: { v: '', n: 5 },
    mixed: { v: [null, true, true], n: 6 },
    none: {},
    empty: { v: [] },
    nil: { v: null },
  },
  checks: [
    { name: 'in: true', sqon: leaf('in', 'v', true), ids: ['yes', 'both', 'word', 'mixed'] },
    { name: 'in: its word', sqon: leaf('in', 'v', ['true']), ids: ['yes', 'both', 'word', 'mixed'] },
    { name: 'in: one is true', sqon: leaf('in', 'v', 1), ids: ['yes', 'both', 'word', 'mixed'] },
    { name: 'in: false', sqon: leaf('in', 'v', false), ids: ['both', 'no', 'blank'] },
    { name: 'in: zero is false', sqon: leaf('in', 'v', ['0']), ids: ['both', 'no', 'blank'] },
    { name: 'in: either', sqon: leaf('in', 'v', [true, false]), ids: withValue },
    { name: 'not-in: true', sqon: leaf('not-in', 'v', true), ids: ['no', 'blank', ...without] },
    { name: 'not-in: false', sqon: leaf('not-in', 'v', 'false'), ids: ['yes', 'word', 'mixed', ...without] },
    { name: 'some-not-in: either', sqon: leaf('some-not-in', 'v', [true, false]), ids: without },
    { name: 'all: both', sqon: leaf('all', 'v', [false, true]), ids: ['both'] },
    { name: 'missing', sqon: leaf('in', 'v', '__missing__'), ids: without },
    { name: 'not missing', sqon: leaf('not-in', 'v', '__missing__'), ids: withValue },
    {
      name: 'missing or false',
      sqon: leaf('in', 'v', [false, '__missing__']),
      ids: ['both', 'no', 'blank', ...without],
    },
    { name: 'a star', sqon: leaf('in', 'v', '*'), ids: withValue },
    { name: 'a pattern', sqon: leaf('in', 'v', 't*'), ids: ['yes', 'both', 'word', 'mixed'] },
    { name: 'a search', sqon: search(['v'], 'FAL??'), ids: ['both', 'no', 'blank'] },
    {
      name: 'a facet: keys are digits, words beside them',
      counted: 'v',
      sqon: leaf('gt', 'n', 1),
      measure: { kind: 'terms', size: null },
      result: {
        kind: 'terms',
        buckets: [
          { key: '0', keyAsString: 'false', count: 3 },
          { key: '1', keyAsString: 'true', count: 3 },
        ],
        distinct: 2,
        missing: 0,
      },
    },
    {
      name: 'a facet of one bucket',
      counted: 'v',
      sqon: leaf('in', 'n', [1, 3, 6]),
      measure: { kind: 'terms', size: 5 },
      result: {
        kind: 'terms',
        buckets: [{ key: '1', keyAsString: 'true', count: 3 }],
        distinct: 1,
        missing: 0,
      },
    },
    {
      name: 'distinct booleans',
      counted: 'v',
      sqon: {},
      measure: { kind: 'cardinality' },
      result: { kind: 'cardinality', value: 2, exact: true },
    },
    {
      name: 'another word',
      sqon: leaf('in', 'v', 'yes'),
      code: 'BAD_USER_INPUT',
      naming: ['yes', 'boolean'],
    },
    {
      name: 'lt is refused',
      sqon: leaf('lt', 'v', true),
      code: 'BAD_USER_INPUT',
      naming: ['$.op', 'boolean'],
    },
    {
      name: 'stats are refused',
      failing: { facet: { path: 'v', type: 'boolean', nestedIn: [] }, measure: { kind: 'stats' } },
      code: 'BAD_USER_INPUT',
    },
  ],
};
