import { field, group, leaf, range, sort, type Check, type Collection } from './case.ts';

const withValue = ['one', 'two', 'ms', 'offset', 'bc', 'old', 'year', 'month', 'mixed'];
const without = ['none', 'empty', 'nil', 'slashes', 'seconds', 'compact', 'british', 'moment', 'evening'];
const from2020 = ['one', 'two', 'offset', 'year', 'month'];
const before2020 = ['two', 'ms', 'bc', 'old', 'mixed'];

/** A day of 2020, ISO 8601 and in milliseconds, in a field of any format. */
const inOneFormat = (path: string): readonly Check[] => {
  const ids = { w: ['slashes', 'seconds'], x: ['compact'], y: ['british'], s: ['moment', 'evening'] }[path]!;
  const [start, end] = [Date.UTC(2020, 1, 29), Date.UTC(2020, 2, 1)];
  return [
    { name: `${path}: a day`, sqon: leaf('in', path, '2020-02-29'), ids },
    { name: `${path}: a month`, sqon: leaf('in', path, ['2020-02']), ids },
    { name: `${path}: not a day`, sqon: group('not', [leaf('not-in', path, '2020-02-29')]), ids },
    { name: `${path}: from a day`, sqon: leaf('gte', path, '2020-02-29'), ids },
    { name: `${path}: up to a day`, sqon: leaf('lte', path, '2020-02-29'), ids },
    { name: `${path}: before a day`, sqon: leaf('lt', path, '2020-02-29'), ids: [] },
    { name: `${path}: between days`, sqon: leaf('between', path, ['2020-02-28', '2020-02-29']), ids },
    { name: `${path}: milliseconds`, sqon: leaf('between', path, [start, end - 1]), ids },
    { name: `${path}: digits of milliseconds`, sqon: leaf('gte', path, String(start)), ids },
    { name: `${path}: a moment`, sqon: leaf('gt', path, '2020-02-28T23:59:59.999Z'), ids },
    { name: `${path}: date maths`, sqon: leaf('gte', path, '2020-03-01||-1d/d'), ids },
    { name: `${path}: date maths on now`, sqon: leaf('lt', path, 'now-1d/d'), ids },
  ];
};

