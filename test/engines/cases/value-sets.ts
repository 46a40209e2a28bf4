import type { JsonValue } from '../../../src/lib/json/json.ts';
import type { FilterValue } from '../../../src/sqon/filter.ts';
import { leaf, steps, type Check, type Collection } from './case.ts';
import { records } from './flat-facets.ts';
import { library } from './three-levels.ts';

/** Sets of values, and how many documents have any of each. */
const counted = (
  name: string,
  of: string,
  sets: readonly (readonly [key: string, values: readonly FilterValue[], count: number])[],
  sqon: JsonValue = {},
): Check => {
  const values = [...new Set(sets.flatMap(([, members]) => members))];
  return {
    name,
    counted: of,
    sqon,
    measure: {
      kind: 'groups',
      values,
      sets: sets.map(([key, members]) => ({ key, members: members.map((value) => values.indexOf(value)) })),
    },
    result: steps('groups', ...sets.map(([key, , count]) => [key, count] as const)),
  };
};

/** Sets of values on fields of the document. */
export const valueSets: Collection = {
  name: 'sets of values',
  ...records,
  checks: [
    counted('a document with several values of a set counts once', 'tag', [
      ['both', ['a', 'b'], 3],
      ['all', ['a', 'b', 'c', 'B'], 4],
    ]),
    counted('sets may overlap, be empty, or name what no document has', 'tag', [
      ['b', ['b'], 3],
      ['none', [], 0],
      ['unknown', ['q', 'zz'], 0],
      ['case matters', ['B'], 1],
      ['some unknown', ['b', 'q'], 3],
    ]),
    counted('no sets', 'tag', []),
    counted('an empty text is a value', 'kind', [['empty', [''], 1]]),
    counted('its own selection is left out', 'kind', [['x or y', ['x', 'y'], 5]], leaf('in', 'kind', 'x')),
    counted('a filter on another field', 'tag', [['a or c', ['a', 'c'], 2]], leaf('in', 'kind', 'x')),
    counted('whole numbers', 'size', [
      ['ends', [-7, 10], 3],
      ['list', [9, 10], 2],
    ]),
    counted('fractions', 'width', [['some', [0.3, 0.25], 3]]),
    counted('booleans', 'ok', [
      ['yes', [true], 1],
      ['any', [true, false], 2],
    ]),
  ],
};

/** Sets of values of nested objects: documents are counted, not objects. */
export const nestedValueSets: Collection = {
  name: 'sets of nested values',
  ...library,
  checks: [
    counted('documents count once', 'rooms.shelves.books.title', [
      ['x or y', ['x', 'y'], 2],
      ['z', ['z'], 1],
    ]),
    counted(
      'of the objects that a filter leaves',
      'rooms.shelves.books.title',
      [['any', ['x', 'y', 'z'], 3]],
      leaf('gte', 'rooms.shelves.books.pages', 100),
    ),
  ],
};
