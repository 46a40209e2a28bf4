import {
  allTerms,
  buckets,
  exists,
  field,
  leaf,
  pattern,
  range,
  search,
  sort,
  terms,
  upsert,
  type Collection,
} from './case.ts';

const ip = field('ip', 'ip');
const nanos = field('nanos', 'date_nanos');
const deep = field('items.ip', 'ip', 'items');

/** What addresses, normalized keywords and nanoseconds mean, whatever their spelling. */
const values: Collection = {
  name: 'typed values',
  rareTypes: ['ip'],
  mapping: {
    properties: {
      ip: { type: 'ip' },
      nanos: { type: 'date_nanos' },
      items: { type: 'nested', properties: { ip: { type: 'ip' } } },
    },
  },
  documents: {
    both: { ip: ['10.0.0.2', '::', '10.0.0.2'], nanos: ['1970-01-01', '2021-06-04T13:50:00.000000002Z'] },
    mapped: { ip: '::ffff:10.0.0.1', nanos: 1622814600001, items: { ip: '::0001' } },
    none: { ip: null },
    v4: {
      ip: '192.168.1.5',
      nanos: '2021-06-04T13:50:00.000000001Z',
    },
    v6: {
      ip: '2001:0DB8:0000:0000:0000:0000:0000:0001',
      nanos: '2021-06-04T13:50:00.000000002Z',
      items: [{ ip: '::1' }, { ip: '10.1.2.3' }],
    },
  },
  checks: [
    { name: 'in: another spelling', sqon: leaf('in', 'ip', '2001:db8::1'), ids: ['v6'] },
    { name: 'in: a mapped address as IPv4', sqon: leaf('in', 'ip', '10.0.0.1'), ids: ['mapped'] },
    { name: 'in: an IPv4 address as mapped', sqon: leaf('in', 'ip', '::FFFF:192.168.1.5'), ids: ['v4'] },
    { name: 'in: a block', sqon: leaf('in', 'ip', ['10.0.0.0/8']), ids: ['mapped', 'both'] },
    {
      name: 'in: a block and an address',
      sqon: leaf('in', 'ip', ['10.0.0.0/31', '2001:db8:0::1']),
      ids: ['mapped', 'v6'],
    },
    { name: 'in: a block of IPv6', sqon: leaf('in', 'ip', '2001:db8::/32'), ids: ['v6'] },
    { name: 'in: a block with bits of its hosts', sqon: leaf('in', 'ip', '192.168.77.77/16'), ids: ['v4'] },
    { name: 'in: all of IPv4', sqon: leaf('in', 'ip', '0.0.0.0/0'), ids: ['v4', 'mapped', 'both'] },
    { name: 'not-in: a block', sqon: leaf('not-in', 'ip', '10.0.0.0/8'), ids: ['v4', 'v6', 'none'] },
    { name: 'all: a block and an address', sqon: leaf('all', 'ip', ['10.0.0.0/8', '::']), ids: ['both'] },
    { name: 'in a nested object', sqon: leaf('in', 'items.ip', '0:0:0:0:0:0:0:1'), ids: ['v6', 'mapped'] },
    { name: 'addresses missing', sqon: leaf('in', 'ip', '__missing__'), ids: ['none'] },
    {
      name: 'an address that is none',
      sqon: leaf('in', 'ip', 'abc'),
      code: 'BAD_USER_INPUT',
      naming: ['abc', '10.0.0.0/8'],
    },
    {
      name: 'a block that is none',
      sqon: leaf('in', 'ip', '10.0.0.0/33'),
      code: 'BAD_USER_INPUT',
      naming: ['/33'],
    },
    {
      name: 'a mapped block',
      sqon: leaf('in', 'ip', '::ffff:10.0.0.0/104'),
      code: 'BAD_USER_INPUT',
      naming: ['104'],
    },
    {
      name: 'a pattern of addresses',
      sqon: leaf('in', 'ip', '10.*'),
      code: 'BAD_USER_INPUT',
      naming: ['10.*'],
    },
    {
      name: 'a block as a bound',
      sqon: leaf('gt', 'ip', '10.0.0.0/8'),
      code: 'BAD_USER_INPUT',
      naming: ['10.0.0.0/8'],
    },
    { name: 'gt: by address', sqon: leaf('gt', 'ip', '10.0.0.2'), ids: ['v4', 'v6'] },
    { name: 'lt: by address', sqon: leaf('lt', 'ip', '10.0.0.2'), ids: ['mapped', 'both'] },
    {
      name: 'between addresses',
      sqon: leaf('between', 'ip', ['10.0.0.2', '192.168.1.5']),
      ids: ['v4', 'both'],
    },
    {
      name: 'facet of addresses',
      facet: ip,
      measure: allTerms,
      result: buckets(1, ['10.0.0.1', 1], ['10.0.0.2', 1], ['192.168.1.5', 1], ['2001:db8::1', 1], ['::', 1]),
    },
    {
      name: 'facet of nested addresses',
      facet: deep,
      measure: allTerms,
      result: buckets(0, ['::1', 2], ['10.1.2.3', 1]),
    },
    {
      name: 'facet of addresses with a text',
      facet: ip,
      measure: { ...allTerms, matching: '10.0' } as typeof allTerms,
      result: buckets(0, ['10.0.0.1', 1], ['10.0.0.2', 1]),
    },
    {
      name: 'cardinality of addresses',
      facet: ip,
      measure: { kind: 'cardinality' },
      result: { kind: 'cardinality', value: 5, exact: true },
    },
    {
      name: 'addresses ascending',
      hits: { sort: [sort(ip, 'asc', 'last')], size: 5 },
      ids: ['both', 'mapped', 'v4', 'v6', 'none'],
      cursors: [['::'], ['10.0.0.1'], ['192.168.1.5'], ['2001:db8::1'], [null]],
    },
    {
      name: 'pages of addresses descending',
      walk: { sort: [sort(ip, 'desc', 'first')] },
      size: 1,
      ids: ['none', 'v6', 'v4', 'both', 'mapped'],
    },
    { name: 'a malformed address', write: { ip: '10.0.0' }, status: 'refused', naming: ['10.0.0'] },

    { name: 'in: a nanosecond', sqon: leaf('in', 'nanos', '2021-06-04T13:50:00.000000001Z'), ids: ['v4'] },
    {
      name: 'in: a second',
      sqon: leaf('in', 'nanos', '2021-06-04T13:50:00'),
      ids: ['v4', 'v6', 'mapped', 'both'],
    },
    {
      name: 'in: a millisecond as text',
      sqon: leaf('in', 'nanos', '2021-06-04T13:50:00.001'),
      ids: ['mapped'],
    },
    { name: 'in: a day', sqon: leaf('in', 'nanos', '1970-01-01'), ids: ['both'] },
    {
      name: 'gt: a nanosecond',
      sqon: leaf('gt', 'nanos', '2021-06-04T13:50:00.000000001Z'),
      ids: ['v6', 'mapped', 'both'],
    },
    {
      name: 'lt: a nanosecond',
      sqon: leaf('lt', 'nanos', '2021-06-04T13:50:00.000000002Z'),
      ids: ['v4', 'both'],
    },
    {
      name: 'lte: milliseconds hold their nanoseconds',
      sqon: leaf('lte', 'nanos', 1622814600000),
      ids: ['v4', 'v6', 'both'],
    },
    {
      name: 'lte: three digits are exact',
      sqon: leaf('lte', 'nanos', '2021-06-04T13:50:00.000'),
      ids: ['both'],
    },
    {
      name: 'lte: rounded to the day',
      sqon: leaf('lte', 'nanos', '2021-06-04||/d'),
      ids: ['v4', 'v6', 'mapped', 'both'],
    },
    { name: 'nanoseconds missing', sqon: leaf('in', 'nanos', '__missing__'), ids: ['none'] },
    {
      name: 'nanoseconds ascending',
      hits: { sort: [sort(nanos, 'asc', 'last', 'max')], size: 5 },
      ids: ['v4', 'both', 'v6', 'mapped', 'none'],
      cursors: [
        ['1622814600000000001'],
        ['1622814600000000002'],
        ['1622814600000000002'],
        ['1622814600001000000'],
        ['9223372036854775807'],
      ],
    },
    {
      name: 'pages of nanoseconds descending',
      walk: { sort: [sort(nanos, 'desc', 'last', 'min')] },
      size: 1,
      ids: ['mapped', 'v6', 'v4', 'both', 'none'],
    },
    {
      name: 'facet of nanoseconds by milliseconds',
      facet: nanos,
      measure: allTerms,
      result: buckets(1, ['1622814600000', 3], ['0', 1], ['1622814600001', 1]),
    },
    {
      name: 'stats of nanoseconds in milliseconds',
      facet: nanos,
      measure: { kind: 'stats' },
      filter: range(nanos, { gt: '63072000000000000' }),
      result: {
        kind: 'stats',
        count: 5,
        min: 0,
        max: 1622814600001,
        sum: 6491258400001,
        avg: 1298251680000.2,
      },
    },
    {
      name: 'ranges of nanoseconds',
      facet: nanos,
      measure: { kind: 'range', ranges: [{ key: 'a', from: 1622814600000, to: 1622814600001 }] },
      result: { kind: 'range', buckets: [{ key: 'a', count: 3 }] },
    },
    { name: 'a bound in milliseconds', sqon: leaf('gt', 'nanos', 1622814600000), ids: ['mapped'] },
    { name: 'a date before 1970', write: { nanos: '1969-12-31' }, status: 'refused', naming: ['1969-12-31'] },
    { name: 'nanoseconds exist', filter: exists(nanos), ids: ['v4', 'v6', 'mapped', 'both'] },
    {
      name: 'what is written later',
      operations: [
        [upsert('v4', { ip: '::a', nanos: '2021-06-04T13:50:00.000000003Z' }), 'updated'],
        [upsert('new', { ip: '0:0::000A' }), 'created'],
      ],
      found: terms(ip, '::a'),
      ids: ['new', 'v4'],
    },
  ],
};

