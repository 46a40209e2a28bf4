import test from 'ava';
import { readAccessRules } from '../../src/access/access-rules.ts';

const token = { algorithms: ['ES256'] };
const study = { op: 'in', content: { fieldName: 'study', value: { claim: 'studies' } } };
const guarded = new Map([['cohort', { default: 'boolean', strata: 'study' } as const]]);
const read = (cohort: unknown) =>
  readAccessRules({ token, catalogues: { cohort } }, 'access.json', ['cohort', 'open'], guarded);

test('the highest tier of the rules that apply holds, with the filters of those rules alone', (t) => {
  const rules = read({
    public: { filter: 'everything', disclosure: 'boolean' },
    rules: [
      { when: { claim: 'partner' }, filter: 'everything', disclosure: 'counts' },
      { when: { claim: 'studies' }, filter: study, disclosure: 'records' },
      { when: { claim: 'barred' }, filter: 'everything', disclosure: 'none' },
    ],
  });
  const of = (claims: Record<string, unknown> | null) => {
    const filter = rules.filterFor('cohort', claims);
    return [rules.tierFor('cohort', claims), filter === null ? 'everything' : 'some'];
  };
  t.deepEqual(of(null), ['boolean', 'everything']);
  t.deepEqual(of({ barred: true }), ['boolean', 'everything']);
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
};

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
