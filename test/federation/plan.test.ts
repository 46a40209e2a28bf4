import test from 'ava';
import { networkFields } from '../../src/federation/network-fields.ts';
import type { NodeView } from '../../src/federation/node-view.ts';
import type { NodeConfig } from '../../src/federation/nodes.ts';
import { plan } from '../../src/federation/plan.ts';
import type { NetworkQuestion } from '../../src/federation/question.ts';
import { parseSqon } from '../../src/sqon/parse.ts';
import { printSqon } from '../../src/sqon/print.ts';
import { fieldsOf } from './collection.ts';
import { nodeView } from './node-fixtures.ts';

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

const planHere = (filters: unknown, node: NodeView, more: Partial<NetworkQuestion> = {}) => {
  const nodes = [other, node];
  const question: NetworkQuestion = {
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

/** The filter as sent: "nothing" when the node is not asked. */
const filterHere = (filters: unknown, node: NodeView = here()): unknown => {
  const made = planHere(filters, node);
  return made.kind === 'ask' ? printSqon(made.query.filters) : 'nothing';
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

test('an and drops what is true', (t) => {
  t.deepEqual(filterHere(of('and', is('title', 'a'), not('rare', 'x'))), of('and', is('title', 'a')));
});

test('the false branch of an or stays behind as a leaf that no facet drops as its own', (t) => {
  // without it the facet on title would drop the only leaf left and count every record
  t.deepEqual(
    filterHere(of('or', is('title', 'a'), is('rare', 'x'))),
    of('or', is('title', 'a'), is('_id', '')),
  );
});

test('a wildcard searches the fields that the node has', (t) => {
  const search = (...fieldNames: string[]) => ({ op: 'wildcard', content: { fieldNames, value: '*x*' } });
  t.deepEqual(filterHere(search('rare', 'title')), search('title'));
});

test('fields and pivots are renamed through their own entries', (t) => {
  const own = { name: 'keyword', people: 'nested', 'people.called': 'keyword', 'people.since': 'long' };
  const fields = new Map([['title', 'name'], ['makers', 'people'], ['makers.name', 'people.called'], ['makers.born', 'people.since']]);
  const pivot = { ...of('and', is('makers.name', 'x'), is('makers.born', 1)), pivot: 'makers' };
  t.deepEqual(filterHere(of('and', is('title', 'a'), pivot), here({ fields }, own)), of('and', is('name', 'a'), {
    ...of('and', is('people.called', 'x'), is('people.since', 1)), pivot: 'people',
  }));
}); // prettier-ignore

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
const someMaker = { op: 'not-in', content: { fieldName: 'makers', value: ['__missing__'] } };
const noMaker = { op: 'in', content: { fieldName: 'makers', value: ['__missing__'] } };

const constantPivots: readonly (readonly [string, unknown, unknown])[] = [
  ['all of nothing but true conditions is some object', pivoted('and', always), someMaker],
  ['an empty group inside is one of them', pivoted('and', of('and')), someMaker],
  ['one of a true condition is some object', pivoted('or', always, is('makers.name', 'x')), someMaker],
  ['none that satisfies a true condition is no object', pivoted('not', always), noMaker],
  ['all of a false condition is false', pivoted('and', absent, is('makers.name', 'x')), 'nothing'],
  ['none that satisfies a false condition is true', pivoted('not', absent, is('makers.name', 'x')), null],
  ['what is left stays together', pivoted('and', always, is('makers.name', 'x')), pivoted('and', is('makers.name', 'x'))],
]; // prettier-ignore

for (const [what, filters, sent] of constantPivots)
  test(`in a pivot ${what}`, (t) => {
    t.deepEqual(filterHere(filters), sent);
  });

const values = new Map([['title', new Map([['M', 'Male'], ['m', 'Male'], ['F', 'Female']])]]); // prettier-ignore

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

test('the parts of a search stay searches', (t) => {
  const search = { op: 'all', content: { fieldName: 'title', value: ['fem*', 'Other'] } };
  t.deepEqual(
    filterHere(search, here({ values: new Map([['title', new Map([['f', 'female']])]]) })),
    of('and', is('title', 'f', 'fem*', '\u0000*'), is('title', 'Other', '\u0000*')),
    'a facet of title takes neither part for its own selection',
  );
});

test('a pattern finds the values that match as the network shows them', (t) => {
  const search = { op: 'wildcard', content: { fieldNames: ['title'], value: 'fem*' } };
  t.deepEqual(filterHere(search, here({ values })), of('or', is('title', 'F', '\u0000*'), search));
  const stray = { op: 'wildcard', content: { fieldNames: ['title'], value: 'f' } };
  // a value with * makes it a search still, which no facet takes for its own selection
  const nothing = is('title', '\u0000*');
  t.deepEqual(filterHere(stray, here({ values })), nothing, 'F shows as Female, which f does not match');
});

test('a range on translated values is refused', (t) => {
  t.throws(() => filterHere({ op: 'gt', content: { fieldName: 'title', value: ['A'] } }, here({ values })), {
    code: 'BAD_USER_INPUT',
    message: /gt does not fit "title"/,
  });
});

test('a node is asked for more buckets than will be shown, and only for fields it can count', (t) => {
  const facets = [
    { path: 'rare', measure: { kind: 'terms', max: 5 } },
    { path: 'title', measure: { kind: 'terms', max: 5 } },
    { path: 'year', measure: { kind: 'stats' } },
  ] as const;
  const made = planHere(null, here(), { facets, hits: null });
  t.deepEqual(made.facets, [null, 0, 1]);
  t.deepEqual(made.uncoveredFields, ['rare']);
  t.deepEqual(made.kind === 'ask' && made.query.facets, [
    { field: 'title', measure: { kind: 'terms', max: 18 } },
    { field: 'year', measure: { kind: 'stats' } },
  ]);
});

test('a sort key says where missing values go, and is not sent where the field is not', (t) => {
  const sort = [
    { fieldName: 'rare', order: 'asc' },
    { fieldName: 'year', order: 'desc' },
  ] as const;
  const hits = { first: 3, offset: 4, sort, after: null, trackTotal: true, fields: ['title', 'rare'] };
  const made = planHere(null, here(), { hits });
  t.deepEqual(made.kind === 'ask' && made.query.hits, {
    first: 7,
    offset: 0,
    sort: [{ fieldName: 'year', order: 'desc', missing: 'last' }],
    searchAfter: null,
    trackTotal: true,
    fields: ['title'],
  });
  t.deepEqual(made.kind === 'ask' && made.sort, [null, 0]);
});

test('nodes left out and nodes that are down are not asked', (t) => {
  t.is(planHere(null, here(), { only: new Set(['other']) }).kind, 'excluded');
  const down: NodeView = { ...here(), status: { kind: 'down', code: 'NODE_DISCOVERY_FAILED', reason: 'x' } };
  t.is(planHere(null, down).kind, 'down');
});