/** Nanoseconds that numbers hold exactly, in documents with several of them, page by page. */
const earlyNanos: Collection = {
  name: 'early nanoseconds',
  rareTypes: ['date_nanos'],
  mapping: { properties: { nanos: { type: 'date_nanos' } } },
  documents: {
    epoch: { nanos: '1970-01-01' },
    second: { nanos: '1970-01-01T00:00:01Z' },
    two: { nanos: ['1970-01-02T00:00:00.000000001Z', '1970-01-04T00:00:00.000000003Z'] },
    day: { nanos: '1970-01-05' },
    late: { nanos: '2021-06-04T13:50:00.000000001Z' },
    none: {},
  },
  checks: [
    {
      name: 'ascending',
      walk: { sort: [sort(nanos, 'asc', 'last', 'min')] },
      size: 1,
      ids: ['epoch', 'second', 'two', 'day', 'late', 'none'],
    },
    {
      name: 'descending',
      walk: { sort: [sort(nanos, 'desc', 'last', 'max')] },
      size: 1,
      ids: ['late', 'day', 'two', 'second', 'epoch', 'none'],
    },
    {
      name: 'by the average',
      walk: { sort: [sort(nanos, 'asc', 'last', 'avg')] },
      size: 1,
      ids: ['epoch', 'second', 'two', 'day', 'late', 'none'],
    },
    {
      name: 'by the sum',
      walk: { sort: [sort(nanos, 'desc', 'last', 'sum')] },
      size: 1,
      ids: ['late', 'two', 'day', 'second', 'epoch', 'none'],
    },
    {
      name: 'the cursor of an average',
      hits: { sort: [sort(nanos, 'desc', 'last', 'median')], size: 3 },
      cursors: [['1622814600000000001'], [345_600_000_000_000], [172_800_000_000_002]],
    },
  ],
};

