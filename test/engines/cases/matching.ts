import { buckets, field, leaf, terms, type Check, type Collection } from './case.ts';

const listed = (
  name: string,
  matching: string,
  counts: readonly (readonly [string, number])[],
  size: number | null = null,
): Check => {
  const all = buckets(0, ...counts);
  const result = all.kind === 'terms' ? { ...all, buckets: all.buckets.slice(0, size ?? undefined) } : all;
  return { name, counted: 'name', sqon: {}, measure: { kind: 'terms', size, matching }, result };
};

/** Lists of the values that contain a text, which engines get folded. */
export const matching: Collection = {
  name: 'values that contain a text',
  mapping: {
    properties: {
      name: { type: 'keyword' },
      kind: { type: 'keyword' },
      ok: { type: 'boolean' },
      size: { type: 'integer' },
      parts: { type: 'nested', properties: { name: { type: 'keyword' } } },
    },
  },
  documents: {
    1: {
      name: ['Straße', 'Strasse', 'a.b*c'],
      kind: 'x',
      ok: true,
      size: 12,
      parts: [{ name: 'Élan' }, { name: 'elan' }],
    },
    2: { name: ['STRASSE', 'Ångström', 'Œuvre'], kind: 'y', ok: false, size: 21, parts: { name: 'Atelier' } },
    3: { name: ['Étude', 'E\u0301tude', 'ﬃ', 'aXbXc'], kind: 'x', size: 120 },
    4: { name: ['Straße', 'naïve', 'ÆON'], parts: { name: 'ÉLAN' } },
    5: { kind: 'z' },
  },
  checks: [
    listed('whatever the case', 'strasse', [
      ['Straße', 2],
      ['STRASSE', 1],
      ['Strasse', 1],
    ]),
    listed('up to the middle of a letter for two', 'stras', [
      ['Straße', 2],
      ['STRASSE', 1],
      ['Strasse', 1],
    ]),
    listed('from the middle of a letter for two on', 'se', [
      ['Straße', 2],
      ['STRASSE', 1],
      ['Strasse', 1],
    ]),
    listed('inside of a letter for three', 'f', [['ﬃ', 1]]),
    listed('letters for two at both ends', 'e', [
      ['Straße', 2],
      ['E\u0301tude', 1],
      ['STRASSE', 1],
      ['Strasse', 1],
      ['naïve', 1],
      ['ÆON', 1],
      ['Étude', 1],
      ['Œuvre', 1],
    ]),
    listed('accents within and apart', 'etude', [
      ['E\u0301tude', 1],
      ['Étude', 1],
    ]),
    listed('what patterns are made of', 'b*', [['a.b*c', 1]]),
    listed(
      'cut, with the number of all',
      'stra',
      [
        ['Straße', 2],
        ['STRASSE', 1],
        ['Strasse', 1],
      ],
      1,
    ),
    listed('nothing', 'zebra', []),
    {
      name: 'with top hits and filters',
      counted: 'name',
      sqon: {},
      measure: {
        kind: 'terms',
        size: 1,
        matching: 'ang',
        topHits: { source: ['kind'], size: 1 },
        filters: [terms(field('kind', 'keyword'), 'y'), terms(field('kind', 'keyword'), 'x')],
      },
      result: {
        kind: 'terms',
        buckets: [{ key: 'Ångström', count: 1, topHit: { kind: 'y' }, filtered: [1, 0] }],
        distinct: 1,
        missing: 0,
      },
    },
    {
      name: 'under a filter',
      counted: 'name',
      sqon: leaf('in', 'kind', 'x'),
      measure: { kind: 'terms', size: null, matching: 'stras' },
      result: buckets(0, ['Strasse', 1], ['Straße', 1]),
    },
    {
      name: 'of nested objects',
      counted: 'parts.name',
      sqon: {},
      measure: { kind: 'terms', size: 2, matching: 'ela' },
      result: { ...buckets(0, ['elan', 1], ['ÉLAN', 1]), distinct: 3 } as ReturnType<typeof buckets>,
    },
    {
      name: 'keys of booleans',
      counted: 'ok',
      sqon: {},
      measure: { kind: 'terms', size: 1, matching: '1' },
      result: {
        kind: 'terms',
        buckets: [{ key: '1', keyAsString: 'true', count: 1 }],
        distinct: 1,
        missing: 0,
      },
    },
    {
      name: 'keys of numbers',
      facet: field('size', 'integer'),
      measure: { kind: 'terms', size: 2, distinct: false, matching: '12' },
      result: buckets(0, ['12', 1], ['120', 1]),
    },
    {
      name: 'of a field that is not there',
      facet: field('nowhere', 'keyword'),
      measure: { kind: 'terms', size: null, matching: 'a' },
      result: buckets(0),
    },
  ],
};
