import assert from 'node:assert/strict';
import { test } from 'node:test';
import sqonBuilder from '@overture-stack/sqon-builder';
import { donors } from '../donors.ts';
import { matching, type Filter } from '../evaluate.ts';
import { theStage } from '../the-stage.ts';

const { default: SQON } = sqonBuilder;

const female = SQON.in('sex', 'Female');
const old = SQON.gt('age', 60);
const skin = SQON.in('specimens.tissue', 'Skin');
const heavy = SQON.gt('specimens.weight_mg', 15);
const pure = SQON.gt('specimens.samples.purity', 0.6);

/** Every operator the package can build, alone and together. */
const filters = {
  'in, one value': female,
  'in, several values': SQON.in('study.code', ['ALPS', 'ISLES']),
  'in, numbers': SQON.in('age', [35, 52, 69]),
  'in, a list in the document': SQON.in('languages', ['Malay']),
  'in, a nested field': skin,
  'in, two levels down': SQON.in('specimens.samples.kind', ['DNA', 'RNA']),
  'in, a boolean as text': SQON.in('is_deceased', ['true']),
  'in, no value there': SQON.in('sex', '__missing__'),
  'in, a pattern': SQON.in('donor_id', 'DO-01*'),
  'in, nothing listed': SQON.in('sex', []),
  'in, a value nobody has': SQON.in('sex', 'None'),
  gt: old,
  'gt, a fraction': SQON.gt('bmi', 24.5),
  'gt, a nested field': heavy,
  'gt, a date': SQON.gt('enrolled_on', Date.parse('2016-05-15')),
  lt: SQON.lt('age', 30),
  'lt, a date': SQON.lt('enrolled_on', Date.parse('2016-05-15')),
  'gt and lt': SQON.gt('age', 30).lt('age', 60),
  and: SQON.and([female, old]),
  or: SQON.or([female, old]),
  'or, chained': female.or(old).and(SQON.in('study.code', 'DELTA')),
  not: SQON.not(female),
  'not, several': SQON.not([female, old]),
  'not, chained': old.not(female),
  'not of a nested field': SQON.not(skin),
  'groups in groups': SQON.or([SQON.and([female, old]), SQON.not([skin, SQON.in('study.code', 'ALPS')])]),
  'and without a pivot': SQON.and([skin, heavy]),
  'and with a pivot': SQON.and([skin, heavy], 'specimens'),
  'and with a pivot, a deeper field': SQON.and([skin, pure], 'specimens'),
  'and with a deeper pivot': SQON.and([SQON.in('specimens.samples.kind', 'DNA'), pure], 'specimens.samples'),
  'or with a pivot': SQON.or([skin, heavy], 'specimens'),
  'not with a pivot': SQON.not([skin, heavy], 'specimens'),
  'a pivot inside a group': SQON.and([female, SQON.and([skin, heavy], 'specimens')]),
  'an empty and': SQON.and([]),
  'an empty or': SQON.or([]),
  'an empty not': SQON.not([]),
  'a filter set': female.gt('age', 30).setFilter('age', 'gt', 50),
  'a filter removed': female.gt('age', 30).removeFilter('sex'),
  'a value removed': SQON.in('sex', ['Female', 'Male']).removeFilter('sex', 'in', ['Male']),
  'the last filter removed': female.removeFilter('sex'),
  'an exact filter removed': female
    .gt('age', 30)
    .removeExactFilter({ op: 'gt', content: { fieldName: 'age', value: 30 } }),
  'read back from text': SQON.from(female.gt('age', 30).toString()),
};

for (const [source, apiUrl] of Object.entries(theStage().donors))
  for (const [name, filter] of Object.entries(filters))
    test(`sqon-builder, ${source}: ${name}`, async () => {
      const expected = isEmptyGroup(filter) ? donors : matching(filter.toValue() as Filter);
      assert.deepEqual(
        await found(apiUrl, filter),
        expected.map(({ donor_id }) => donor_id),
      );
      // Variables that went through the builder's own text are the same.
      assert.deepEqual(
        await found(apiUrl, JSON.parse(filter.toString())),
        expected.map(({ donor_id }) => donor_id),
      );
    });

/** A group without content asks for nothing, whatever its operator. */
const isEmptyGroup = ({ content }: { readonly content: unknown }): boolean =>
  Array.isArray(content) && content.length === 0;

/** Sends the filter as it comes, builder functions and all: JSON leaves them out. */
const found = async (apiUrl: string, filters: unknown): Promise<readonly string[]> => {
  const query = `query ($filters: JSON) { donor { hits(filters: $filters, first: 100, sort: [{fieldName: "donor_id"}]) {
    total edges { node { donor_id } } } } }`;
  const answer = await fetch(`${apiUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { filters } }),
  });
  const { data, errors } = (await answer.json()) as Answer;
  assert.equal(answer.status, 200);
  assert.equal(errors, undefined);
  const { edges, total } = data.donor.hits;
  assert.equal(total, edges.length);
  return edges.map(({ node }) => node.donor_id);
};

interface Answer {
  readonly errors?: unknown;
  readonly data: {
    readonly donor: {
      readonly hits: {
        readonly total: number;
        readonly edges: readonly { readonly node: { readonly donor_id: string } }[];
      };
    };
  };
}
