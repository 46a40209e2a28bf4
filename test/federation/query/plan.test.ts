import test from 'ava';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import type { NodeView } from '../../../src/federation/nodes/node-view.ts';
import type { NodeConfig } from '../../../src/federation/config/nodes.ts';
import { plan } from '../../../src/federation/query/plan.ts';
import { networkFacets, type NodesQuery } from '../../../src/federation/query/network-query.ts';
import { parseSqon, printSqon } from '../../../src/sqon/parse.ts';
import { fieldsOf } from '../collection.ts';
import { nodeView } from '../node-fixtures.ts';

const types = {
  title: 'keyword',
  makers: 'nested',
  'makers.name': 'keyword',
  'makers.born': 'long',
  year: 'long',
};
const other = nodeView('other', fieldsOf({ ...types, rare: 'keyword', note: 'text' }));
const here = (overrides: Partial<NodeConfig> = {}, own: Record<string, string> = types): NodeView =>
  nodeView('here', fieldsOf(own), undefined, overrides);

const planHere = (filters: unknown, node: NodeView, more: Partial<NodesQuery> = {}) => {
  const nodes = [other, node];
  const question: NodesQuery = {
    filters: parseSqon(filters),
    filterThemselves: false,
    includeMissing: true,
    only: null,
    facets: [],
    hits: { first: 0, offset: 0, sort: [], after: null, trackTotal: true, fields: [] },
    ...more,
  };
  return plan(question, networkFields(new Map(), nodes), nodes)[1]!;
};

/** The filter as sent: "nothing" when the node is not queried. */
const filterHere = (filters: unknown, node: NodeView = here()): unknown => {
  const made = planHere(filters, node);
  return made.kind === 'query' ? printSqon(made.query.filters) : 'nothing';
};

const is = (fieldName: string, ...value: unknown[]) => ({ op: 'in', content: { fieldName, value } });
const not = (fieldName: string, ...value: unknown[]) => ({ op: 'not-in', content: { fieldName, value } });
const of = (op: string, ...content: unknown[]) => ({ op, content });

const constants: readonly (readonly [string, unknown, unknown])[] = [
  ['in is false', is('rare', 'x'), 'nothing'],
  ['all is false', { op: 'all', content: { fieldName: 'rare', value: ['x'] } }, 'nothing'],
  ['a range is false', { op: 'gt', content: { fieldName: 'rare', value: [1] } }, 'nothing'],
  ['a wildcard is false', { op: 'wildcard', content: { fieldNames: ['rare'], value: '*' } }, 'nothing'],
  ['missing is false', is('rare', '__missing__'), 'nothing'],
  ['not missing is false', not('rare', '__missing__'), 'nothing'],
  ['not of missing is false', of('not', is('rare', '__missing__')), 'nothing'],
  ['not of not missing is false', of('not', not('rare', 'x', '__missing__')), 'nothing'],
  ['not-in is true', not('rare', 'x'), null],
  ['some-not-in is true', { op: 'some-not-in', content: { fieldName: 'rare', value: ['x'] } }, null],
  ['an and with a false is false', of('and', is('title', 'a'), is('rare', 'x')), 'nothing'],
  ['an or with a true is true', of('or', is('title', 'a'), not('rare', 'x')), null],
  ['none of a false one is true', of('not', is('rare', 'x')), null],
  ['none of a true one is false', of('not', not('rare', 'x'), is('title', 'a')), 'nothing'],
];

for (const [what, filters, sent] of constants)
  test(`on a field that the node lacks ${what}`, (t) => {
    t.deepEqual(filterHere(filters), sent);
    t.deepEqual(planHere(filters, here()).uncoveredFields, ['rare']);
  });

test('an and at the root drops what is true', (t) => {
  t.deepEqual(filterHere(of('and', is('title', 'a'), not('rare', 'x'))), of('and', is('title', 'a')));
});

// as it is printed for a remote: membership in an empty list of keys
const never = is('_id');
const ever = not('_id');

