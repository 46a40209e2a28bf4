import assert from 'node:assert/strict';
import test from 'ava';
import { graphql } from 'graphql';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import { type Network } from '../../src/federation/network.ts';
import type { JsonObject } from '../../src/lib/json/json.ts';
import { buildCatalogueSchema } from '../../src/local/schema/schema.ts';
import type { Catalogue } from '../../src/search/catalogue.ts';
import { lowerOf } from '../../src/search/count.ts';
import type { FacetAnswer, FailedFacet } from '../../src/search/nodes-answer.ts';
import type { SearchFn } from '../../src/search/query.ts';
import { releasedFacet } from '../../src/search/released-facet.ts';
import fc, { runs } from '../fast-check.ts';
import { serveEstablishedServer } from './established/established-server.ts';
import { contextOf } from './node-fixtures.ts';
import { serveSchema } from './remote-server.ts';
import { openCase, testCatalogue, testNetwork } from '../builders.ts';

// lists that every node cuts: over open nodes a count that is shown is the true one, whatever the nodes are

interface Item {
  readonly id: string;
  readonly tags: readonly number[];
  readonly place: string;
  readonly parts: readonly number[];
}

const kinds = ['local', 'remote', 'established', 'network', 'guarded', 'failing'] as const;

interface Share {
  readonly kind: (typeof kinds)[number];
  /** Two of its own tags may mean one of the network's. */
  readonly translates: boolean;
  readonly items: readonly Item[];
}

/** Some labels are frequent, and most are not: no node lists them all. */
const label = fc.oneof(fc.nat(5), fc.nat(40), fc.nat(80));
const draft = fc.record({
  tags: fc.uniqueArray(label, { maxLength: 4 }),
  place: fc.constantFrom('north', 'south', 'west'),
  parts: fc.array(label, { maxLength: 3 }),
});
const share = fc.record({
  kind: fc.constantFrom(...kinds),
  translates: fc.boolean(),
  drafts: fc.array(draft, { minLength: 20, maxLength: 90 }),
});
const sharesOf: fc.Arbitrary<readonly Share[]> = fc.array(share, { minLength: 1, maxLength: 4 }).map((all) =>
  all.map(({ drafts, ...one }, node) => ({
    ...one,
    items: drafts.map((each, at) => ({ ...each, id: `${node}-${at}` })),
  })),
);

const shown = (one: number): string => `label ${one < 6 ? one : one - (one % 2)}`;
const own = (one: number): string => `own ${one}`;
const listed = Object.fromEntries(Array.from({ length: 81 }, (_, one) => [own(one), shown(one)]));

const properties = {
  id: { type: 'keyword' },
  tags: { type: 'keyword' },
  place: { type: 'keyword' },
  parts: { type: 'nested', properties: { kind: { type: 'keyword' } } },
};

const documentOf = ({ id, tags, place, parts }: Item, translates: boolean): JsonObject => {
  const text = translates ? own : shown;
  const kindsOf = parts.map((kind) => ({ kind: text(kind) }));
  return { id, tags: [...new Set(tags.map(text))], place, parts: kindsOf };
};

const catalogueOf = (items: readonly Item[], translates: boolean): Promise<Catalogue> =>
  testCatalogue({
    ...{ documentType: 'item', properties },
    documents: items.map((one) => documentOf(one, translates)),
  });

/** Intervals in place of counts; asked for anything but lists, it fails the test. */
const guarded =
  (search: SearchFn, isAskedAgain: () => void): SearchFn =>
  async (query, context) => {
    if (query.facets.some(({ measure }) => measure.kind !== 'terms')) isAskedAgain();
    const answer = await search(query, context);
    const withheld = { tier: 'counts', threshold: 5, counted: 'record', date: '2020-01-01' } as const;
    const facets = answer.facets.map((facet, at) =>
      releasedFacet(asIntervals(facet), query.facets[at]!.measure, { type: 'keyword' }),
    );
    return { ...answer, withheld, hits: [], facets };
  };