/** Every operator on dates: what a date covers, before the year 0 too, in formats of the mapping's own. */
export const dateValues: Collection = {
  name: 'date values',
  mapping: {
    properties: {
      v: { type: 'date' },
      w: { type: 'date', format: 'yyyy/MM/dd||epoch_second' },
      x: { type: 'date', format: 'basic_date' },
      y: { type: 'date', format: 'dd/MM/yyyy' },
      s: { type: 'date', format: 'epoch_second' },
    },
  },
  documents: {
    one: { v: '2020-02-29' },
    two: { v: ['2020-02-29T12:00:30.500Z', '1999-12-31T23:59:59.999Z'] },
    ms: { v: 86_400_000 },
    offset: { v: '2020-03-01T00:30:00+01:00' },
    bc: { v: '-0043-03-15' },
    old: { v: '0001-01-01' },
    year: { v: '2021' },
    month: { v: '2021-07' },
    mixed: { v: [null, '1970-01-01T00:00:00Z'] },
    none: {},
    empty: { v: [] },
    nil: { v: null },
    slashes: { w: '2020/02/29' },
    seconds: { w: 1_582_934_400 },
    compact: { x: '20200229' },
    british: { y: ['29/02/2020', '01/03/2020'] },
    moment: { s: 1_582_934_400 },
    evening: { s: 1_583_020_799 },
  },
  checks: [
    { name: 'in: a day is all of it', sqon: leaf('in', 'v', '2020-02-29'), ids: ['one', 'two', 'offset'] },
    { name: 'in: a month', sqon: leaf('in', 'v', ['2020-02']), ids: ['one', 'two', 'offset'] },
    { name: 'in: a year', sqon: leaf('in', 'v', '2021'), ids: ['year', 'month'] },
    { name: 'in: a minute', sqon: leaf('in', 'v', '2020-02-29T12:00'), ids: ['two'] },
    { name: 'in: a millisecond', sqon: leaf('in', 'v', '1999-12-31T23:59:59.999Z'), ids: ['two'] },
    {
      name: 'in: an instant at another offset',
      sqon: leaf('in', 'v', '2020-02-29T23:30:00Z'),
      ids: ['offset'],
    },
    { name: 'in: epoch milliseconds', sqon: leaf('in', 'v', 86_400_000), ids: ['ms'] },
    { name: 'in: epoch zero is a value', sqon: leaf('in', 'v', ['1970-01-01']), ids: ['mixed'] },
    { name: 'in: a year before the year 0', sqon: leaf('in', 'v', '-0043'), ids: ['bc'] },
    { name: 'in: any of several', sqon: leaf('in', 'v', ['0001', '2021-07-01']), ids: ['old', 'month'] },
    {
      name: 'not-in: a day',
      sqon: leaf('not-in', 'v', '2020-02-29'),
      ids: ['ms', 'bc', 'old', 'year', 'month', 'mixed', ...without],
    },
    {
      name: 'some-not-in: years',
      sqon: leaf('some-not-in', 'v', ['2020', '2021']),
      ids: ['ms', 'bc', 'old', 'mixed', ...without],
    },
    { name: 'all: a day and a year', sqon: leaf('all', 'v', ['2020-02-29', '1999']), ids: ['two'] },
    { name: 'missing', sqon: leaf('in', 'v', '__missing__'), ids: without },
    { name: 'not missing', sqon: leaf('not-in', 'v', '__missing__'), ids: withValue },
    { name: 'gt: past the end of the day', sqon: leaf('gt', 'v', '2020-02-29'), ids: ['year', 'month'] },
    { name: 'gte: from the begin of the day', sqon: leaf('gte', 'v', '2020-02-29'), ids: from2020 },
    { name: 'lt: before the begin of the day', sqon: leaf('lt', 'v', '2020-02-29'), ids: before2020 },
    {
      name: 'lte: up to the end of the day',
      sqon: leaf('lte', 'v', '2020-02-29'),
      ids: ['one', 'offset', ...before2020],
    },
    { name: 'gt: past the end of the year', sqon: leaf('gt', 'v', '2020'), ids: ['year', 'month'] },
    {
      name: 'lte: up to the end of the month',
      sqon: leaf('lte', 'v', '2020-02'),
      ids: ['one', 'offset', ...before2020],
    },
    {
      name: 'gt: an instant at an offset',
      sqon: leaf('gt', 'v', '2020-02-29T23:00:00+02:00'),
      ids: ['offset', 'year', 'month'],
    },
    {
      name: 'gte: a second of the day',
      sqon: leaf('gte', 'v', '2020-02-29T12:00:30'),
      ids: ['two', 'offset', 'year', 'month'],
    },
    { name: 'lt: the year 1', sqon: leaf('lt', 'v', '0001'), ids: ['bc'] },
    { name: 'lte: a year before the year 0', sqon: leaf('lte', 'v', '-0043'), ids: ['bc'] },
    { name: 'lt: the ides of March', sqon: leaf('lt', 'v', '-0043-03-15'), ids: [] },
    {
      name: 'between years on both sides of 0',
      sqon: leaf('between', 'v', ['-0100', '0001']),
      ids: ['bc', 'old'],
    },
    {
      name: 'between: the upper day is included',
      sqon: leaf('between', 'v', ['2020-02-28', '2020-02-29']),
      ids: ['one', 'two', 'offset'],
    },
    { name: 'between: one date is both ends', sqon: leaf('between', 'v', '2021-01'), ids: ['year'] },
    {
      name: 'between: the earliest and latest of three out of order',
      sqon: leaf('between', 'v', ['2021-02', '2020', '2021-08']),
      ids: from2020,
    },
    {
      name: 'between: a month to the end of the year it lies in',
      sqon: leaf('between', 'v', ['2021-06', '2021']),
      ids: ['month'],
    },
    {
      name: 'between: the later date first is refused',
      sqon: leaf('between', 'v', ['2021-02-28', '2020']),
      code: 'BAD_USER_INPUT',
      naming: ['the lower bound before the upper one', '2021-02-28'],
    },
    { name: 'gt of several: the latest', sqon: leaf('gt', 'v', ['2021-06', '1970']), ids: ['month'] },
    {
      name: 'lt of several: the earliest',
      sqon: leaf('lt', 'v', ['2021-06', '1970-01-02']),
      ids: ['bc', 'old', 'mixed'],
    },
    {
      name: 'date maths: rounded down to the month',
      sqon: leaf('gte', 'v', '2020-02-29||/M'),
      ids: from2020,
    },
    {
      name: 'date maths: rounded up to the month',
      sqon: leaf('lte', 'v', '2020-02-03||/M'),
      ids: ['one', 'offset', ...before2020],
    },
    { name: 'date maths: a leap day plus a year', sqon: leaf('gt', 'v', '2020-02-29||+1y'), ids: ['month'] },
    { name: 'date maths: a month less', sqon: leaf('in', 'v', '2021-08-01||-1M/d'), ids: ['month'] },
    {
      name: 'date maths: weeks begin on Monday',
      sqon: leaf('lt', 'v', '1970-01-04||/w'),
      ids: ['bc', 'old'],
    },
    { name: 'date maths: before now', sqon: leaf('lt', 'v', 'now-1h/d'), ids: withValue },
    { name: 'date maths: after now', sqon: leaf('gt', 'v', 'now+1d'), ids: [] },
    {
      name: 'milliseconds as a bound of the engine',
      filter: range(field('v', 'date'), { gt: 0, lt: 86_400_001 }),
      ids: ['ms'],
    },
    {
      name: 'milliseconds before the epoch as a bound',
      filter: range(field('v', 'date'), { lt: -62_135_596_800_000 }),
      ids: ['bc'],
    },
    {
      name: 'milliseconds before the epoch, not included',
      filter: range(field('v', 'date'), { gt: -1, lte: 0 }),
      ids: ['mixed'],
    },
    {
      name: 'milliseconds before the epoch in a filter',
      sqon: leaf('between', 'v', [-1, 0]),
      ids: ['mixed'],
    },
    { name: 'own format: the day', sqon: leaf('in', 'w', '2020/02/29'), ids: ['slashes', 'seconds'] },
    ...['w', 'x', 'y', 's'].flatMap((path) => inOneFormat(path)),
    { name: 'own format: digits are milliseconds', sqon: leaf('in', 'w', 1_582_934_400), ids: [] },
    { name: 'own format: the day in it', sqon: leaf('gt', 'y', '29/02/2020'), ids: ['british'] },
    {
      name: 'own format: any of a list',
      sqon: leaf('all', 'y', ['2020-02-29', '2020-03']),
      ids: ['british'],
    },
    {
      name: 'seconds: before the last one of the day',
      sqon: leaf('lt', 's', '2020-02-29T23:59:59Z'),
      ids: ['moment'],
    },
    { name: 'seconds: in milliseconds', sqon: leaf('gte', 's', 1_583_020_799_000), ids: ['evening'] },
    { name: 'seconds: in milliseconds, past them', sqon: leaf('gte', 's', 1_583_020_799_001), ids: [] },
    { name: "seconds: nobody's seconds", sqon: leaf('gte', 's', '1583020799'), ids: ['moment', 'evening'] },
    {
      name: 'seconds: ranges in milliseconds',
      facet: field('s', 'date'),
      measure: {
        kind: 'range',
        ranges: [{ key: 'a', from: 1_582_934_400_000, to: 1_583_020_799_000 }],
      },
      result: { kind: 'range', buckets: [{ key: 'a', count: 1 }] },
    },
    {
      name: 'seconds: the latest first, in milliseconds',
      hits: {
        sort: [sort(field('s', 'date'), 'desc', 'last')],
        filter: range(field('s', 'date'), { gte: 0 }),
      },
      ids: ['evening', 'moment'],
      cursors: [[1_583_020_799_000], [1_582_934_400_000]],
    },
    { name: 'own format: gt', sqon: leaf('gt', 'w', '2020/02/28'), ids: ['slashes', 'seconds'] },
    { name: 'own format: date maths', sqon: leaf('lt', 'w', '2020/03/01||-1d'), ids: [] },
    { name: 'named format: the day', sqon: leaf('in', 'x', '20200229'), ids: ['compact'] },
    { name: 'named format: a number is milliseconds', sqon: leaf('lte', 'x', 20_200_229), ids: [] },
    {
      name: 'stats on both sides of the epoch',
      counted: 'v',
      sqon: leaf('in', 'v', ['1970-01-01', '1970-01-02']),
      filterThemselves: true,
      measure: { kind: 'stats' },
      result: { kind: 'stats', count: 2, min: 0, max: 86_400_000, sum: 86_400_000, avg: 43_200_000 },
    },
    {
      name: 'no leap day in 2021',
      sqon: leaf('in', 'v', '2021-02-29'),
      code: 'BAD_USER_INPUT',
      naming: ['2021-02-29'],
    },
    { name: 'no month 13', sqon: leaf('gt', 'v', '2021-13'), code: 'BAD_USER_INPUT', naming: ['2021-13'] },
    {
      name: 'a word is not a date',
      sqon: leaf('not-in', 'v', 'soon'),
      code: 'BAD_USER_INPUT',
      naming: ['soon'],
    },
    {
      name: 'the empty string is not a date',
      sqon: leaf('in', 'v', ''),
      code: 'BAD_USER_INPUT',
      naming: ['$.content.value'],
    },
    {
      name: 'another format',
      sqon: leaf('gte', 'w', '29/02/2020'),
      code: 'BAD_USER_INPUT',
      naming: ['yyyy/MM/dd||epoch_second'],
    },
  ],
};
