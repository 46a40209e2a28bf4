import { field, leaf, steps, type Collection } from './case.ts';
import { records } from './flat-facets.ts';

const day = 86_400_000;

/** Histograms, ranges, stats and numbers of values on fields of the document. */
export const flatMeasures: Collection = {
  name: 'flat measures',
  ...records,
  checks: [
    {
      name: 'a histogram below and above zero',
      counted: 'size',
      sqon: {},
      measure: { kind: 'histogram', interval: 5 },
      result: steps('histogram', ['-10', 1], ['-5', 1], ['0', 1], ['5', 1], ['10', 2]),
    },
    {
      name: 'a histogram with a negative offset',
      counted: 'size',
      sqon: leaf('lt', 'width', 0.28),
      measure: { kind: 'histogram', interval: 10, offset: -2 },
      result: steps('histogram', ['-12', 1], ['-2', 1], ['8', 1]),
    },
    {
      name: 'a histogram with an offset past its interval',
      counted: 'size',
      sqon: leaf('in', 'kind', 'y'),
      measure: { kind: 'histogram', interval: 10, offset: 25 },
      result: steps('histogram', ['-5', 1], ['5', 1]),
    },
    {
      name: 'a histogram of fractions',
      counted: 'width',
      sqon: {},
      measure: { kind: 'histogram', interval: 0.25 },
      result: steps('histogram', ['-0.25', 1], ['0', 1], ['0.25', 3]),
    },
    {
      name: 'a histogram of whole numbers by fractions',
      counted: 'size',
      sqon: leaf('in', 'tag', ['B', 'c']),
      measure: { kind: 'histogram', interval: 0.5 },
      result: steps('histogram', ['-1', 1], ['-0.5', 0], ['0', 1]),
    },
    {
      name: 'a histogram of days',
      counted: 'at',
      sqon: {},
      measure: { kind: 'histogram', interval: day },
      result: steps('histogram', [String(-day), 1], ['0', 1], [String(day), 0], [String(2 * day), 1]),
    },
    {
      name: 'a histogram of nothing',
      counted: 'size',
      sqon: leaf('in', 'kind', ''),
      measure: { kind: 'histogram', interval: 1 },
      result: steps('histogram'),
    },
    {
      name: 'ranges that overlap, and one that holds nothing',
      counted: 'size',
      sqon: {},
      measure: {
        kind: 'range',
        ranges: [
          { key: 'a', from: -7, to: 10 },
          { key: 'b', from: -1, to: 11 },
          { key: 'none', from: 11, to: 12 },
          { key: 'open', to: -1 },
        ],
      },
      result: steps('range', ['a', 4], ['b', 4], ['none', 0], ['open', 1]),
    },
    {
      name: 'ranges of dates',
      counted: 'at',
      sqon: {},
      measure: {
        kind: 'range',
        ranges: [
          { key: 'before', to: 0 },
          { key: 'after', from: 0 },
        ],
      },
      result: steps('range', ['before', 1], ['after', 2]),
    },
    {
      name: 'two ranges of one name',
      counted: 'size',
      sqon: {},
      measure: {
        kind: 'range',
        ranges: [
          { key: 'r', to: 0 },
          { key: 'r', from: 9 },
        ],
      },
      result: steps('range', ['r', 2], ['r', 2]),
    },
    {
      name: 'no ranges',
      counted: 'size',
      sqon: {},
      measure: { kind: 'range', ranges: [] },
      result: steps('range'),
    },
    {
      name: 'stats of dates before the epoch',
      counted: 'at',
      sqon: leaf('in', 'tag', 'a'),
      measure: { kind: 'stats' },
      result: { kind: 'stats', count: 1, min: -day, max: -day, sum: -day, avg: -day },
    },
    {
      name: 'distinct dates',
      counted: 'at',
      sqon: leaf('in', 'kind', 'y'),
      measure: { kind: 'cardinality' },
      result: { kind: 'cardinality', value: 2, exact: true },
    },
    {
      name: 'distinct values of nothing',
      counted: 'tag',
      sqon: leaf('in', 'kind', ''),
      measure: { kind: 'cardinality' },
      result: { kind: 'cardinality', value: 0, exact: true },
    },
    {
      name: 'distinct values of a field that is not there',
      facet: field('nowhere', 'long'),
      measure: { kind: 'cardinality' },
      result: { kind: 'cardinality', value: 0, exact: true },
    },
    {
      name: 'stats of a field that is not there',
      facet: field('nowhere', 'long'),
      measure: { kind: 'stats' },
      result: { kind: 'stats', count: 0, min: null, max: null, sum: null, avg: null },
    },
    {
      name: 'a negative interval',
      failing: { facet: field('size', 'integer'), measure: { kind: 'histogram', interval: -1 } },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'a histogram of keywords',
      failing: { facet: field('kind', 'keyword'), measure: { kind: 'histogram', interval: 1 } },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'ranges of booleans',
      failing: { facet: field('ok', 'boolean'), measure: { kind: 'range', ranges: [{ key: 'r', from: 0 }] } },
      code: 'BAD_USER_INPUT',
    },
  ],
};
