import { allTerms, buckets, group, leaf, type Collection } from './case.ts';

const everyone = ['1', '2', '3', '4', '5'];
const red = leaf('in', 'color', 'red');
const blue = leaf('in', 'color', 'blue');
const small = leaf('lt', 'size', 10);
const round = leaf('in', 'shape', 'round');

/** Groups of conditions: empty ones, groups in groups, and what is malformed. */
export const groups: Collection = {
  name: 'groups',
  mapping: {
    properties: {
      color: { type: 'keyword' },
      size: { type: 'integer' },
      shape: { type: 'keyword' },
      box: { properties: { label: { type: 'keyword' } } },
      raw: { type: 'object', enabled: false },
      parts: { type: 'nested', properties: { k: { type: 'keyword' } } },
    },
  },
  documents: {
    1: { color: 'red', size: 5, shape: 'round', raw: { any: 'thing' } },
    2: { color: ['red', 'blue'], size: 50, shape: 'square', box: { label: 'L' } },
    3: { color: 'blue', size: [5, 50], box: {} },
    4: { color: 'green', shape: ['round', 'square'], box: [{ label: null }, { label: 'M' }] },
    5: { size: 1 },
  },
  checks: [
    { name: 'null', sqon: null, ids: everyone },
    { name: 'an empty object', sqon: {}, ids: everyone },
    { name: 'an empty and', sqon: group('and', []), ids: everyone },
    { name: 'an empty or', sqon: group('or', []), ids: everyone },
    { name: 'an empty not', sqon: group('not', []), ids: everyone },
    { name: 'not of an empty and: not everything', sqon: group('not', [group('and', [])]), ids: [] },
    { name: 'an or with an empty group', sqon: group('or', [red, group('and', [])]), ids: everyone },
    { name: 'an and with an empty or', sqon: group('and', [red, group('or', [])]), ids: ['1', '2'] },
    { name: 'a leaf alone', sqon: red, ids: ['1', '2'] },
    { name: 'and', sqon: group('and', [red, small]), ids: ['1'] },
    { name: 'or', sqon: group('or', [red, small]), ids: ['1', '2', '3', '5'] },
    { name: 'not', sqon: group('not', [red]), ids: ['3', '4', '5'] },
    { name: 'not of two: none of them', sqon: group('not', [red, small]), ids: ['4'] },
    { name: 'not of an and', sqon: group('not', [group('and', [red, blue])]), ids: ['1', '3', '4', '5'] },
    { name: 'not of an or', sqon: group('not', [group('or', [red, blue])]), ids: ['4', '5'] },
    { name: 'not of a not', sqon: group('not', [group('not', [red])]), ids: ['1', '2'] },
    { name: 'not not-in', sqon: group('not', [leaf('not-in', 'color', 'red')]), ids: ['1', '2'] },
    {
      name: 'and of ors',
      sqon: group('and', [group('or', [red, blue]), group('or', [small, round])]),
      ids: ['1', '3'],
    },
    {
      name: 'or of ands',
      sqon: group('or', [group('and', [red, round]), group('and', [blue, small])]),
      ids: ['1', '3'],
    },
    { name: 'and within and', sqon: group('and', [group('and', [group('and', [red]), blue])]), ids: ['2'] },
    { name: 'values of one field in two conditions', sqon: group('and', [red, blue]), ids: ['2'] },
    {
      name: 'ranges in two conditions may be met by two values',
      sqon: group('and', [small, leaf('gt', 'size', 10)]),
      ids: ['3'],
    },
    {
      name: 'missing in one, a value in another',
      sqon: group('and', [leaf('in', 'shape', '__missing__'), small]),
      ids: ['3', '5'],
    },
    {
      name: 'an unknown field in an or',
      sqon: group('or', [leaf('in', 'nothing', 'x'), red]),
      ids: ['1', '2'],
    },
    { name: 'an unknown field in a not', sqon: group('not', [leaf('in', 'nothing', 'x')]), ids: everyone },
    { name: 'a pivot of a point is none', sqon: group('and', [red, small], '.'), ids: ['1'] },
    { name: 'a pivot of null is none', sqon: group('or', [round, blue], null), ids: ['1', '2', '3', '4'] },
    {
      name: 'further keys are passed over',
      sqon: { ...red, id: 7, content: { ...(red['content'] as object), more: [] } },
      ids: ['1', '2'],
    },
    { name: 'another spelling: =', sqon: leaf('=', 'color', 'red'), ids: ['1', '2'] },
    { name: 'another spelling: !=', sqon: leaf('!=', 'color', 'red'), ids: ['3', '4', '5'] },
    { name: 'another spelling: >=', sqon: leaf('>=', 'size', 50), ids: ['2', '3'] },
    {
      name: 'another spelling: filter',
      sqon: { op: 'filter', content: { fieldNames: ['color', 'shape'], value: 'R*' } },
      ids: ['1', '2', '4'],
    },
    {
      name: 'an object is there when something in it is',
      sqon: leaf('not-in', 'box', '__missing__'),
      ids: ['2', '4'],
    },
    {
      name: 'an object without values is missing',
      sqon: leaf('in', 'box', '__missing__'),
      ids: ['1', '3', '5'],
    },
    { name: 'an object has no values of its own', sqon: leaf('in', 'box', 'L'), ids: [] },
    {
      name: 'an object without indexed parts is missing',
      sqon: leaf('in', 'raw', '__missing__'),
      ids: everyone,
    },
    {
      name: 'an object without indexed parts is never there',
      sqon: leaf('not-in', 'raw', ['__missing__']),
      ids: [],
    },
    {
      name: 'an object without indexed parts: its facet counts all',
      counted: 'raw',
      sqon: {},
      measure: allTerms,
      result: buckets(5),
    },
    { name: 'a field of an object', sqon: leaf('in', 'box.label', ['L', 'M']), ids: ['2', '4'] },
    {
      name: 'an operator that is none',
      sqon: leaf('like', 'color', 'red'),
      code: 'BAD_USER_INPUT',
      naming: ['$.op', '"like"'],
    },
    { name: 'no operator', sqon: { content: [] }, code: 'BAD_USER_INPUT', naming: ['$.op'] },
    { name: 'a group without content', sqon: { op: 'and' }, code: 'BAD_USER_INPUT', naming: ['$.content'] },
    {
      name: 'a group in a group without content',
      sqon: group('and', [red, { op: 'or', content: {} }]),
      code: 'BAD_USER_INPUT',
      naming: ['$.content[1].content'],
    },
    { name: 'null in a group', sqon: group('not', [null]), code: 'BAD_USER_INPUT', naming: ['$.content[0]'] },
    {
      name: 'a leaf without a field',
      sqon: { op: 'in', content: { value: ['x'] } },
      code: 'BAD_USER_INPUT',
      naming: ['$.content.fieldName'],
    },
    {
      name: 'a leaf without a value',
      sqon: { op: 'in', content: { fieldName: 'color' } },
      code: 'BAD_USER_INPUT',
      naming: ['$.content.value'],
    },
    { name: 'a list', sqon: [red], code: 'BAD_USER_INPUT', naming: ['a list of 1'] },
    { name: 'a text', sqon: '{}', code: 'BAD_USER_INPUT', naming: ['$'] },
    {
      name: 'a pivot that is not a nested path',
      sqon: group('and', [red], 'box'),
      code: 'BAD_USER_INPUT',
      naming: ['$.pivot', '"box"', 'parts'],
    },
    {
      name: 'a pivot that is a number',
      sqon: { ...group('and', [red]), pivot: 1 },
      code: 'BAD_USER_INPUT',
      naming: ['$.pivot'],
    },
    {
      name: 'an empty group with a pivot that is none',
      sqon: group('and', [], 'nope'),
      code: 'BAD_USER_INPUT',
      naming: ['$.pivot', '"nope"'],
    },
    {
      name: 'an empty group in a group with a pivot that is none',
      sqon: group('or', [red, group('not', [], 'nope')]),
      code: 'BAD_USER_INPUT',
      naming: ['$.content[1].pivot'],
    },
    { name: 'an empty group with a pivot', sqon: group('or', [], 'parts'), ids: everyone },
  ],
};
