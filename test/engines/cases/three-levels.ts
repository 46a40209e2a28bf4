import { sort, field, group, leaf, search, type Collection } from './case.ts';

const name = 'rooms.name';
const label = 'rooms.shelves.label';
const title = 'rooms.shelves.books.title';
const pages = 'rooms.shelves.books.pages';
const shelves = 'rooms.shelves';
const books = 'rooms.shelves.books';

const is = (fieldName: string, ...values: readonly string[]) => leaf('in', fieldName, values);
const x = is(title, 'x');
const y = is(title, 'y');
const long = leaf('gte', pages, 100);

const below = ['rooms', shelves, books];

export const library: Pick<Collection, 'mapping' | 'documents'> = {
  mapping: {
    properties: {
      city: { type: 'keyword' },
      rooms: {
        type: 'nested',
        properties: {
          name: { type: 'keyword' },
          shelves: {
            type: 'nested',
            properties: {
              label: { type: 'keyword' },
              books: {
                type: 'nested',
                properties: {
                  title: { type: 'keyword' },
                  pages: { type: 'integer' },
                  tags: { type: 'keyword' },
                },
              },
            },
          },
        },
      },
    },
  },
  documents: {
    1: {
      city: 'p',
      rooms: [
        {
          name: 'north',
          shelves: [
            {
              label: 'a',
              books: [
                { title: 'x', pages: 10, tags: ['red', 'old'] },
                { title: 'y', pages: 200 },
              ],
            },
            { label: 'b', books: [] },
          ],
        },
        { name: 'south', shelves: [] },
      ],
    },
    2: {
      city: 'q',
      rooms: [
        { name: 'north', shelves: [{ label: 'a', books: [{ title: 'y', pages: 10 }] }] },
        { name: 'south', shelves: [{ label: 'b', books: [{ title: 'x', pages: 200 }] }] },
      ],
    },
    3: {
      city: 'p',
      rooms: { name: 'south', shelves: { label: 'c', books: { title: 'z', pages: [5, 300] } } },
    },
    4: { city: 'q', rooms: [] },
    5: { city: 'p' },
    6: { city: 'q', rooms: [{ shelves: [{ books: [{}] }] }] },
  },
};

