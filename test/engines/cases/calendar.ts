import { field, leaf, type Collection } from './case.ts';
import type { FacetResult, Measure } from '../../../src/engines/measure.ts';

type Interval = Measure<'date_histogram'>['interval'];

const by = (interval: Interval, timeZone = 'UTC'): Measure => ({
  kind: 'date_histogram',
  interval,
  timeZone,
});

/** Counts by what the starts are in their zone. */
const counted = (...counts: readonly (readonly [string, number])[]): FacetResult => ({
  kind: 'date_histogram',
  buckets: counts.map(([keyAsString, count]) => ({
    key: String(Date.parse(keyAsString)),
    keyAsString,
    count,
  })),
});

const from = (gte: string, lt: string) => ({
  op: 'and',
  content: [leaf('>=', 'at', gte), leaf('<', 'at', lt)],
});

/** Histograms by the calendar of a time zone: clocks that change, weeks, dates long ago, lists, nested dates. */
export const calendar: Collection = {
  name: 'calendar',
  mapping: {
    properties: {
      at: { type: 'date' },
      kind: { type: 'keyword' },
      size: { type: 'long' },
      visits: { type: 'nested', properties: { on: { type: 'date' }, ward: { type: 'keyword' } } },
    },
  },
  documents: {
    old: { at: '1883-11-18T12:00:00Z', kind: 'past' },
    before: { at: '1969-12-31T23:30:00Z', kind: 'past' },
    epoch: { at: 0, kind: 'past' },
    spring: {
      at: ['2024-03-30T23:30:00Z', '2024-03-31T00:30:00Z', '2024-03-31T21:59:59.999Z'],
      kind: 'spring',
    },
    summer: { at: '2024-03-31T22:00:00Z', kind: 'spring' },
    autumn: { at: ['2024-10-26T22:00:00Z', '2024-10-27T00:30:00Z', '2024-10-27T01:30:00Z'], kind: 'autumn' },
    winter: { at: '2024-10-27T23:00:00Z', kind: 'autumn' },
    island: { at: '2024-04-06T15:15:00Z', kind: 'island' },
    islands: { at: ['2024-04-06T14:10:00Z', '2024-04-06T15:40:00Z'], kind: 'island' },
    india: { at: ['2024-05-31T18:29:59.999Z', '2024-05-31T18:30:00Z'], kind: 'india' },
    saturday: { at: ['2010-11-07T02:15:00Z', '2010-11-07T03:00:00Z', '2010-11-07T04:00:00Z'], kind: 'rock' },
    samoa: { at: ['2011-12-30T09:59:59Z', '2011-12-30T10:00:00Z', '2012-01-01T00:00:00Z'], kind: 'samoa' },
    none: { kind: 'spring' },
    nothing: { at: [], kind: 'spring' },
    nested: {
      visits: [
        { on: '2024-01-31T23:30:00Z', ward: 'a' },
        { on: ['2024-02-01', '2024-02-02'], ward: 'b' },
        { on: '2024-04-01', ward: 'a' },
        { ward: 'a' },
      ],
    },
  },
  checks: [
    {
      name: 'the day that clocks are put forward has 23 hours',
      counted: 'at',
      sqon: leaf('in', 'kind', 'spring'),
      measure: by('day', 'Europe/Paris'),
      result: counted(['2024-03-31T00:00:00.000+01:00', 1], ['2024-04-01T00:00:00.000+02:00', 1]),
    },
    {
      name: 'the day that clocks are put back has 25 hours',
      counted: 'at',
      sqon: leaf('in', 'kind', 'autumn'),
      measure: by('day', 'Europe/Paris'),
      result: counted(['2024-10-27T00:00:00.000+02:00', 1], ['2024-10-28T00:00:00.000+01:00', 1]),
    },
    {
      name: 'an hour that clocks show twice is two',
      counted: 'at',
      sqon: leaf('in', 'kind', 'autumn'),
      filterThemselves: true,
      measure: by('hour', 'Europe/Paris'),
      result: counted(
        ['2024-10-27T00:00:00.000+02:00', 1],
        ['2024-10-27T01:00:00.000+02:00', 0],
        ['2024-10-27T02:00:00.000+02:00', 1],
        ['2024-10-27T02:00:00.000+01:00', 1],
        ...Array.from(
          { length: 21 },
          (_, at) => [`2024-10-27T${String(at + 3).padStart(2, '0')}:00:00.000+01:00`, 0] as const,
        ),
        ['2024-10-28T00:00:00.000+01:00', 1],
      ),
    },
    {
      name: 'an hour that clocks are put back by half of goes on',
      counted: 'at',
      sqon: leaf('in', 'kind', 'island'),
      measure: by('hour', 'Australia/Lord_Howe'),
      result: counted(['2024-04-07T01:00:00.000+11:00', 2], ['2024-04-07T02:00:00.000+10:30', 1]),
    },
    {
      name: 'a month of a zone that is half an hour off',
      counted: 'at',
      sqon: leaf('in', 'kind', 'india'),
      measure: by('month', 'Asia/Kolkata'),
      result: counted(['2024-05-01T00:00:00.000+05:30', 1], ['2024-06-01T00:00:00.000+05:30', 1]),
    },
    {
      name: 'an offset is a zone',
      counted: 'at',
      sqon: leaf('in', 'kind', 'india'),
      measure: by('day', '+05:30'),
      result: counted(['2024-05-31T00:00:00.000+05:30', 1], ['2024-06-01T00:00:00.000+05:30', 1]),
    },
    {
      name: 'clocks that are put back over midnight show the day before again',
      counted: 'at',
      sqon: leaf('in', 'kind', 'rock'),
      measure: by('day', 'America/St_Johns'),
      result: counted(['2010-11-06T00:00:00.000-02:30', 1], ['2010-11-07T00:00:00.000-02:30', 1]),
    },
    {
      name: 'a day that a zone left out',
      counted: 'at',
      sqon: leaf('in', 'kind', 'samoa'),
      measure: by('day', 'Pacific/Apia'),
      result: counted(
        ['2011-12-29T00:00:00.000-10:00', 1],
        ['2011-12-31T00:00:00.000+14:00', 1],
        ['2012-01-01T00:00:00.000+14:00', 1],
      ),
    },
    {
      name: 'weeks are from Monday',
      counted: 'at',
      sqon: leaf('in', 'kind', ['spring', 'island']),
      measure: by('week'),
      result: counted(['2024-03-25T00:00:00.000Z', 2], ['2024-04-01T00:00:00.000Z', 2]),
    },
    {
      name: 'quarters, with the empty one between',
      counted: 'at',
      sqon: leaf('in', 'kind', ['spring', 'autumn']),
      measure: by('quarter', 'Europe/Paris'),
      result: counted(
        ['2024-01-01T00:00:00.000+01:00', 1],
        ['2024-04-01T00:00:00.000+02:00', 1],
        ['2024-07-01T00:00:00.000+02:00', 0],
        ['2024-10-01T00:00:00.000+02:00', 2],
      ),
    },
    {
      name: 'dates before 1970 and around it',
      counted: 'at',
      sqon: from('1950-01-01', '1980-01-01'),
      filterThemselves: true,
      measure: by('year', 'Europe/London'),
      result: counted(['1970-01-01T00:00:00.000+01:00', 2]),
    },
    {
      name: "a town's own time, before there were zones",
      counted: 'at',
      sqon: from('1800-01-01', '1900-01-01'),
      filterThemselves: true,
      measure: by('day', 'Europe/Paris'),
      result: {
        kind: 'date_histogram',
        buckets: [
          {
            key: String(Date.parse('1883-11-18T00:00:00Z') - 561_000),
            keyAsString: '1883-11-18T00:00:00.000+00:09:21',
            count: 1,
          },
        ],
      },
    },
    {
      name: 'its own selection does not narrow it',
      counted: 'at',
      sqon: { op: 'and', content: [leaf('in', 'kind', 'india'), leaf('>=', 'at', '2030')] },
      measure: by('year'),
      result: counted(['2024-01-01T00:00:00.000Z', 1]),
    },
    {
      name: 'a calendar of nothing',
      counted: 'at',
      sqon: leaf('in', 'kind', 'nowhere'),
      measure: by('day'),
      result: counted(),
    },
    {
      name: 'nested dates, each object once in an interval',
      facet: field('visits.on', 'date', 'visits'),
      measure: by('month'),
      result: counted(
        ['2024-01-01T00:00:00.000Z', 1],
        ['2024-02-01T00:00:00.000Z', 1],
        ['2024-03-01T00:00:00.000Z', 0],
        ['2024-04-01T00:00:00.000Z', 1],
      ),
    },
    {
      name: 'nested dates of some objects only',
      facet: field('visits.on', 'date', 'visits'),
      measure: by('month', 'Europe/Paris'),
      objects: { visits: { kind: 'terms', field: field('visits.ward', 'keyword', 'visits'), values: ['a'] } },
      result: counted(
        ['2024-02-01T00:00:00.000+01:00', 1],
        ['2024-03-01T00:00:00.000+01:00', 0],
        ['2024-04-01T00:00:00.000+02:00', 1],
      ),
    },
    {
      name: 'more hours than a histogram may have',
      failing: { facet: field('at', 'date'), measure: by('hour') },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'a zone that nobody knows',
      failing: { facet: field('at', 'date'), measure: by('day', 'Europe/Atlantis') },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'a calendar of words',
      failing: { facet: field('kind', 'keyword'), measure: by('day') },
      code: 'BAD_USER_INPUT',
    },
    {
      name: 'a calendar of numbers',
      failing: { facet: field('size', 'long'), measure: by('day') },
      code: 'BAD_USER_INPUT',
    },
  ],
};