const folded = { ...field('folded', 'keyword'), normalized: true as const };
const trimmed = { ...field('trimmed', 'keyword'), normalized: true as const };

/** A keyword with a normalizer is what that makes of its values. */
const normalized: Collection = {
  name: 'normalized keywords',
  rareTypes: ['asciifolding'],
  settings: {
    analysis: {
      filter: { plain: { type: 'asciifolding', preserve_original: false } },
      normalizer: {
        folded: { type: 'custom', filter: ['lowercase', 'plain'] },
        trimmed: { filter: 'trim' },
      },
    },
  },
  mapping: {
    properties: {
      folded: { type: 'keyword', normalizer: 'folded' },
      trimmed: { type: 'keyword', normalizer: 'trimmed' },
      built: { type: 'keyword', normalizer: 'lowercase' },
    },
  },
  documents: {
    both: { folded: ['Straße', 'STRASSE'] },
    mapped: { folded: 'Lyön' },
    none: { folded: null },
    v4: { folded: 'Lyon', trimmed: ' a ', built: 'ÀB' },
    v6: { folded: 'LYON', trimmed: 'a' },
  },
  checks: [
    {
      name: 'in: as the normalizer makes it',
      sqon: leaf('in', 'folded', 'lyon'),
      ids: ['v4', 'v6', 'mapped'],
    },
    {
      name: 'in: as another document writes it',
      sqon: leaf('in', 'folded', 'LYÖN'),
      ids: ['v4', 'v6', 'mapped'],
    },
    { name: 'not-in: normalized', sqon: leaf('not-in', 'folded', 'Lyon'), ids: ['both', 'none'] },
    { name: 'in: a normalized pattern', sqon: leaf('in', 'folded', 'LYÖ*'), ids: ['v4', 'v6', 'mapped'] },
    { name: 'starts-with: normalized', sqon: leaf('starts-with', 'folded', 'STRAß'), ids: ['both'] },
    { name: 'wildcard: normalized', filter: pattern(folded, 'LY?N', true), ids: ['v4', 'v6', 'mapped'] },
    {
      name: 'facet of normalized values',
      facet: folded,
      measure: allTerms,
      result: buckets(1, ['lyon', 3], ['strasse', 1]),
    },
    {
      name: 'pages of normalized values',
      walk: { sort: [sort(folded, 'desc', 'last')] },
      size: 1,
      ids: ['both', 'mapped', 'v4', 'v6', 'none'],
    },
    { name: 'in: trimmed', sqon: leaf('in', 'trimmed', '  a'), ids: ['v4', 'v6'] },
    { name: 'facet of trimmed values', facet: trimmed, measure: allTerms, result: buckets(3, ['a', 2]) },
    { name: 'in: by the built-in normalizer', sqon: leaf('in', 'built', 'àB'), ids: ['v4'] },
    { name: 'in: the built-in normalizer keeps accents', sqon: leaf('in', 'built', 'ab'), ids: [] },
  ],
};

