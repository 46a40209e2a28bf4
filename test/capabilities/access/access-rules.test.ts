import test from 'ava';
import { readAccessRules } from '../../../src/capabilities/access/access-rules.ts';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import { printSqon } from '../../../src/sqon/parse.ts';

const token = { algorithms: ['RS256'] };
const ids = ['files', 'donors', 'closed'];
const studies = { op: 'in', content: { fieldName: 'study', value: ['open', { claim: 'studies' }] } };

const rules = readAccessRules(
  {
    token,
    catalogues: {
      files: {
        public: { op: 'in', content: { fieldName: 'access', value: 'open' } },
        rules: [
          { when: { claim: 'realm.roles', includes: ['curator', 'admin'] }, filter: 'everything' },
          { when: { claim: 'studies' }, filter: studies },
          { filter: { op: 'in', content: { fieldName: 'owner', value: { claim: 'sub' } } } },
        ],
      },
      donors: {
        rules: [
          {
            when: [
              { claim: 'level', includes: 2 },
              { claim: 'scope', includes: 'donors.read' },
            ],
            filter: { op: 'lte', content: { fieldName: 'level', value: { claim: 'level' } } },
          },
        ],
      },
    },
  },
  'access.json',
  ids,
);

const filterFor = (id: string, claims: Record<string, unknown> | null): unknown =>
  printSqon(rules.filterFor(id, claims));
const denial = (id: string, claims: Record<string, unknown> | null): string => {
  try {
    return JSON.stringify(filterFor(id, claims));
  } catch (error) {
    return (error as TributaryError).code;
  }
};

const leaf = (fieldName: string, value: unknown[], op = 'in') => ({ op, content: { fieldName, value } });
const open = leaf('access', ['open']);

test('a caller sees what any rule that applies opens, and what is public', (t) => {
  t.deepEqual(filterFor('files', null), open);
  t.deepEqual(filterFor('files', {}), open);
  t.deepEqual(filterFor('files', { studies: ['B', 'A', 'B'] }), {
    op: 'or',
    content: [open, leaf('study', ['open', 'A', 'B'])],
  });
  t.deepEqual(filterFor('files', { studies: 'A', sub: 'u1' }), {
    op: 'or',
    content: [open, leaf('study', ['open', 'A']), leaf('owner', ['u1'])],
  });
  t.is(filterFor('files', { realm: { roles: ['user', 'admin'] } }), null);
  t.is(filterFor('files', { 'realm.roles': 'curator' }), null);
  t.deepEqual(filterFor('files', { realm: { roles: ['user'] } }), open);
});

test('all conditions of a rule must hold; scope is a list of words', (t) => {
  t.deepEqual(filterFor('donors', { level: 2, scope: 'a donors.read' }), leaf('level', [2], 'lte'));
  for (const claims of [
    {},
    { level: 2 },
    { level: '2', scope: 'donors.read' },
    { level: 2, scope: 'donors.readwrite' },
    { scope: 'donors.read' },
  ])
    t.is(denial('donors', claims), 'FORBIDDEN', JSON.stringify(claims));
});

test('without a token that rules need, and without a rule, nothing is open', (t) => {
  t.is(denial('donors', null), 'UNAUTHENTICATED');
  t.is(denial('closed', null), 'UNAUTHENTICATED');
  t.is(denial('closed', { level: 2, scope: 'donors.read' }), 'FORBIDDEN');
  t.is(denial('constructor', { sub: 'u' }), 'FORBIDDEN');
});

test('a claim that could mean more than its values opens nothing', (t) => {
  for (const value of [
    null,
    [],
    {},
    [[]],
    ['A', null],
    ['A', {}],
    '*',
    ['A', 'B*'],
    '__missing__',
    'set_id:1',
    NaN,
  ])
    t.deepEqual(filterFor('files', { studies: value }), open, JSON.stringify(value));
  t.deepEqual(filterFor('files', JSON.parse('{"__proto__": {"studies": "A"}}')), open);
});

test('a token without the claim that rules need, as its issuer left it out, is refused and not public', (t) => {
  const of = (needed: unknown) =>
    readAccessRules(
      {
        token,
        catalogues: {
          files: { public: 'everything', rules: [{ filter: 'everything' }] },
          donors: {
            public: { op: 'in', content: { fieldName: 'access', value: 'open' } },
            rules: [needed, { when: { claim: 'roles', includes: 'admin' }, filter: 'everything' }],
          },
        },
        network: { rules: [{ when: { claim: 'groups', includes: 'a' }, filter: 'everything' }] },
      },
      'access.json',
      ids,
    );
  const byCondition = of({ when: { claim: 'groups', includes: 'a' }, filter: 'everything' });
  const group = { op: 'in', content: { fieldName: 'group', value: [{ claim: 'groups' }] } };
  const byFilter = of({ filter: group });
  const refused = { code: 'FORBIDDEN', message: /left the claim "groups" out of this token/ };
  const overage = {
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: 'https://graph' } },
  };
  for (const read of [byCondition, byFilter])
    for (const claims of [
      ...[overage, { hasgroups: true }, { hasgroups: 'true', roles: ['user'] }],
      ...[
        { ...overage, groups: [] },
        { hasgroups: true, groups: [] },
      ],
    ]) {
      t.throws(() => read.filterFor('donors', claims), refused);
      t.throws(() => read.tierFor('donors', claims), refused);
      t.throws(() => read.requireNetwork(claims), refused);
      t.is(read.filterFor('files', claims), null);
      t.is(read.filterFor('donors', { ...claims, roles: ['admin'] }), null);
    }
  for (const claims of [{}, { groups: ['b'], _claim_names: { other: 'src1' } }, { hasgroups: false }])
    t.deepEqual(printSqon(byCondition.filterFor('donors', claims)), open);
  t.is(byCondition.filterFor('donors', { groups: ['a'], hasgroups: true }), null);
  const byPath = of({ when: { claim: 'realm_access.roles', includes: 'a' }, filter: 'everything' });
  t.throws(() => byPath.filterFor('donors', { _claim_names: { realm_access: 'src1' } }), {
    message: /left the claim "realm_access" out of this token/,
  });
  t.deepEqual(printSqon(byPath.filterFor('donors', { _claim_names: { realm: 'src1' } })), open);
});