test('a constant stays where the leaf stood until a facet has dropped its own', (t) => {
  // without it the facet on title would drop the only leaf left and count every record
  t.deepEqual(filterHere(of('or', is('title', 'a'), is('rare', 'x'))), of('or', is('title', 'a'), never));
  t.deepEqual(
    filterHere(of('or', is('year', 1), of('and', is('title', 'a'), not('rare', 'x')))),
    of('or', is('year', 1), of('and', is('title', 'a'), ever)),
  );
  t.deepEqual(filterHere(of('not', is('title', 'a'), is('rare', 'x'))), of('not', is('title', 'a'), never));
});

test('a wildcard searches the fields that the node has, and stays one of several fields', (t) => {
  const search = (...fieldNames: string[]) => ({ op: 'wildcard', content: { fieldNames, value: '*x*' } });
  t.deepEqual(filterHere(search('rare', 'title')), of('or', search('title'), never));
  t.deepEqual(filterHere(search('year', 'title')), search('year', 'title'));
});

test('fields and pivots are renamed through their own entries', (t) => {
  const own = { name: 'keyword', people: 'nested', 'people.called': 'keyword', 'people.since': 'long' };
  const fields = new Map([
    ['title', 'name'],
    ['makers', 'people'],
    ['makers.name', 'people.called'],
    ['makers.born', 'people.since'],
  ]);
  const pivot = { ...of('and', is('makers.name', 'x'), is('makers.born', 1)), pivot: 'makers' };
  t.deepEqual(
    filterHere(of('and', is('title', 'a'), pivot), here({ fields }, own)),
    of('and', is('name', 'a'), {
      ...of('and', is('people.called', 'x'), is('people.since', 1)),
      pivot: 'people',
    }),
  );
});

test('a pivot whose leaves share no nested path here makes its group false', (t) => {
  const own = { 'makers.name': 'keyword', 'makers.born': 'long', title: 'keyword' };
  const pivot = { ...of('and', is('makers.name', 'x'), is('makers.born', 1)), pivot: 'makers' };
  t.is(filterHere(pivot, here({}, own)), 'nothing');
  t.deepEqual(planHere(pivot, here({}, own)).uncoveredFields, ['makers.name', 'makers.born', 'makers']);
  t.deepEqual(filterHere(of('not', pivot), here({}, own)), null);
});

const pivoted = (op: string, ...content: unknown[]) => ({ ...of(op, ...content), pivot: 'makers' });
const absent = is('rare', 'x');
const always = not('rare', 'x');

const constantPivots: readonly (readonly [string, unknown, unknown])[] = [
  ['all of nothing but true conditions requires some object', pivoted('and', always), pivoted('and', ever)],
  ['an empty group inside is one of them', pivoted('and', of('and')), pivoted('and', of('and'))],
  [
    'one of a true condition requires some object',
    pivoted('or', always, is('makers.name', 'x')),
    pivoted('or', ever, is('makers.name', 'x')),
  ],
  ['none that satisfies a true condition requires no object', pivoted('not', always), pivoted('not', ever)],
  [
    'a group of no conditions is true',
    of('and', is('title', 'a'), pivoted('and')),
    of('and', is('title', 'a')),
  ],
  ['all of a false condition is false', pivoted('and', absent, is('makers.name', 'x')), 'nothing'],
  ['none that satisfies a false condition is true', pivoted('not', absent, is('makers.name', 'x')), null],
  [
    'what is left stays together',
    pivoted('and', always, is('makers.name', 'x')),
    pivoted('and', ever, is('makers.name', 'x')),
  ],
];

for (const [what, filters, sent] of constantPivots)
  test(`in a pivot ${what}`, (t) => {
    t.deepEqual(filterHere(filters), sent);
  });

const values = new Map([
  [
    'title',
    new Map([
      ['M', 'Male'],
      ['m', 'Male'],
      ['F', 'Female'],
    ]),
  ],
]);

test('a network value becomes every node value that shows as it', (t) => {
  t.deepEqual(
    filterHere(is('title', 'Male', 'Other'), here({ values })),
    is('title', 'M', 'm', 'Male', 'Other'),
  );
  t.deepEqual(
    filterHere(is('title', 'M'), here({ values })),
    is('title'),
    'M shows as Male here, so nothing shows as M',
  );
});

test('all of several network values is one in for each', (t) => {
  const all = { op: 'all', content: { fieldName: 'title', value: ['Male', 'Female'] } };
  t.deepEqual(
    filterHere(all, here({ values })),
    of('and', is('title', 'M', 'm', 'Male'), is('title', 'F', 'Female')),
  );
});

