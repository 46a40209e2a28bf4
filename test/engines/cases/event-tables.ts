import type { SurvivalResult } from '../../../src/engines/measure.ts';
import { exists, field, leaf, terms, type Check, type Collection } from './case.ts';

const status = field('status', 'keyword');
const died = terms(status, 'dead', 'dead of disease');

const table = (
  times: readonly (readonly [time: number, events: number, censored: number])[],
  [noTime, negativeTime, noEvent]: readonly [number, number, number],
): SurvivalResult => ({
  kind: 'survival',
  times: times.map(([time, events, censored]) => ({ time, events, censored })),
  ...{ noTime, negativeTime, noEvent },
});

const counted = (name: string, of: string, result: SurvivalResult, sqon = {}): Check => ({
  name,
  counted: of,
  sqon,
  filterThemselves: true,
  measure: { kind: 'survival', filters: [died, exists(status)] },
  result,
});

/** Times under observation, and whether the event ended them. */
export const eventTables: Collection = {
  name: 'event tables',
  mapping: {
    properties: {
      status: { type: 'keyword' },
      sex: { type: 'keyword' },
      days: { type: 'integer' },
      months: { type: 'double' },
      seconds: { type: 'long' },
      born: { type: 'date' },
    },
  },
  documents: {
    1: { status: 'dead', sex: 'f', days: 5, months: 0.25, seconds: '9007199254740993', born: '1950-01-01' },
    2: { status: 'alive', sex: 'f', days: 5, months: 0.25 },
    3: { status: 'dead of disease', sex: 'm', days: 5, months: 1.5 },
    4: { status: 'lost', sex: 'm', days: 0 },
    5: { sex: 'm', days: 900, months: 29.6 },
    6: { status: 'dead', sex: 'm', days: -3, months: -0.1 },
    7: { status: 'dead', sex: 'f' },
    8: { status: 'dead', sex: 'f', days: 1200, months: 40 },
    9: { status: 'alive', sex: 'f', days: 100 },
  },
  checks: [
    counted(
      'whole numbers',
      'days',
      table(
        [
          [0, 0, 1],
          [5, 2, 1],
          [100, 0, 1],
          [1200, 1, 0],
        ],
        [1, 1, 1],
      ),
    ),
    counted(
      'fractions',
      'months',
      table(
        [
          [0.25, 1, 1],
          [1.5, 1, 0],
          [40, 1, 0],
        ],
        [3, 1, 1],
      ),
    ),
    counted(
      'what a filter leaves',
      'days',
      table(
        [
          [0, 0, 1],
          [5, 1, 0],
        ],
        [0, 1, 1],
      ),
      leaf('in', 'sex', 'm'),
    ),
    counted(
      'conditions on the time',
      'days',
      table(
        [
          [100, 0, 1],
          [1200, 1, 0],
        ],
        [0, 0, 1],
      ),
      leaf('gte', 'days', 100),
    ),
    counted('no documents', 'days', table([], [0, 0, 0]), leaf('in', 'sex', 'x')),
    {
      name: 'everybody is known',
      facet: field('days', 'integer'),
      measure: { kind: 'survival', filters: [died, { kind: 'all' }] },
      result: table(
        [
          [0, 0, 1],
          [5, 2, 1],
          [100, 0, 1],
          [900, 0, 1],
          [1200, 1, 0],
        ],
        [1, 1, 0],
      ),
    },
    {
      name: 'a field that is not there',
      facet: field('nowhere', 'double'),
      measure: { kind: 'survival', filters: [died, exists(status)] },
      result: table([], [9, 0, 0]),
    },
    ...(['born', 'sex'] as const).map((path): Check => ({
      name: `no survival of ${path}`,
      failing: {
        facet: field(path, path === 'born' ? 'date' : 'keyword'),
        measure: { kind: 'survival', filters: [died, died] },
      },
      code: 'BAD_USER_INPUT',
    })),
  ],
};