/** Conditions on objects within objects within objects, with pivots to every level and without. */
export const threeLevels: Collection = {
  name: 'three levels',
  ...library,
  checks: [
    { name: 'in: some innermost object', sqon: x, ids: ['1', '2'] },
    {
      name: 'not-in: some object without the value',
      sqon: leaf('not-in', title, 'x'),
      ids: ['1', '2', '3', '6'],
    },
    {
      name: 'some-not-in: no object with it',
      sqon: leaf('some-not-in', title, 'x'),
      ids: ['3', '4', '5', '6'],
    },
    { name: 'in: no values', sqon: leaf('in', title, []), ids: [] },
    { name: 'not-in: no values: any object', sqon: leaf('not-in', title, []), ids: ['1', '2', '3', '6'] },
    {
      name: 'some-not-in: no values',
      sqon: leaf('some-not-in', title, []),
      ids: ['1', '2', '3', '4', '5', '6'],
    },
    { name: 'all: different objects', sqon: leaf('all', title, ['x', 'y']), ids: ['1', '2'] },
    { name: 'all with a pivot on the object', sqon: leaf('all', title, ['x', 'y'], books), ids: [] },
    { name: 'all with a pivot one level up', sqon: leaf('all', title, ['x', 'y'], shelves), ids: ['1'] },
    { name: 'all with a pivot two levels up', sqon: leaf('all', title, ['x', 'y'], 'rooms'), ids: ['1'] },
    {
      name: 'all with a pivot on values of one object',
      sqon: leaf('all', 'rooms.shelves.books.tags', ['old', 'red'], books),
      ids: ['1'],
    },
    { name: 'missing in some object', sqon: is(title, '__missing__'), ids: ['6'] },
    {
      name: 'missing in some object, others have it',
      sqon: is('rooms.shelves.books.tags', '__missing__'),
      ids: ['1', '2', '3', '6'],
    },
    { name: 'missing one level down', sqon: is(name, '__missing__'), ids: ['6'] },
    { name: 'not missing in some object', sqon: leaf('not-in', title, '__missing__'), ids: ['1', '2', '3'] },
    {
      name: 'some-not-in missing asks the same',
      sqon: leaf('some-not-in', title, '__missing__'),
      ids: ['1', '2', '3'],
    },
    {
      name: 'not-in of a value, a pattern and missing: some object has another value',
      sqon: leaf('not-in', title, ['x', 'z*', '__missing__']),
      ids: ['1', '2'],
    },
    {
      name: 'some-not-in of a value, a pattern and missing: no object has them, and some has another',
      sqon: leaf('some-not-in', title, ['q', 'z*', '__missing__']),
      ids: ['1', '2'],
    },
    { name: 'no objects at all', sqon: is(books, '__missing__'), ids: ['4', '5'] },
    { name: 'no objects one level down', sqon: is('rooms', '__missing__'), ids: ['4', '5'] },
    { name: 'objects there', sqon: leaf('not-in', shelves, '__missing__'), ids: ['1', '2', '3', '6'] },
    { name: 'a star', sqon: is(title, '*'), ids: ['1', '2', '3'] },
    { name: 'not-in a star: some object without any', sqon: leaf('not-in', title, '*'), ids: ['6'] },
    {
      name: 'some-not-in a star: no object with any',
      sqon: leaf('some-not-in', title, '*'),
      ids: ['4', '5', '6'],
    },
    { name: 'gt', sqon: leaf('gt', pages, 250), ids: ['3'] },
    { name: 'between: by one value', sqon: leaf('between', pages, [10, 200]), ids: ['1', '2'] },
    { name: 'a search at several levels', sqon: search([name, title], 'N*'), ids: ['1', '2'] },
    { name: 'a search in the document and below', sqon: search(['city', title], 'Z'), ids: ['3'] },
    { name: 'not of in', sqon: group('not', [x]), ids: ['3', '4', '5', '6'] },
    {
      name: 'not of not-in: no object without it',
      sqon: group('not', [leaf('not-in', title, 'x')]),
      ids: ['4', '5'],
    },
    { name: 'not of some-not-in', sqon: group('not', [leaf('some-not-in', title, 'x')]), ids: ['1', '2'] },
    { name: 'and without a pivot: different objects', sqon: group('and', [x, long]), ids: ['1', '2'] },
    { name: 'and at the object', sqon: group('and', [x, long], books), ids: ['2'] },
    { name: 'and one level up', sqon: group('and', [x, long], shelves), ids: ['1', '2'] },
    { name: 'and two levels up', sqon: group('and', [x, y], 'rooms'), ids: ['1'] },
    {
      name: 'and with a condition on the pivot itself',
      sqon: group('and', [is(name, 'north'), x], 'rooms'),
      ids: ['1'],
    },
    {
      name: 'and of two levels at the middle one',
      sqon: group('and', [is(label, 'b'), x], shelves),
      ids: ['2'],
    },
    {
      name: 'a condition one level above the pivot',
      sqon: group('and', [is(label, 'a'), x], books),
      ids: ['1'],
    },
    {
      name: 'a condition two levels above the pivot',
      sqon: group('and', [is(name, 'south'), x], books),
      ids: ['2'],
    },
    {
      name: 'a condition on the document in a pivot',
      sqon: group('and', [is('city', 'p'), is(label, 'a')], shelves),
      ids: ['1'],
    },
    {
      name: 'or at the object',
      sqon: group('or', [is(title, 'z'), leaf('lte', pages, 9)], books),
      ids: ['3'],
    },
    {
      name: 'or of two levels',
      sqon: group('or', [is(name, 'north'), is(title, 'z')], 'rooms'),
      ids: ['1', '2', '3'],
    },
    {
      name: 'not at the object: none satisfies all',
      sqon: group('not', [x, long], books),
      ids: ['1', '3', '4', '5', '6'],
    },
    { name: 'not one level up', sqon: group('not', [x, y], shelves), ids: ['2', '3', '4', '5', '6'] },
    {
      name: 'a pivot in a pivot',
      sqon: group('and', [is(name, 'north'), group('and', [y, long], books)], 'rooms'),
      ids: ['1'],
    },
    {
      name: 'three pivots',
      sqon: group(
        'and',
        [
          is(name, 'north'),
          group('and', [is(label, 'a'), group('and', [x, leaf('lt', pages, 100)], books)], shelves),
        ],
        'rooms',
      ),
      ids: ['1'],
    },
    {
      name: 'a not in a pivot',
      sqon: group('and', [group('not', [x], books)], 'rooms'),
      ids: ['1', '2', '3', '6'],
    },
    {
      name: 'a not-in in a pivot',
      sqon: group('and', [is(label, 'b'), leaf('not-in', title, 'y')], shelves),
      ids: ['2'],
    },
    {
      name: 'a some-not-in in a pivot',
      sqon: group('and', [is(label, 'b'), leaf('some-not-in', title, 'x')], shelves),
      ids: ['1'],
    },
    {
      name: 'missing in a pivot',
      sqon: group('and', [is(title, 'y'), is('rooms.shelves.books.tags', '__missing__')], books),
      ids: ['1', '2'],
    },
    { name: 'no objects in a pivot', sqon: group('and', [is(books, '__missing__')], shelves), ids: ['1'] },
    {
      name: 'an and of pivots in a plain and',
      sqon: group('and', [group('and', [x, long], books), is('city', 'q')]),
      ids: ['2'],
    },
    {
      name: 'an or of pivots',
      sqon: group('or', [
        group('and', [x, long], books),
        group('and', [is(name, 'south'), is(label, 'c')], 'rooms'),
      ]),
      ids: ['2', '3'],
    },
    { name: 'a pivot on a leaf changes nothing', sqon: leaf('in', title, ['x'], 'rooms'), ids: ['1', '2'] },
    {
      name: 'a pivot on a value',
      sqon: group('and', [x], title),
      code: 'BAD_USER_INPUT',
      naming: ['$.pivot', title],
    },
    {
      name: 'a pivot on a leaf that is none',
      sqon: leaf('in', title, ['x'], 'cellar'),
      code: 'BAD_USER_INPUT',
      naming: ['$.pivot', 'cellar'],
    },
    {
      name: 'sorting by the least of all objects',
      hits: {
        sort: [sort(field(pages, 'integer', ...below)), sort(field('city', 'keyword'), 'desc')],
        source: [],
      },
      ids: ['4', '6', '5', '3', '2', '1'],
      cursors: [
        ...[
          ['-9223372036854775808', 'q'],
          ['-9223372036854775808', 'q'],
          ['-9223372036854775808', 'p'],
        ],
        ...[
          [5, 'p'],
          [10, 'q'],
          [10, 'p'],
        ],
      ],
    },
    {
      name: 'sorting by the average of all objects',
      hits: {
        sort: [
          sort(field(pages, 'integer', ...below), 'desc', 'last', 'avg'),
          sort(field('city', 'keyword')),
        ],
        size: 3,
      },
      ids: ['3', '1', '2'],
      cursors: [
        [153, 'p'],
        [105, 'p'],
        [105, 'q'],
      ],
    },
  ],
};