/** The filter itself: not all of it can be printed. */
const treeHere = (filters: unknown, node: NodeView): unknown => {
  const made = planHere(filters, node);
  return made.kind === 'query' ? made.query.filters : made.kind;
};

const colours = new Map([
  [
    'title',
    new Map([
      ['rot', 'Red'],
      ['Red', 'Scarlet'],
      ['F', 'Female'],
    ]),
  ],
]);
const inTitle = { kind: 'leaf', op: 'in', fieldName: 'title', pivot: null, at: '$' };

test('a search sees what is shown, word by word where values are translated', (t) => {
  const search = (value: string, ...fieldNames: string[]) => ({
    op: 'search',
    content: { fieldNames, value },
  });
  const word = (value: string, isWhole: boolean) => ({
    kind: 'multi',
    op: 'search',
    value,
    pivot: null,
    at: '$',
    ...(isWhole && { wholeWords: true }),
  });
  t.deepEqual(treeHere(search('red scar', 'title', 'makers.name'), here({ values: colours })), {
    kind: 'group',
    op: 'and',
    content: [
      {
        kind: 'group',
        op: 'or',
        content: [
          { ...word('red', true), fieldNames: ['makers.name'] },
          {
            kind: 'group',
            op: 'or',
            content: [
              { ...inTitle, values: ['rot'], exactFrom: 0, isSearch: true },
              { ...word('red', true), fieldNames: ['title'], except: ['Red'] },
            ],
            pivot: null,
            at: '$',
          },
        ],
        pivot: null,
        at: '$',
      },
      {
        kind: 'group',
        op: 'or',
        content: [
          { ...word('scar', false), fieldNames: ['makers.name'] },
          {
            kind: 'group',
            op: 'or',
            content: [
              { ...inTitle, values: ['Red'], exactFrom: 0, isSearch: true },
              { ...word('scar', false), fieldNames: ['title'] },
            ],
            pivot: null,
            at: '$',
          },
        ],
        pivot: null,
        at: '$',
      },
    ],
    pivot: null,
    at: '$',
  });
  t.deepEqual(
    treeHere(search('red scar', 'title', 'makers.name'), here()),
    { ...word('red scar', false), fieldNames: ['title', 'makers.name'] },
    'one search where no values are translated',
  );
});

test('a search without words is false where values are translated too', (t) => {
  const search = { op: 'search', content: { fieldNames: ['title'], value: ' ' } };
  t.is(planHere(search, here({ values: colours })).kind, 'empty');
});

test('a beginning is one of what is shown', (t) => {
  t.deepEqual(
    treeHere({ op: 'starts-with', content: { fieldName: 'title', value: ['R'] } }, here({ values: colours })),
    {
      kind: 'group',
      op: 'or',
      content: [
        { ...inTitle, values: ['rot'], exactFrom: 0, isSearch: true },
        { ...inTitle, op: 'starts-with', values: ['R'], except: ['Red'] },
      ],
      pivot: null,
      at: '$',
    },
  );
});

test('a pattern sees what is shown, of listed values and of others', (t) => {
  const search = (value: string) => ({ op: 'wildcard', content: { fieldNames: ['title'], value } });
  t.deepEqual(
    treeHere(search('*t'), here({ values: colours })),
    {
      kind: 'group',
      op: 'or',
      content: [
        { ...inTitle, values: ['Red'], exactFrom: 0, isSearch: true },
        {
          kind: 'multi',
          op: 'wildcard',
          fieldNames: ['title'],
          value: '*t',
          pivot: null,
          at: '$',
          except: ['rot'],
        },
      ],
      pivot: null,
      at: '$',
    },
    'rot shows as Red, which *t does not match, and Red as Scarlet, which it does',
  );
  t.deepEqual(treeHere(search('f'), here({ values: colours })), {
    kind: 'multi',
    op: 'wildcard',
    fieldNames: ['title'],
    value: 'f',
    pivot: null,
    at: '$',
    except: ['F'],
  });
  t.deepEqual(treeHere(is('title', 'S*', 'Other'), here({ values: colours })), {
    ...inTitle,
    values: ['S*', 'Red', 'Other'],
    exactFrom: 1,
    isSearch: true,
  });
});

