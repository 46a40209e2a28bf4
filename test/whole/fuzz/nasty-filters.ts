import { counted, countedInline, postedText } from './graphql-over-http.ts';
import type { NastyCase } from './nasty-case.ts';

const leaf = { op: 'in', content: { fieldName: 'title', value: ['a'] } };
const leafText = JSON.stringify(leaf);

/** Written as text: JSON.stringify itself would overflow. */
const nested = (levels: number, op = 'and'): string =>
  `${`{"op":"${op}","content":[`.repeat(levels)}${leafText}${']}'.repeat(levels)}`;
const inVariable = (filters: string) =>
  postedText(
    `{"query":"query($filters: JSON) { book { hits(filters: $filters) { total } } }","variables":{"filters":${filters}}}`,
  );
const inVariableOfVariables = (filters: string) =>
  postedText(
    JSON.stringify({
      query: 'query($filters: JSON) { book { hits(filters: $filters) { total } } }',
      variables: `{"filters":${filters}}`,
    }),
  );
const literalNested = (levels: number): string =>
  `${'{op: "and", content: ['.repeat(levels)}{op: "in", content: {fieldName: "title", value: ["a"]}}${']}'.repeat(levels)}`;

/** Filters that are not filters: each must be refused, none may count anything. */
const malformed: readonly (readonly [string, unknown])[] = [
  ['a number', 1],
  ['a text', 'title:a'],
  ['a filter as JSON text', leafText],
  ['a list', [leaf]],
  ['an empty list', []],
  ['true', true],
  ['no op', { content: [] }],
  ['op only', { op: 'and' }],
  ['an unknown op', { op: 'xor', content: [leaf] }],
  ['an op in capitals', { op: 'AND', content: [leaf] }],
  ['op as a list', { op: ['and'], content: [leaf] }],
  ['op __proto__', { op: '__proto__', content: [leaf] }],
  ['op constructor', { op: 'constructor', content: [leaf] }],
  ['op toString', { op: 'toString', content: [leaf] }],
  ['op hasOwnProperty', { op: 'hasOwnProperty', content: leaf.content }],
  ['content as an object', { op: 'and', content: leaf }],
  ['content null', { op: 'or', content: null }],
  ['content as text', { op: 'not', content: 'x' }],
  ['null in a group', { op: 'and', content: [null] }],
  ['{} in a group', { op: 'or', content: [{}] }],
  ['a leaf without content', { op: 'in' }],
  ['a leaf with a list as content', { op: 'in', content: ['title', 'a'] }],
  ['no fieldName', { op: 'in', content: { value: ['a'] } }],
  ['fieldName null', { op: 'in', content: { fieldName: null, value: ['a'] } }],
  ['fieldName as a list', { op: 'in', content: { fieldName: ['title'], value: ['a'] } }],
  ['an empty fieldName', { op: 'in', content: { fieldName: '', value: ['a'] } }],
  ['no value', { op: 'not-in', content: { fieldName: 'title' } }],
  ['value null', { op: 'not-in', content: { fieldName: 'title', value: null } }],
  ['null among the values', { op: 'not-in', content: { fieldName: 'title', value: [null] } }],
  ['an object as value', { op: 'not-in', content: { fieldName: 'title', value: {} } }],
  ['a list in a list', { op: 'not-in', content: { fieldName: 'title', value: [['a']] } }],
  ['between nothing', { op: 'between', content: { fieldName: 'pages', value: [] } }],
  ['text for a number', { op: 'gt', content: { fieldName: 'pages', value: ['many'] } }],
  ['Infinity as text', { op: 'lt', content: { fieldName: 'pages', value: ['Infinity'] } }],
  ['NaN as text', { op: 'lt', content: { fieldName: 'pages', value: ['NaN'] } }],
  ['no date', { op: 'gt', content: { fieldName: 'printed', value: ['soon'] } }],
  [
    'date maths without end',
    { op: 'gt', content: { fieldName: 'printed', value: [`now${'+1d'.repeat(9_000)}x`] } },
  ],
  ['a range over keywords of a nested path', { op: 'gt', content: { fieldName: 'copies', value: [1] } }],
  ['wildcard without fieldNames', { op: 'wildcard', content: { value: '*a*' } }],
  ['wildcard with a number', { op: 'wildcard', content: { fieldNames: ['title'], value: 1 } }],
  ['a pivot that is a list', { op: 'and', content: [leaf], pivot: ['copies'] }],
  ['a pivot that is not a nested path', { op: 'and', content: [leaf], pivot: 'title' }],
  ['a pivot __proto__', { op: 'and', content: [leaf], pivot: '__proto__' }],
  ['a pivot ../copies', { op: 'not', content: [leaf], pivot: '../copies' }],
];

/** Filters as text, each too much for a parser that recurses or for one that keeps no account. */
const tooMuch: readonly NastyCase[] = [
  ['30 000 levels in a variable', inVariable(nested(30_000)), 'refused'],
  ['30 000 levels of not', inVariable(nested(30_000, 'not')), 'refused'],
  ['30 000 levels in variables as text', inVariableOfVariables(nested(30_000)), 'refused'],
  ['1 001 levels', inVariable(nested(1_001)), 'refused'],
  ['a list of 200 000 levels', inVariable(`${'['.repeat(200_000)}${']'.repeat(200_000)}`), 'refused'],
  ['10 001 leaves', inVariable(`{"op":"or","content":[${Array(10_001).fill(leafText).join()}]}`), 'refused'],
  ['3 000 levels written out', countedInline(literalNested(3_000)), 'refused'],
  ['30 000 levels written out', countedInline(literalNested(30_000)), 'refused'],
  [
    'a literal list of 100 000 levels',
    countedInline(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    'refused',
  ],
  [
    'values 30 000 levels deep',
    inVariable(
      `{"op":"in","content":{"fieldName":"title","value":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`,
    ),
    'refused',
  ],
  [
    'a number past every double',
    inVariable('{"op":"in","content":{"fieldName":"pages","value":[1e400]}}'),
    'refused',
  ],
  ['__proto__ as a key that holds the filter', inVariable(`{"__proto__":${leafText}}`), 'refused'],
];

/** Odd but legal: what they count is known. */
const legal: readonly NastyCase[] = [
  ['null', counted(null), 'everything'],
  ['{}', counted({}), 'everything'],
  ['an empty group', counted({ op: 'or', content: [] }), 'everything'],
  ['390 levels written out', countedInline(literalNested(390)), 'survives'],
  ['900 levels', inVariable(nested(900)), 'survives'],
  ['9 999 leaves', inVariable(`{"op":"or","content":[${Array(9_998).fill(leafText).join()}]}`), 'survives'],
  [
    '100 000 values',
    counted({ op: 'in', content: { fieldName: 'title', value: Array(100_000).fill('q') } }),
    'nothing',
  ],
  ['an unknown field', counted({ op: 'in', content: { fieldName: '__proto__', value: ['a'] } }), 'nothing'],
  [
    'the field constructor',
    counted({ op: 'gt', content: { fieldName: 'constructor', value: [0] } }),
    'nothing',
  ],
  [
    'a path out of the document',
    counted({ op: 'in', content: { fieldName: '../../title', value: ['a'] } }),
    'nothing',
  ],
  [
    'a field name of a megabyte',
    counted({ op: 'in', content: { fieldName: 'x'.repeat(1_000_000), value: ['a'] } }),
    'nothing',
  ],
  [
    'a field of 100 000 segments',
    counted({ op: 'in', content: { fieldName: 'a.'.repeat(100_000), value: ['a'] } }),
    'nothing',
  ],
  [
    'NUL in a value',
    counted({ op: 'in', content: { fieldName: 'title', value: ['\u0000', 'a\u0000'] } }),
    'nothing',
  ],
  [
    'a lone surrogate',
    inVariable('{"op":"in","content":{"fieldName":"title","value":["\\ud800","\\udfff"]}}'),
    'nothing',
  ],
  [
    'an unfinished regular expression',
    counted({ op: 'in', content: { fieldName: 'title', value: ['*[(', '*(a+)+$'] } }),
    'survives',
  ],
  [
    'a pattern that backtracks',
    counted({ op: 'wildcard', content: { fieldNames: ['title', 'blurb'], value: `${'*a'.repeat(5_000)}b` } }),
    'survives',
  ],
  [
    'a regular expression that backtracks',
    counted({ op: 'in', content: { fieldName: 'title', value: [`*${'(a*)*'.repeat(40)}b`] } }),
    'survives',
  ],
  [
    'a set that is not there',
    counted({ op: 'in', content: { fieldName: 'title', value: ['set_id:../../etc/passwd'] } }),
    'survives',
  ],
  [
    'the least long',
    inVariable(
      '{"op":"in","content":{"fieldName":"isbn","value":["-9223372036854775808", 9223372036854775807]}}',
    ),
    'survives',
  ],
  [
    'a long past 64 bits',
    inVariable(`{"op":"gt","content":{"fieldName":"isbn","value":["${'9'.repeat(400)}"]}}`),
    'survives',
  ],
  [
    'a year past every date',
    counted({ op: 'gt', content: { fieldName: 'printed', value: ['+999999999-01-01'] } }),
    'survives',
  ],
  [
    'date maths past every date',
    counted({ op: 'lt', content: { fieldName: 'printed', value: ['now+9999999999999y'] } }),
    'survives',
  ],
];

/** What passes one catalogue has to pass the network, which plans and prints it anew. */
const inNetwork = (filters: string) =>
  postedText(
    `{"query":"query($filters: JSON) { network(filters: $filters) { total } }","variables":{"filters":${filters}}}`,
    '/network/graphql',
  );
const manyValues = JSON.stringify({
  op: 'in',
  content: { fieldName: 'title', value: Array(100_000).fill('q') },
});

const ofNetwork: readonly NastyCase[] = [
  ['30 000 levels', inNetwork(nested(30_000)), 'refused'],
  ['999 levels', inNetwork(nested(999)), 'survives'],
  ['999 levels of not', inNetwork(nested(999, 'not')), 'survives'],
  ['9 999 leaves', inNetwork(`{"op":"or","content":[${Array(9_998).fill(leafText).join()}]}`), 'survives'],
  ['100 000 values', inNetwork(manyValues), 'survives'],
  [
    'a pivot at every level',
    inNetwork(`${'{"op":"and","pivot":"copies","content":['.repeat(999)}${leafText}${']}'.repeat(999)}`),
    'survives',
  ],
];

export const nastyFilters: readonly NastyCase[] = [
  ...malformed.map(([name, filters]): NastyCase => [`filter: ${name}`, counted(filters), 'refused']),
  ...ofNetwork.map(([name, request, outcome]): NastyCase => [
    `filter of the network: ${name}`,
    request,
    outcome,
  ]),
  ...[...tooMuch, ...legal].map(([name, request, outcome]): NastyCase => [
    `filter: ${name}`,
    request,
    outcome,
  ]),
];
