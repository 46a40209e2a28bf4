import type { DistinctSampleRequest, FacetResult } from '../../../src/engines/measure.ts';
import { field, leaf, terms, type Check, type Collection } from './case.ts';

const sample = (hash: 'murmur3' | 'mix64', keys: number, ...levels: readonly string[]): FacetResult => ({
  kind: 'distinct_sample',
  sample: { hash, parts: 1, keys, levels },
});

const sampled = (
  name: string,
  of: string,
  result: FacetResult,
  requested: DistinctSampleRequest = {},
  sqon = {},
): Check => ({ name, counted: of, sqon, measure: { kind: 'distinct_sample', ...requested }, result });

const nothing: FacetResult = { kind: 'distinct_sample', sample: null };

/** Samples of distinct values. Few values are all in it; test/engines/many-values.ts has many. */
export const distinctSamples: Collection = {
  name: 'samples of distinct values',
  mapping: {
    properties: {
      kind: { type: 'keyword' },
      name: { type: 'keyword' },
      count: { type: 'long' },
      size: { type: 'byte' },
      at: { type: 'date' },
      width: { type: 'double' },
      yes: { type: 'boolean' },
      parts: { type: 'nested', properties: { kind: { type: 'keyword' }, name: { type: 'keyword' } } },
    },
  },
  documents: {
    1: {
      kind: 'x',
      name: ['a', 'été'],
      count: '9223372036854775807',
      size: -1,
      at: '2020',
      width: 1,
      yes: true,
      parts: [
        { kind: 'a', name: 'Tokyo' },
        { kind: 'b', name: '東京' },
      ],
    },
    2: {
      kind: 'x',
      name: ['été', '😀', ''],
      count: [0, '-9223372036854775808'],
      size: 127,
      parts: { kind: 'b', name: 'a' },
    },
    3: { kind: 'y', name: 'five!', count: -5, size: 5 },
    4: { kind: 'z' },
  },
  checks: [
    sampled(
      'texts',
      'name',
      sample('murmur3', 5, '2/La17TL1eUurPHZ94f9gvBw', 'vcPHgsHAnIsG6pfG6Zbr1YJMvMfoq9e4zusY'),
    ),
    sampled(
      'integers of 64 bits',
      'count',
      sample(
        'mix64',
        4,
        'o520j8u587vRAQ==',
        'x/WW/teVy71S',
        '',
        '',
        '+bPVjLyZ3e4L',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        'AA==',
      ),
    ),
    sampled('small integers', 'size', sample('mix64', 3, 'xe2bouLvibop3JCR87C/nJ1S', '', 'y4L3q6yCkd0O')),
    sampled(
      'what a filter leaves',
      'name',
      sample('murmur3', 1, '', 'p9uN7Ner8o1S'),
      {},
      leaf('in', 'kind', 'y'),
    ),
    sampled('documents without values', 'name', sample('murmur3', 0), {}, leaf('in', 'kind', 'z')),
    sampled(
      'values that are shown as others',
      'name',
      sample('murmur3', 4, '2/La17TL1eUu', 'p9uN7Ner8o1SvMfoq9e4zusY', '', 'gbnvwczw0vIO'),
      {
        values: [
          ['a', 'five!'],
          ['été', 'summer'],
          ['nowhere', 'winter'],
        ],
      },
    ),
    sampled(
      'integers that are shown as texts',
      'size',
      sample('murmur3', 3, '7Yj+ptnHocfBAeijz9f90taDFA==', 'p9uN7Ner8o1S'),
      { values: [['5', 'five!']] },
    ),
    sampled(
      'nested objects',
      'parts.name',
      sample('murmur3', 3, 'haHi7rTL7YydAYLD0uCH/erIAg==', '', '', '', 'v/nSyLTmjogO'),
    ),
    {
      name: 'of nested objects those that a filter leaves',
      facet: field('parts.name', 'keyword', 'parts'),
      objects: { parts: terms(field('parts.kind', 'keyword', 'parts'), 'a') },
      measure: { kind: 'distinct_sample' },
      result: sample('murmur3', 1, '', '', '', '', 'v/nSyLTmjogO'),
    },
    {
      name: 'a field that is not there',
      facet: field('nowhere', 'keyword'),
      measure: { kind: 'distinct_sample' },
      result: sample('murmur3', 0),
    },
    ...['at', 'width', 'yes'].map((path) => sampled(`no sample of ${path}`, path, nothing)),
    {
      name: 'no sample of a text',
      failing: { facet: field('body', 'text'), measure: { kind: 'distinct_sample' } },
      code: 'BAD_USER_INPUT',
    },
  ],
};