const asIntervals = (facet: FacetAnswer | FailedFacet): FacetAnswer | FailedFacet =>
  facet.kind === 'terms'
    ? {
        ...facet,
        buckets: facet.buckets.map(({ key, count }) => {
          const least = lowerOf(count) - (lowerOf(count) % 5);
          return { key, count: { lower: least, upper: least + 4 } };
        }),
      }
    : facet;

/** It lists values, and does not count given ones. */
const failing =
  (search: SearchFn): SearchFn =>
  (query, context) =>
    query.facets.some(({ measure }) => measure.kind === 'groups')
      ? Promise.reject(new TributaryError('NODE_REFUSED', 'too busy'))
      : search(query, context);

interface Opened {
  readonly network: Network;
  readonly askedAgain: readonly string[];
  readonly close: () => Promise<void>;
}

const openShares = async (shares: readonly Share[]): Promise<Opened> => {
  const { teardown, close } = openCase();
  const askedAgain: string[] = [];
  const nodes = await Promise.all(
    shares.map(async ({ kind, translates, items }, at) => {
      const nodeId = `n${at}`;
      const values = translates ? { values: { tags: listed, 'parts.kind': listed } } : {};
      const base = { nodeId, ...values };
      const remote = { ...base, documentType: 'item', maxDepth: 20 };
      const catalogue = await catalogueOf(items, translates);
      switch (kind) {
        case 'remote': {
          return { ...remote, remote: await serveSchema(buildCatalogueSchema(catalogue)) };
        }
        case 'established': {
          const documents = Object.fromEntries(items.map((one) => [one.id, documentOf(one, translates)]));
          const served = await serveEstablishedServer({ documentType: 'item', properties, documents });
          return { ...remote, remote: served };
        }
        case 'network': {
          const middle = items.length / 2;
          const halves = [items.slice(0, middle), items.slice(middle)].map((half): Share => ({
            kind: 'local',
            translates,
            items: half,
          }));
          const inner = await openShares(halves);
          teardown(inner.close);
          const served = await serveSchema(inner.network.ownSchema());
          return { nodeId, documentType: 'item', maxDepth: 20, remote: served };
        }
        case 'local':
        case 'guarded':
        case 'failing': {
          const { search } = catalogue;
          const searches: Readonly<Record<typeof kind, SearchFn>> = {
            local: search,
            guarded: guarded(search, () => askedAgain.push(nodeId)),
            failing: failing(search),
          };
          const changed = { ...catalogue, search: searches[kind] };
          return { ...base, catalogue: changed };
        }
      }
    }),
  );
  const network = await testNetwork({ teardown }, nodes, { network: { documentType: 'item' } });
  return { network, askedAgain, close };
};

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
  readonly upper_bound: number | null;
  readonly exact: boolean;
  readonly nodes: readonly { readonly nodeId: string; readonly doc_count: number }[];
}
interface Terms {
  readonly unlisted_upper_bound: number | null;
  readonly bucket_count: number;
  readonly bucket_count_exact: boolean;
  readonly buckets: readonly Bucket[];
}

const query = `query($filters: JSON, $max: Int, $themselves: Boolean) {
  network(filters: $filters, aggregations_filter_themselves: $themselves) { aggregations {
    tags { ...terms } place { ...terms } parts__kind { ...terms }
  } }
}
fragment terms on Aggregations {
  bucket_count bucket_count_exact unlisted_upper_bound
  buckets(max: $max) { key doc_count upper_bound exact nodes { nodeId doc_count } }
}`;

const leaf = (fieldName: string, value: readonly string[]) => ({ op: 'in', content: { fieldName, value } });
const filters = fc.oneof(
  fc.constant(null),
  fc
    .subarray(
      [
        leaf('place', ['north', 'south']),
        leaf('tags', [shown(0), shown(2), shown(8)]),
        leaf('tags', ['*1*']),
      ],
      { minLength: 1, maxLength: 2 },
    )
    .map((content) => ({ op: 'and', content })),
);
const questions = fc.record({
  filters,
  max: fc.integer({ min: 1, max: 6 }),
  themselves: fc.boolean(),
});

