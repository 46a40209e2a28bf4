import type { LogCount, LogCountsResult } from '../../../src/engines/measure.ts';
import { field, leaf, terms, type Check, type Collection } from './case.ts';

const counts = (
  zero: number,
  positive: readonly LogCount[],
  negative: readonly LogCount[] = [],
  level = 0,
): LogCountsResult => ({ kind: 'percentiles', level, zero, positive, negative });

const counted = (name: string, of: string, result: LogCountsResult, sqon = {}): Check => ({
  name,
  counted: of,
  sqon,
  measure: { kind: 'percentiles' },
  result,
});

/** A power of gamma: the nearest half_float and the nearest float lie below it. */
const power = 1.0202 ** 3;

/** Values by powers of 1.0202, which percentiles are read from. */
export const logCounts: Collection = {
  name: 'values by powers',
  mapping: {
    properties: {
      kind: { type: 'keyword' },
      size: { type: 'integer' },
      level: { type: 'byte' },
      count: { type: 'long' },
      width: { type: 'double' },
      rate: { type: 'float' },
      share: { type: 'half_float' },
      wide: { type: 'double' },
      at: { type: 'date' },
      parts: { type: 'nested', properties: { kind: { type: 'keyword' }, weight: { type: 'double' } } },
    },
  },
  documents: {
    1: {
      kind: 'x',
      size: 1,
      level: 127,
      count: '9007199254740993',
      width: 0.5,
      rate: power,
      share: power,
      wide: [1e-300, 1e-200, 1e-100],
      at: '1970-01-02',
      parts: [
        { kind: 'a', weight: 1 },
        { kind: 'b', weight: [1, 1.01] },
      ],
    },
    2: {
      kind: 'x',
      size: -1,
      level: -128,
      count: '9223372036854775807',
      width: 1.0202,
      rate: 0.1,
      share: 0.1,
      wide: [1, 1.01, 1.03, 1e100],
      parts: [{ kind: 'a', weight: 0 }],
    },
    3: { kind: 'x', size: 0, width: [1, 1.01, 1.03], rate: [0, 0], share: 65_504, wide: [-1e-150, -1e150] },
    4: { kind: 'y', size: [2, 3], width: [-2, 2], rate: -1.5, wide: [1e200, 1e300], parts: { weight: -0.5 } },
    5: { kind: 'y', size: 2_147_483_647, width: -1, rate: 16_777_217 },
    6: { kind: 'z' },
  },
  checks: [
    counted(
      'whole numbers',
      'size',
      counts(
        1,
        [
          [0, 1],
          [34, 1],
          [54, 1],
          [1074, 1],
        ],
        [[-1, 1]],
      ),
    ),
    counted('the ends of a type', 'level', counts(0, [[242, 1]], [[242, 1]])),
    counted(
      'whole numbers past 2^53',
      'count',
      counts(0, [
        [1836, 1],
        [2183, 1],
      ]),
    ),
    counted(
      'a list counts once for values of one bucket, and powers begin one',
      'width',
      counts(
        0,
        [
          [-35, 1],
          [0, 1],
          [1, 2],
          [34, 1],
        ],
        [
          [-1, 1],
          [34, 1],
        ],
      ),
    ),
    counted(
      'floats next to a power',
      'rate',
      counts(
        1,
        [
          [-116, 1],
          [2, 1],
          [831, 1],
        ],
        [[20, 1]],
      ),
    ),
    counted(
      'floats of 16 bits next to a power',
      'share',
      counts(0, [
        [-116, 1],
        [2, 1],
        [554, 1],
      ]),
    ),
    counted(
      'numbers very far apart, by wider buckets',
      'wide',
      counts(
        0,
        [
          [-17271, 1],
          [-11514, 1],
          [-5757, 1],
          [0, 1],
          [5756, 1],
          [11513, 1],
          [17270, 1],
        ],
        [
          [-8636, 1],
          [8635, 1],
        ],
        1,
      ),
    ),
    counted(
      'what a filter leaves',
      'wide',
      counts(0, [
        [23027, 1],
        [34541, 1],
      ]),
      leaf('in', 'kind', 'y'),
    ),
    counted('numbers below zero alone', 'width', counts(0, [], [[-1, 1]]), leaf('in', 'size', 2147483647)),
    counted('no documents', 'width', counts(0, []), leaf('in', 'kind', 'nobody')),
    counted('documents without values', 'width', counts(0, []), leaf('in', 'kind', 'z')),
    counted('nested objects', 'parts.weight', counts(1, [[0, 2]], [[-35, 1]])),
    {
      name: 'of nested objects those that a filter leaves',
      facet: field('parts.weight', 'double', 'parts'),
      objects: { parts: terms(field('parts.kind', 'keyword', 'parts'), 'b') },
      measure: { kind: 'percentiles' },
      result: counts(0, [[0, 1]]),
    },
    {
      name: 'a field that is not there',
      facet: field('nowhere', 'double'),
      measure: { kind: 'percentiles' },
      result: counts(0, []),
    },
    ...(['at', 'kind'] as const).map((path): Check => ({
      name: `no powers of ${path}`,
      failing: { facet: field(path, path === 'at' ? 'date' : 'keyword'), measure: { kind: 'percentiles' } },
      code: 'BAD_USER_INPUT',
    })),
  ],
};