const constant = { ...field('site', 'constant_keyword'), constant: 'A*1' };

/** A constant_keyword is the mapping's value in every document. */
const constants: Collection = {
  name: 'constant keywords',
  rareTypes: ['constant_keyword'],
  mapping: { properties: { site: { type: 'constant_keyword', value: 'A*1' }, name: { type: 'keyword' } } },
  documents: { a: { name: 'a' }, b: { name: 'b', site: 'A*1' }, c: {} },
  checks: [
    { name: 'in: its value', sqon: leaf('in', 'site', ['A*1']), ids: ['a', 'b', 'c'] },
    { name: 'in: another value', sqon: leaf('in', 'site', 'B'), ids: [] },
    { name: 'not-in: its value', sqon: leaf('not-in', 'site', 'A*1'), ids: [] },
    { name: 'is: its value', sqon: leaf('is', 'site', 'A*1'), ids: ['a', 'b', 'c'] },
    { name: 'starts-with', sqon: leaf('starts-with', 'site', 'A'), ids: ['a', 'b', 'c'] },
    { name: 'it is never missing', sqon: leaf('in', 'site', '__missing__'), ids: [] },
    { name: 'facet', facet: constant, measure: allTerms, result: buckets(0, ['A*1', 3]) },
    {
      name: 'facet with a text',
      facet: constant,
      measure: { ...allTerms, matching: 'a' } as typeof allTerms,
      result: buckets(0, ['A*1', 3]),
    },
    {
      name: 'facet without the text',
      facet: constant,
      measure: { ...allTerms, matching: 'b' } as typeof allTerms,
      result: buckets(0),
    },
    {
      name: 'facet of some documents',
      facet: constant,
      measure: allTerms,
      filter: terms(field('name', 'keyword'), 'a'),
      result: buckets(0, ['A*1', 1]),
    },
    {
      name: 'facet of no documents',
      facet: constant,
      measure: allTerms,
      filter: terms(field('name', 'keyword'), 'x'),
      result: buckets(0),
    },
    {
      name: 'cardinality',
      facet: constant,
      measure: { kind: 'cardinality' },
      result: { kind: 'cardinality', value: 1, exact: true },
    },
    { name: 'sort values', hits: { sort: [sort(constant)], size: 3 }, cursors: [['A*1'], ['A*1'], ['A*1']] },
    {
      name: 'pages',
      walk: { sort: [sort(constant), sort(field('name', 'keyword'), 'desc', 'first')] },
      size: 1,
      ids: ['c', 'b', 'a'],
    },
    { name: 'another value in a document', write: { site: 'B' }, status: 'refused', naming: ['site'] },
  ],
};

const version = field('v', 'version');

