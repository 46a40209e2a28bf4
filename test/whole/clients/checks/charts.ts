import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counts } from '../evaluate.ts';
import { donors } from '../donors.ts';
import { theStage } from '../the-stage.ts';

/** What the established charts ask, as they write it: a bar chart of values and one of ranges. */
const query = `query ChartsQuery($filters: JSON) {
      donor {
        aggregations(
          filters: $filters
          include_missing: true
          aggregations_filter_themselves: true
        ) {
  sex {
    __typename
    bucket_count
    buckets {
      doc_count
      key
    }
  }
  age {
    __typename
    range(ranges: [{key: "below 40",to: 40},{key: "from 40",from: 40}]) {
      __typename
      bucket_count
      buckets {
        doc_count
        key
      }
    }
  }
        }
      }
    }`;

const ages = donors.flatMap(({ age }) => age ?? []);

for (const [source, apiUrl] of Object.entries(theStage().donors))
  test(`${source}: the question of the charts is answered with the types they look for`, async () => {
    const answer = await fetch(`${apiUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { filters: null } }),
    });
    const { data, errors } = (await answer.json()) as Answer;
    assert.equal(errors, undefined);
    const { sex, age } = data.donor.aggregations;
    assert.equal(sex.__typename, 'Aggregations');
    assert.deepEqual(byKey(sex.buckets), counts('sex'));
    assert.equal(age.__typename, 'NumericAggregations');
    assert.equal(age.range.__typename, 'Aggregations');
    assert.deepEqual(byKey(age.range.buckets), {
      'below 40': ages.filter((each) => each < 40).length,
      'from 40': ages.filter((each) => each >= 40).length,
    });
  });

const byKey = (buckets: readonly Bucket[]): Readonly<Record<string, number>> =>
  Object.fromEntries(buckets.map(({ key, doc_count }) => [key, doc_count]));

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
}

interface Values {
  readonly __typename: string;
  readonly buckets: readonly Bucket[];
}

interface Answer {
  readonly errors?: unknown;
  readonly data: {
    readonly donor: {
      readonly aggregations: {
        readonly sex: Values;
        readonly age: { readonly __typename: string; readonly range: Values };
      };
    };
  };
}