const answerOf = async (network: Network, variableValues: Record<string, unknown>) => {
  const warnings: string[] = [];
  const schema = network.ownSchema();
  const contextValue = contextOf(warnings);
  const { data, errors } = await graphql({ schema, source: query, variableValues, contextValue });
  if (errors) throw errors[0]!;
  const { aggregations } = (JSON.parse(JSON.stringify(data)) as { network: { aggregations: unknown } })
    .network;
  return { aggregations: aggregations as Readonly<Record<string, Terms>>, warnings };
};

/** Every record in the network's names and values, at one node that lists all. */
const truthOf = async (shares: readonly Share[], variables: Record<string, unknown>) => {
  const items = shares.flatMap((one) => one.items);
  const { network, close } = await openShares([{ kind: 'local', translates: false, items }]);
  const { aggregations } = await answerOf(network, { ...variables, max: null });
  await close();
  return new Map(
    Object.entries(aggregations).map(([name, { buckets }]) => [
      name,
      new Map(buckets.map(({ key, doc_count: count }) => [key, count])),
    ]),
  );
};

const isMissing = ({ key }: Bucket): boolean => key === '__missing__';

const checkTerms = (terms: Terms, truth: ReadonlyMap<string, number>, isSure: boolean): void => {
  const { buckets, unlisted_upper_bound: unlisted } = terms;
  const counted = buckets.filter((one) => !isMissing(one));
  for (const { key, doc_count: count, upper_bound: upper, exact, nodes } of counted) {
    const wanted = truth.get(key) ?? 0;
    assert.ok(count <= wanted && wanted <= (upper ?? Infinity), `${key}: ${count} <= ${wanted} <= ${upper}`);
    assert.equal(exact, count === upper, key);
    if (isSure) assert.ok(exact, `${key} is exact`);
    if (exact)
      assert.equal(
        nodes.reduce((sum, one) => sum + one.doc_count, 0),
        count,
        `${key} by node`,
      );
  }
  const order = counted.map(({ doc_count: count }) => count);
  assert.deepEqual(
    order,
    order.toSorted((one, other) => other - one),
    'in the order of the counts',
  );
  const keys = new Set(counted.map(({ key }) => key));
  for (const [key, count] of truth)
    if (!keys.has(key) && key !== '__missing__')
      assert.ok(count <= (unlisted ?? Infinity), `${key} is not listed: ${count} <= ${unlisted}`);
  const distinct = truth.size - Number(truth.has('__missing__'));
  const seen = terms.bucket_count - Number(buckets.some(isMissing));
  assert.ok(terms.bucket_count_exact ? seen === distinct : seen <= distinct, `${seen} of ${distinct} values`);
};

/** An established server counts no objects that are left of a filter on them. */
const mayFail = ({ kind }: Share): boolean => kind === 'failing' || kind === 'established';

test('a count that is shown is exact, unless a node withholds its records or is named', (t) =>
  t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(sharesOf, questions, async (shares, question) => {
        const variables = { ...question };
        const truth = await truthOf(shares, variables);
        const { network, askedAgain, close } = await openShares(shares);
        try {
          const { aggregations, warnings } = await answerOf(network, variables);
          assert.deepEqual(askedAgain, [], 'nodes that withhold their records are not asked again');
          const isGuarded = shares.some(({ kind }) => kind === 'guarded');
          const isNamed = warnings.length > 0;
          for (const warning of warnings) {
            const at = Number(/^node "n(\d+)" did not count the values shown/.exec(warning)?.[1]);
            assert.ok(mayFail(shares[at]!), warning);
          }
          for (const [name, terms] of Object.entries(aggregations))
            checkTerms(terms, truth.get(name)!, !isGuarded && !isNamed);
        } finally {
          await close();
        }
      }),
      { numRuns: runs(60), includeErrorInReport: true },
    ),
  ));