/** Versions sort as semantic versioning says. */
const versions: Collection = {
  name: 'versions',
  rareTypes: ['version'],
  mapping: { properties: { v: { type: 'version' } } },
  documents: {
    nine: { v: '1.2.9' },
    ten: { v: '1.2.10' },
    alpha: { v: '1.2.10-alpha' },
    beta: { v: '1.2.10-alpha.2' },
    eleven: { v: '1.2.10-alpha.11' },
    build: { v: '1.2.10+b1' },
    odd: { v: 'unreleased' },
    two: { v: ['2', '1.2.9'] },
    none: {},
  },
  checks: [
    { name: 'in', sqon: leaf('in', 'v', '1.2.9'), ids: ['nine', 'two'] },
    { name: 'in: a pattern', sqon: leaf('in', 'v', '1.2.10-*'), ids: ['alpha', 'beta', 'eleven'] },
    { name: 'starts-with', sqon: leaf('starts-with', 'v', 'unrel'), ids: ['odd'] },
    {
      name: 'gt',
      sqon: leaf('gt', 'v', '1.2.9'),
      ids: ['ten', 'alpha', 'beta', 'eleven', 'build', 'odd', 'two'],
    },
    {
      name: 'lt: pre-releases',
      sqon: leaf('lt', 'v', '1.2.10'),
      ids: ['nine', 'alpha', 'beta', 'eleven', 'two'],
    },
    {
      name: 'between',
      sqon: leaf('between', 'v', ['1.2.10-alpha.2', '1.2.10']),
      ids: ['beta', 'eleven', 'ten'],
    },
    {
      name: 'bounds in the wrong order',
      sqon: leaf('between', 'v', ['1.2.10', '1.2.9']),
      code: 'BAD_USER_INPUT',
      naming: ['lower bound'],
    },
    {
      name: 'ascending',
      hits: { sort: [sort(version, 'asc', 'last', 'max')], size: 9 },
      ids: ['nine', 'alpha', 'beta', 'eleven', 'ten', 'build', 'two', 'odd', 'none'],
    },
    {
      name: 'pages descending',
      walk: { sort: [sort(version, 'desc', 'last', 'max')] },
      size: 1,
      ids: ['odd', 'two', 'build', 'ten', 'eleven', 'beta', 'alpha', 'nine', 'none'],
    },
    {
      name: 'facet',
      facet: version,
      measure: { kind: 'terms', size: 3 },
      result: {
        kind: 'terms',
        buckets: [
          { key: '1.2.9', count: 2 },
          { key: '1.2.10', count: 1 },
          { key: '1.2.10+b1', count: 1 },
        ],
        distinct: 8,
        missing: 1,
      },
    },
  ],
};

/** Multi-fields and aliases are fields of their own in all but documents. */
const otherNames: Collection = {
  name: 'multi-fields and aliases',
  mapping: {
    properties: {
      title: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 9 } } },
      size: { type: 'long' },
      bytes: { type: 'alias', path: 'size' },
      items: {
        type: 'nested',
        properties: { k: { type: 'keyword' }, key: { type: 'alias', path: 'items.k' } },
      },
    },
  },
  documents: {
    a: { title: 'Red Fox', size: 5, items: [{ k: 'x' }, { k: 'y' }] },
    b: { title: ['red hen', 'Red Fox'], size: [7, '9007199254740993'] },
    c: { title: 'longer than nine' },
  },
  checks: [
    { name: 'in: the whole text', sqon: leaf('in', 'title.keyword', 'Red Fox'), ids: ['a', 'b'] },
    { name: 'in: a word of the text', sqon: leaf('in', 'title', 'red'), ids: ['a', 'b'] },
    {
      name: 'missing: what the multi-field leaves out',
      sqon: leaf('in', 'title.keyword', '__missing__'),
      ids: ['c'],
    },
    {
      name: 'facet',
      facet: field('title.keyword', 'keyword'),
      measure: allTerms,
      result: buckets(1, ['Red Fox', 2], ['red hen', 1]),
    },
    {
      name: 'pages',
      walk: { sort: [sort(field('title.keyword', 'keyword'), 'desc', 'last', 'max')] },
      size: 1,
      ids: ['b', 'a', 'c'],
    },
    {
      name: 'a facet through an alias',
      counted: 'bytes',
      sqon: null,
      measure: allTerms,
      result: buckets(1, ['5', 1], ['7', 1], ['9007199254740993', 1]),
    },
    { name: 'gt: through an alias', sqon: leaf('gt', 'bytes', 5), ids: ['b'] },
    { name: 'missing through an alias', sqon: leaf('in', 'bytes', '__missing__'), ids: ['c'] },
    { name: 'in: a nested alias', sqon: leaf('in', 'items.key', 'y'), ids: ['a'] },
    {
      name: 'wildcard: multi-fields and aliases',
      sqon: search(['title.keyword', 'items.key'], 'r*'),
      ids: ['a', 'b'],
    },
  ],
};