test('the parts of a search stay searches', (t) => {
  const search = { op: 'all', content: { fieldName: 'title', value: ['S*', 'Other'] } };
  t.deepEqual(treeHere(search, here({ values: colours })), {
    kind: 'group',
    op: 'and',
    content: [
      { ...inTitle, values: ['S*', 'Red'], exactFrom: 1, isSearch: true },
      { ...inTitle, values: ['Other'], exactFrom: 0, isSearch: true },
    ],
    pivot: null,
    at: '$',
  });
});

test('literal values are translated and stay a selection', (t) => {
  const literal = { op: 'is', content: { fieldName: 'title', value: ['Scarlet', 'S*', '__missing__'] } };
  t.deepEqual(treeHere(literal, here({ values: colours })), {
    ...inTitle,
    op: 'is',
    values: ['Red', 'Scarlet', 'S*', '__missing__'],
    exactFrom: 0,
    isSearch: false,
  });
});

test('a value that the node has listed is compared as it is, whatever characters it holds', (t) => {
  const starred = new Map([['title', new Map([['a*', 'A']])]]);
  t.deepEqual(treeHere(is('title', 'A'), here({ values: starred })), {
    ...inTitle,
    values: ['a*', 'A'],
    exactFrom: 0,
    isSearch: false,
  });
});

test('a value that a node could not hold is not sent to it', (t) => {
  const node = here({ values: new Map([['code', new Map([['1', 'first']])]]) }, { code: 'long' });
  t.deepEqual(filterHere(is('code', 'first', 'second'), node), is('code', '1'));
  t.deepEqual(filterHere(is('code', 'f*'), node), is('code', '1'));
});

test('a range on translated values is refused', (t) => {
  t.throws(() => filterHere({ op: 'gt', content: { fieldName: 'title', value: ['A'] } }, here({ values })), {
    code: 'BAD_USER_INPUT',
    message: /gt does not fit "title"/,
  });
});

test('a node is queried for more buckets than will be shown, and only for fields it can count', (t) => {
  const facets = [
    { path: 'rare', measure: { kind: 'terms', max: 5 } },
    { path: 'title', measure: { kind: 'terms', max: 5 } },
    { path: 'year', measure: { kind: 'stats' } },
  ] as const;
  const made = planHere(null, here(), { facets, hits: null });
  t.deepEqual(made.facets, [null, 0, 1]);
  t.deepEqual(made.uncoveredFields, ['rare']);
  t.deepEqual(made.kind === 'query' && made.query.facets, [
    { field: 'title', measure: { kind: 'terms', max: 18 } },
    { field: 'year', measure: { kind: 'stats' } },
  ]);
});

test('a sort key places missing values, and is not sent where the field is not', (t) => {
  const sort = [
    { fieldName: 'rare', order: 'asc' },
    { fieldName: 'year', order: 'desc' },
  ] as const;
  const hits = { first: 3, offset: 4, sort, after: null, trackTotal: true, fields: ['title', 'rare'] };
  const made = planHere(null, here(), { hits });
  t.deepEqual(made.kind === 'query' && made.query.hits, {
    first: 7,
    offset: 0,
    sort: [{ fieldName: 'year', order: 'desc', missing: 'last' }],
    searchAfter: null,
    trackTotal: true,
    fields: ['title'],
  });
  t.deepEqual(made.kind === 'query' && made.sort, [null, 0]);
});

test('nodes left out and nodes that are down are not queried', (t) => {
  t.is(planHere(null, here(), { only: new Set(['other']) }).kind, 'excluded');
  const down: NodeView = { ...here(), status: { kind: 'down', code: 'NODE_DISCOVERY_FAILED', reason: 'x' } };
  t.is(planHere(null, down).kind, 'down');
});

test('lists of one field are requested once, with what any of them shows', (t) => {
  const list = { field: 'title', measure: { kind: 'terms', max: 3 } } as const;
  const parted = { ...list, parted: true, measure: { kind: 'terms', max: 2 } } as const;
  for (const both of [
    [list, parted],
    [parted, list],
  ])
    t.like(networkFacets(both, fieldsOf(types)).facets, [
      { path: 'title', measure: { max: 3 }, parted: true },
    ]);
});