test('the key * stands for the catalogues that are not listed', (t) => {
  const read = readAccessRules(
    { token, catalogues: { '*': { public: 'everything' }, donors: { rules: [{ filter: 'everything' }] } } },
    'access.json',
    ids,
  );
  t.is(read.filterFor('files', null), null);
  t.throws(() => read.filterFor('donors', null), { code: 'UNAUTHENTICATED' });
  t.is(read.filterFor('donors', {}), null);
});

test('a file that could open more than it states is refused, with every problem', (t) => {
  const withRules = (files: unknown) => ({ token, catalogues: { files } });
  for (const [content, expected] of [
    [null, /^access\.json is wrong: an object expected/],
    [{ token }, /catalogues is missing: an object expected/],
    [{ catalogues: {} }, /token is missing: an object expected/],
    [{ token: { algorithms: [] }, catalogues: {} }, /token\.algorithms/],
    [{ token: { algorithms: ['HS256'] }, catalogues: {} }, /an algorithm with a public key expected/],
    [{ token: { algorithms: ['none'] }, catalogues: {} }, /an algorithm with a public key expected/],
    [
      { token, catalogues: { file: { public: 'everything' } } },
      /catalogues\.file: there is no such catalogue/,
    ],
    [withRules({}), /neither rules nor public/],
    [withRules({ rule: [] }), /rule/],
    [withRules({ public: 'all' }), /"everything" expected/],
    [withRules({ public: {} }), /catalogues\.files\.public: it matches everything/],
    [withRules({ public: { op: 'and', content: [] } }), /it matches everything/],
    [
      withRules({ public: { op: 'and', content: [{ op: 'or', content: [{ op: 'not', content: [] }] }] } }),
      /it matches everything/,
    ],
    [withRules({ public: studies }), /names a claim, which callers without a token do not have/],
    [
      withRules({ rules: [{ when: { claims: 'a' }, filter: 'everything' }] }),
      /catalogues\.files\.rules\.0\.when/,
    ],
    [withRules({ rules: [{ when: { claim: 'a', includes: [] }, filter: 'everything' }] }), /includes/],
    [withRules({ rules: [{ filter: { op: 'on', content: [] } }] }), /rules\.0\.filter: filter at \$\.op/],
    [
      withRules({ rules: [{ filter: { op: 'in', content: { fieldName: 'a', value: { claims: 'x' } } } }] }),
      /filter at \$\.content\.value/,
    ],
    [
      withRules({
        rules: [{ filter: { op: 'wildcard', content: { fieldNames: ['a'], value: { claim: 'x' } } } }],
      }),
      /a string with \* or \?/,
    ],
  ] as const) {
    const error = t.throws(() => readAccessRules(content, 'access.json', ids), {
      instanceOf: TributaryError,
    });
    t.is(error.code, 'CONFIG_INVALID');
    t.regex(error.message, expected);
  }
});

test('public catalogues open no network: only its own key does', (t) => {
  const file = { token: { algorithms: ['ES256'] }, catalogues: { '*': { public: 'everything' } } };
  const rules = readAccessRules(file, 'access.json', ['a', 'b']);
  t.throws(() => rules.requireNetwork(null), { code: 'UNAUTHENTICATED' });
  t.throws(() => rules.requireNetwork({ sub: 'ann' }), { code: 'FORBIDDEN' });
  const open = readAccessRules({ ...file, network: { public: 'everything' } }, 'access.json', ['a', 'b']);
  t.notThrows(() => open.requireNetwork(null));
});

test('a rule for a hub holds for what comes through its tunnel, whatever a token claims', (t) => {
  const open = { op: 'in', content: { fieldName: 'access', value: ['open'] } };
  const ofHub = readAccessRules(
    {
      token,
      catalogues: {
        files: {
          rules: [
            { hub: 'Nordic', filter: open },
            { hub: 'Nordic', when: { claim: 'study' }, filter: 'everything' },
          ],
        },
      },
    },
    'access.json',
    ['files'],
  );
  t.deepEqual(
    printSqon(ofHub.filterFor('files', null, 'Nordic')),
    printSqon(ofHub.filterFor('files', {}, 'Nordic')),
  );
  t.is(ofHub.filterFor('files', { study: 'x' }, 'Nordic'), null);
  for (const hub of [undefined, 'Baltic'])
    for (const claims of [null, { hub: 'Nordic', study: 'x' }])
      t.throws(() => ofHub.filterFor('files', claims, hub), { instanceOf: TributaryError });
});

test('a rule without a hub needs a token there as everywhere', (t) => {
  t.throws(() => rules.filterFor('donors', null, 'Nordic'), { code: 'UNAUTHENTICATED' });
});