/** A range field holds what lies between its ends, and is found by what overlaps it. */
const ranges: Collection = {
  name: 'ranges',
  rareTypes: ['integer_range'],
  mapping: {
    properties: {
      age: { type: 'integer_range' },
      size: { type: 'long_range' },
      x: { type: 'double_range' },
      time: { type: 'date_range' },
      net: { type: 'ip_range' },
      items: { type: 'nested', properties: { age: { type: 'integer_range' } } },
    },
  },
  documents: {
    a: {
      age: { gte: 1, lt: 5 },
      size: { gte: '9007199254740993', lte: '9007199254740993' },
      x: { gt: 0.5, lte: 1 },
      time: { gte: '2020-01-01', lte: '2020-12-31' },
      net: '10.0.0.0/8',
      items: [{ age: { gte: 1, lte: 2 } }, { age: { gte: 8, lte: 9 } }],
    },
    b: {
      age: [{ gt: 5, lte: 9 }, { gte: 20 }],
      x: { lt: 0 },
      time: { gt: '2020-12-31', lt: '2021-02-01' },
      net: { gte: '2001:db8::1', lte: '2001:db8::ff' },
    },
    c: { age: { gte: 40, lte: null }, time: { lt: 0 } },
    none: { age: null },
  },
  checks: [
    { name: 'in: between the ends', sqon: leaf('in', 'age', 4), ids: ['a'] },
    { name: 'in: an end that is left out', sqon: leaf('in', 'age', 5), ids: [] },
    { name: 'in: any of the values', sqon: leaf('in', 'age', [1, '6']), ids: ['a', 'b'] },
    { name: 'in: an open end', sqon: leaf('in', 'age', 50), ids: ['b', 'c'] },
    { name: 'in: no whole number', sqon: leaf('in', 'age', 1.5), ids: [] },
    { name: 'in: beyond the type', sqon: leaf('in', 'age', 3000000000), ids: [] },
    { name: 'in: no number', sqon: leaf('in', 'age', 'x'), code: 'BAD_USER_INPUT', naming: ['x'] },
    { name: 'not-in', sqon: leaf('not-in', 'age', 6), ids: ['a', 'c', 'none'] },
    { name: 'all: in several ranges', sqon: leaf('all', 'age', [7, 50]), ids: ['b'] },
    { name: 'missing', sqon: leaf('in', 'age', '__missing__'), ids: ['none'] },
    { name: 'between: what overlaps', sqon: leaf('between', 'age', [4, 6]), ids: ['a', 'b'] },
    { name: 'between: a gap', sqon: leaf('between', 'age', [10, 19]), ids: [] },
    { name: 'between: no whole number lies there', sqon: leaf('between', 'age', [1.2, 1.8]), ids: [] },
    { name: 'between: beyond the type', sqon: leaf('between', 'age', [30, 3000000000]), ids: ['b', 'c'] },
    { name: 'gt', sqon: leaf('gt', 'age', 9), ids: ['b', 'c'] },
    { name: 'gt: no whole number', sqon: leaf('gt', 'age', 3.5), ids: ['a', 'b', 'c'] },
    { name: 'lt', sqon: leaf('lt', 'age', 1), ids: [] },
    { name: 'lte', sqon: leaf('lte', 'age', 1), ids: ['a'] },
    { name: 'in: a long past 2^53', sqon: leaf('in', 'size', '9007199254740993'), ids: ['a'] },
    { name: 'in: its neighbour', sqon: leaf('in', 'size', '9007199254740992'), ids: [] },
    { name: 'in: a fraction', sqon: leaf('in', 'x', 0.75), ids: ['a'] },
    { name: 'in: the end that a fraction is above', sqon: leaf('in', 'x', 0.5), ids: [] },
    { name: 'lt: fractions', sqon: leaf('lt', 'x', -1), ids: ['b'] },
    { name: 'in: a day', sqon: leaf('in', 'time', '2020-05-01'), ids: ['a'] },
    { name: 'in: the day of an end', sqon: leaf('in', 'time', '2020-12-31'), ids: ['a', 'b'] },
    { name: 'in: a year', sqon: leaf('in', 'time', '2020'), ids: ['a', 'b'] },
    { name: 'between dates', sqon: leaf('between', 'time', ['2021-01-31', '2030-01-01']), ids: ['b'] },
    { name: 'between dates before 1970', sqon: leaf('between', 'time', ['1950', '1960']), ids: ['c'] },
    { name: 'in: an address', sqon: leaf('in', 'net', '::ffff:10.2.3.4'), ids: ['a'] },
    { name: 'in: a block of addresses', sqon: leaf('in', 'net', '2001:db8::/64'), ids: ['b'] },
    { name: 'gt: addresses', sqon: leaf('gt', 'net', '10.255.255.254'), ids: ['a', 'b'] },
    { name: 'in a nested object', sqon: leaf('in', 'items.age', 8), ids: ['a'] },
    { name: 'in one nested object', sqon: leaf('all', 'items.age', [2, 8], 'items'), ids: [] },
    { name: 'ranges exist', filter: exists(field('net', 'ip_range')), ids: ['a', 'b'] },
    { name: 'the ends in the wrong order', write: { age: { gte: 5, lte: 4 } }, status: 'refused' },
    { name: 'a number is not a range', write: { age: 5 }, status: 'refused' },
    { name: 'an end that is not a number', write: { age: { gte: 'x' } }, status: 'refused' },
  ],
};

