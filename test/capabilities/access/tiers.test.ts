import test from 'ava';
import { readAccessRules } from '../../../src/capabilities/access/access-rules.ts';

const token = { algorithms: ['ES256'] };
const study = { op: 'in', content: { fieldName: 'study', value: { claim: 'studies' } } };
const inSex = { op: 'in', content: { fieldName: 'sex', value: ['f'] } };
const guarded = new Map([['cohort', { default: 'boolean', strata: 'study' } as const]]);
const read = (cohort: unknown) =>
  readAccessRules({ token, catalogues: { cohort } }, 'access.json', ['cohort', 'open'], guarded);

test('the highest tier of the rules that apply holds, with the filters of those rules alone', (t) => {
  const rules = read({
    public: { filter: 'everything', disclosure: 'boolean' },
    rules: [
      { when: { claim: 'partner' }, filter: 'everything', disclosure: 'counts' },
      { when: { claim: 'studies' }, filter: study, disclosure: 'records' },
    ],
  });
  const of = (claims: Record<string, unknown> | null) => {
    const filter = rules.filterFor('cohort', claims);
    return [rules.tierFor('cohort', claims), filter === null ? 'everything' : 'some'];
  };
  t.deepEqual(of(null), ['boolean', 'everything']);
  t.deepEqual(of({ other: true }), ['boolean', 'everything']);
  t.deepEqual(of({ partner: true }), ['counts', 'everything']);
  t.deepEqual(of({ partner: true, studies: ['north'] }), ['records', 'some']);
});

test('a rule without a tier leaves it to the catalogue', (t) => {
  t.is(read({ public: 'everything' }).tierFor('cohort', null), null);
});

const refused: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  'a misspelt tier': [
    { rules: [{ filter: 'everything', disclosure: 'count' }] },
    /one of "none", "boolean", "counts" and "records" expected/,
  ],
  'a misspelt tier of public': [
    { public: { filter: 'everything', disclosure: 'count' } },
    /"everything" expected/,
  ],
  'a guarded tier under a filter that is not of strata': [
    { public: { filter: { op: 'in', content: { fieldName: 'sex', value: ['f'] } }, disclosure: 'counts' } },
    /tier counts is answered from a release of catalogue cohort: "everything", or in with values of study expected/,
  ],
  'such a filter, where the tier is the default': [
    { rules: [{ filter: { op: 'in', content: { fieldName: 'sex', value: ['f'] } } }] },
    /tier boolean is answered from a release/,
  ],
  'records of a part that is not a stratum beside counts of everything': [
    {
      public: { filter: 'everything', disclosure: 'counts' },
      rules: [{ when: { claim: 'clinic' }, filter: inSex, disclosure: 'records' }],
    },
    /catalogues\.cohort\.rules\.0\.filter: records of a part can be subtracted from the counts of everything that catalogues\.cohort\.public gives/,
  ],
  'the same where the counts are the default': [
    { public: 'everything', rules: [{ filter: inSex, disclosure: 'records' }] },
    /records of a part can be subtracted/,
  ],
  'a rule below what is public': [
    {
      public: { filter: 'everything', disclosure: 'counts' },
      rules: [{ when: { claim: 'barred' }, filter: 'everything', disclosure: 'none' }],
    },
    /catalogues\.cohort\.rules\.0: it never holds, since catalogues\.cohort\.public gives all its callers a higher tier/,
  ],
  'a rule below another one that is for all its callers': [
    {
      rules: [
        {
          when: [{ claim: 'role', includes: 'a' }, { claim: 'studies' }],
          filter: 'everything',
          disclosure: 'boolean',
        },
        { when: { claim: 'role', includes: ['a', 'b'] }, filter: 'everything', disclosure: 'counts' },
      ],
    },
    /rules\.0: it never holds, since catalogues\.cohort\.rules\.1 gives/,
  ],
};

test('records of everything or of strata beside counts, and rules for callers of their own, are accepted', (t) => {
  const role = (includes: string | string[]) => ({ claim: 'role', includes });
  t.notThrows(() =>
    read({
      public: { filter: 'everything', disclosure: 'boolean' },
      rules: [
        { when: role(['a', 'c']), filter: 'everything', disclosure: 'counts' },
        { when: role(['a', 'b']), filter: study, disclosure: 'records' },
        { when: role('d'), filter: 'everything', disclosure: 'records' },
      ],
    }),
  );
  // nobody gets counts
  t.notThrows(() => read({ rules: [{ when: role('a'), filter: inSex, disclosure: 'records' }] }));
  const open = { public: inSex, rules: [{ filter: 'everything' }] };
  t.notThrows(() => readAccessRules({ token, catalogues: { open } }, 'access.json', ['open'], guarded));
});

test('whether a catalogue has a rule that names a tier', (t) => {
  const named = { filter: 'everything', disclosure: 'counts' };
  for (const [cohort, expected] of [
    [{ public: named }, true],
    [
      {
        rules: [
          { filter: 'everything' },
          { when: { claim: 'role' }, filter: 'everything', disclosure: 'records' },
        ],
      },
      true,
    ],
    [{ public: 'everything', rules: [{ filter: 'everything' }] }, false],
  ] as const)
    t.is(read(cohort).namesDisclosure('cohort'), expected);
  t.false(read({ public: named }).namesDisclosure('open'));
});

for (const [what, [cohort, expected]] of Object.entries(refused))
  test(`refused: ${what}`, (t) => {
    const error = t.throws(() => read(cohort));
    t.like(error, { code: 'CONFIG_INVALID' });
    t.regex(error!.message, expected);
  });

test('a guarded tier of a catalogue without a release is refused, also where it comes from *', (t) => {
  const file = { token, catalogues: { '*': { public: { filter: 'everything', disclosure: 'counts' } } } };
  const error = t.throws(() => readAccessRules(file, 'access.json', ['cohort', 'open'], guarded));
  t.regex(error!.message, /catalogues\.\*\.public\.disclosure: catalogue open has no disclosure\.json/);
});