const flat = field('flat', 'flattened');
const keyOf = (key: string, nestedIn?: string): typeof flat => ({
  ...field(
    `${nestedIn === undefined ? '' : `${nestedIn}.`}flat.${key}`,
    'keyword',
    ...(nestedIn === undefined ? [] : [nestedIn]),
  ),
  keyOf: nestedIn === undefined ? 'flat' : `${nestedIn}.flat`,
});

/** A flattened field has the values in an object, and each of its keys is a field. */
const flattened: Collection = {
  name: 'flattened fields',
  rareTypes: ['flattened'],
  mapping: {
    properties: {
      flat: { type: 'flattened' },
      items: { type: 'nested', properties: { flat: { type: 'flattened' }, k: { type: 'keyword' } } },
    },
  },
  documents: {
    a: {
      flat: { a: 'x', b: { c: 'y', d: ['z', 'x'] } },
      items: [
        { flat: { a: '1' }, k: 'p' },
        { flat: { a: '2', b: '1' }, k: 'q' },
      ],
    },
    numbers: { flat: { a: 1.5, b: true, e: null } },
    lists: { flat: [{ a: 'L1' }, { a: ['L2', 'y'], 'b.c': 'dotted' }] },
    deep: { flat: { a: { deep: 'y' }, 'k k': '', ab: 'x' } },
    star: { flat: { a: 'HLA-A*02:01' } },
    digits: { flat: { a: '9007199254740993' }, items: { flat: {}, k: 'r' } },
    none: { flat: null },
    empty: { flat: {} },
  },
  checks: [
    { name: 'in: at any key', sqon: leaf('in', 'flat', 'y'), ids: ['a', 'lists', 'deep'] },
    { name: 'in: at a key', sqon: leaf('in', 'flat.a', 'y'), ids: ['lists'] },
    { name: 'in: at a key below', sqon: leaf('in', 'flat.b.c', ['y', 'dotted']), ids: ['a', 'lists'] },
    { name: 'in: a number and a boolean', sqon: leaf('in', 'flat', [1.5]), ids: ['numbers'] },
    { name: 'in: a boolean at its key', sqon: leaf('in', 'flat.b', [true]), ids: ['numbers'] },
    { name: 'in: a value with a star', sqon: leaf('in', 'flat.a', 'HLA-A*02:01'), ids: ['star'] },
    { name: 'in: all digits', sqon: leaf('in', 'flat.a', '9007199254740993'), ids: ['digits'] },
    { name: 'in: other digits', sqon: leaf('in', 'flat', '9007199254740992'), ids: [] },
    { name: 'in: the empty string', sqon: leaf('in', 'flat.k k', ''), ids: ['deep'] },
    { name: 'in: an object is not a value', sqon: leaf('in', 'flat.b', 'y'), ids: [] },
    { name: 'in: a prefix at a key', sqon: leaf('in', 'flat.a', ['L*', 'HLA*']), ids: ['lists', 'star'] },
    { name: 'in: a prefix at any key', sqon: leaf('in', 'flat', 'dot*'), ids: ['lists'] },
    { name: 'is: at a key', sqon: leaf('is', 'flat.a', ['x', 'L*']), ids: ['a'] },
    {
      name: 'not-in: at a key',
      sqon: leaf('not-in', 'flat.a', ['x', 'y']),
      ids: ['numbers', 'deep', 'star', 'digits', 'none', 'empty'],
    },
    { name: 'all: at any key', sqon: leaf('all', 'flat', ['x', 'y']), ids: ['a', 'deep'] },
    { name: 'all: at a key', sqon: leaf('all', 'flat.b.d', ['x', 'z']), ids: ['a'] },
    { name: 'missing', sqon: leaf('in', 'flat', '__missing__'), ids: ['none', 'empty'] },
    { name: 'missing at a key', sqon: leaf('in', 'flat.a', '__missing__'), ids: ['deep', 'none', 'empty'] },
    { name: 'missing at a key that no document has', sqon: leaf('not-in', 'flat.x', '__missing__'), ids: [] },
    { name: 'exists at a key below', filter: exists(keyOf('b.c')), ids: ['a', 'lists'] },
    { name: 'a text within any value', sqon: search(['flat'], '*ott*'), ids: ['lists'] },
    { name: 'in a nested object', sqon: leaf('in', 'items.flat.a', '2'), ids: ['a'] },
    {
      name: 'in one nested object',
      sqon: {
        op: 'and',
        pivot: 'items',
        content: [leaf('in', 'items.flat.a', '1'), leaf('in', 'items.k', 'q')],
      },
      ids: [],
    },
    { name: 'a text is not an object', write: { flat: 'x' }, status: 'refused', naming: ['flat'] },
    {
      name: 'facet',
      facet: flat,
      measure: { kind: 'terms', size: 3 },
      result: {
        kind: 'terms',
        buckets: [
          { key: 'y', count: 3 },
          { key: 'x', count: 2 },
          { key: '', count: 1 },
        ],
        distinct: 11,
        missing: 2,
      },
    },
    {
      name: 'facet of a key',
      facet: keyOf('a'),
      measure: allTerms,
      result: buckets(
        3,
        ['1.5', 1],
        ['9007199254740993', 1],
        ['HLA-A*02:01', 1],
        ['L1', 1],
        ['L2', 1],
        ['x', 1],
        ['y', 1],
      ),
    },
    {
      name: 'facet of a key below',
      facet: keyOf('b.c'),
      measure: allTerms,
      result: buckets(6, ['dotted', 1], ['y', 1]),
    },
    { name: 'facet of a key that no document has', facet: keyOf('x'), measure: allTerms, result: buckets(8) },
    {
      name: 'facet of a key with a text',
      facet: keyOf('a'),
      measure: { ...allTerms, matching: 'l' } as typeof allTerms,
      result: buckets(0, ['HLA-A*02:01', 1], ['L1', 1], ['L2', 1]),
    },
    {
      name: 'facet of a nested key',
      facet: keyOf('a', 'items'),
      measure: allTerms,
      result: buckets(1, ['1', 1], ['2', 1]),
    },
    {
      name: 'cardinality of a key',
      facet: keyOf('a'),
      measure: { kind: 'cardinality' },
      result: { kind: 'cardinality', value: 7, exact: true },
    },
    {
      name: 'sorted by a key',
      hits: { sort: [sort(keyOf('a'), 'desc', 'last', 'max')], size: 5 },
      ids: ['lists', 'a', 'star', 'digits', 'numbers'],
      cursors: [['y'], ['x'], ['HLA-A*02:01'], ['9007199254740993'], ['1.5']],
    },
    {
      name: 'pages sorted by a key',
      walk: { sort: [sort(keyOf('a'), 'asc', 'first')], filter: exists(flat) },
      size: 1,
      ids: ['deep', 'numbers', 'digits', 'star', 'lists', 'a'],
    },
    {
      name: 'what is written later',
      operations: [
        [upsert('a', { flat: { a: 'new' } }), 'updated'],
        [upsert('late', { flat: { a: 'new', fresh: { key: 'v' } } }), 'created'],
      ],
      found: terms(keyOf('a'), 'new'),
      ids: ['a', 'late'],
    },
  ],
};

export const typedValues: readonly Collection[] = [
  flattened,
  ranges,
  otherNames,
  values,
  earlyNanos,
  normalized,
  constants,
  versions,
];
