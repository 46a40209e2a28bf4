import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import { execute, parse, validate, type ExecutionResult } from 'graphql';
import type { FacetQuery } from '../../../src/engines/engine.ts';
import type { FacetResult } from '../../../src/engines/measure.ts';
import { DeferredValues, inSlices } from '../../../src/lib/graphql/execution.ts';
import { openCatalogue } from '../../../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import { bookConfig, bookProperties, contextWith } from '../../local/catalogue-fixture.ts';
import { above, leaf, selection } from '../../local/random-selection.ts';
import { scriptedEngine } from '../../local/scripted-engine.ts';

/** What the engine counts and measures everywhere. */
interface Numbers {
  readonly count: number;
  readonly measured: number | null;
}

const facetResult = ({ measure }: FacetQuery, { count, measured }: Numbers): FacetResult => {
  switch (measure.kind) {
    case 'terms': {
      const { topHits, filters } = measure;
      const more = {
        ...(topHits && { topHit: { of: 'x' } }),
        ...(filters && { filtered: filters.map(() => 1) }),
      };
      const buckets = [
        { key: '0', keyAsString: 'false', count: 7, ...more },
        { key: '1', count, ...more },
      ];
      return { kind: 'terms', buckets: buckets.slice(0, measure.size ?? 2), distinct: 2, missing: 3 };
    }
    case 'stats':
      return { kind: 'stats', count: 2, min: -0, max: measured, sum: measured, avg: 0.5 };
    case 'survival': {
      const times = [{ time: 1, events: count, censored: 2 }];
      return { kind: 'survival', times, noTime: count, negativeTime: 0, noEvent: 1 };
    }
    case 'percentiles':
      return { kind: 'percentiles', level: 0, zero: count, positive: [[1, 2]], negative: [] };
    case 'histogram':
      return { kind: 'histogram', buckets: [{ key: '0', count }] };
    case 'date_histogram':
      return { kind: 'date_histogram', buckets: [{ key: '0', keyAsString: '1970', count }] };
    case 'range':
      return { kind: 'range', buckets: measure.ranges.map(({ key }) => ({ key, count })) };
    case 'cardinality':
      return { kind: 'cardinality', value: count, exact: true };
    case 'groups':
      return { kind: 'groups', buckets: measure.sets.map(({ key }) => ({ key, count })) };
  }
};

type Run = (source: string, numbers: Numbers, left: DeferredValues | null) => Promise<ExecutionResult>;

/** Runs operations; `left` gets the finished values or, when it is null, the executor walks. */
const openBooks = async (): Promise<Run> => {
  let current: Numbers = small;
  const engine = scriptedEngine({
    describe: () => ({ properties: bookProperties }),
    search: ({ facets }) => ({ facets: facets.map((facet) => facetResult(facet, current)) }),
  });
  const state = await openCatalogue(bookConfig(), engine, {});
  if (state.status === 'failed') throw state.error;
  const schema = buildCatalogueSchema(state.catalogue);
  return async (source, numbers, left) => {
    current = numbers;
    const document = parse(source);
    const [invalid] = validate(schema, document);
    if (invalid) throw invalid;
    const variableValues = { n: 1 };
    return execute({ schema, document, rootValue: left, contextValue: contextWith(), variableValues });
  };
};

const small: Numbers = { count: 5, measured: 1 };

const operation = (book: string): string => `
  query($n: Int, $yes: Boolean = true, $no: Boolean = false) {
    again: __typename @skip(if: $no) @include(if: $yes) book { ...counted ${book} } more: book { mapping @include(if: $no) hits(first: $n) { total } }
  }
  fragment counted on book { aggregations { genres { buckets(max: 9) { ...bucket } } } }
  fragment bucket on Bucket { doc_count last: key }`;

const filter = '(filter: {op: "in", content: {fieldName: "title", value: ["x"]}})';
const bucket = selection(
  leaf('key', '__proto__: key', 'doc_count', 'n: doc_count', 'key_as_string', 'key @skip(if: $no)'),
  leaf('top_hits(_source: ["title"])', 'other: top_hits(size: 2)', `filter_by_term${filter}`),
);
const buckets = above(bucket, 'few: buckets(max: 1)', 'some: buckets(max: $n)', 'all: buckets');
const counts = selection(
  leaf('bucket_count', 'cardinality', 'n: bucket_count', '__proto__: cardinality'),
  buckets,
);
const numeric = selection(
  leaf('cardinality', 'c: cardinality'),
  above(
    selection(leaf('max', 'min', 'count', 'avg', 'sum', 'count: count', 'least: min')),
    'stats',
    's: stats',
  ),
  above(
    counts,
    'histogram',
    'wide: histogram(interval: 50)',
    'range',
    'two: range(ranges: [{to: 3}, {from: 3}])',
  ),
);
const facets = selection(
  above(counts, 'genres', 'title', '__proto__: lendable', 'copies__loans__reader'),
  above(numeric, 'pages', 'p: pages', 'copies__loans__days'),
  leaf(),
);
const bookFields = fc
  .array(above(facets, 'aggregations', '__proto__: aggregations(include_missing: false)'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((chosen) => chosen.join(' '));

const numbers = fc.record({
  count: fc.constantFrom(0, 5, 2 ** 31 - 1, 2 ** 31, 1.5, Number.NaN),
  measured: fc.constantFrom(null, 1.5, -2e300, Number.POSITIVE_INFINITY),
});

const numRuns = runs(300);

/** Which of several fields fails first depends on the time that the steps before it take. */
const inOrder = (answer: string): string => {
  const { errors, ...rest } = JSON.parse(answer) as { readonly errors?: readonly object[] };
  return JSON.stringify({ errors: errors?.map((error) => JSON.stringify(error)).sort(), ...rest });
};

test('deferring facets equals graphql-js alone, whatever is selected, errors included', async (t) => {
  t.timeout(300_000);
  const run = await openBooks();
  let deferred = 0;
  await fc.assert(
    fc.asyncProperty(bookFields, numbers, async (book, supplied) => {
      const source = operation(book);
      const left = new DeferredValues();
      const finished = await run(source, supplied, left);
      const before = JSON.stringify(finished);
      left.insertInto(finished.data);
      const after = JSON.stringify(finished);
      if (after !== before) deferred += 1;
      t.is(inOrder(after), inOrder(JSON.stringify(await run(source, supplied, null))));
    }),
    { numRuns },
  );
  t.true(deferred > numRuns / 10, `${deferred} of ${numRuns} runs defer anything`);
});

test('the executor walks no facet, unless a value does not fit its type', async (t) => {
  const run = await openBooks();
  const source = '{ book { aggregations { genres { buckets { doc_count } } } } }';
  const walked = async (supplied: Numbers) => (await run(source, supplied, new DeferredValues())).data;
  t.like(await walked(small), { book: { aggregations: null } });
  t.like(await walked({ ...small, count: 2 ** 31 }), {
    book: {
      aggregations: { genres: { buckets: [{ doc_count: 7 }, { doc_count: null }, { doc_count: 3 }] } },
    },
  });
});

test('what stands below a field that became null stays out', (t) => {
  const left = new DeferredValues();
  const path = {
    key: 'value',
    typename: 'A',
    prev: { key: 0, typename: 'B', prev: { key: 'list', typename: 'C', prev: undefined } },
  };
  left.defer(path, 1);
  for (const data of [null, undefined, { list: null }, { list: [null] }])
    t.notThrows(() => left.insertInto(data));
  const data = { list: [{ value: null }] };
  left.insertInto(data);
  t.deepEqual(data, { list: [{ value: 1 }] } as never);
});

const countUp = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

test('a short list is returned as it is', (t) => {
  t.deepEqual(inSlices(countUp(100)), countUp(100));
});

test('a long list resolves to every item in order', async (t) => {
  t.deepEqual(await Promise.all(inSlices(countUp(1_201))), countUp(1_201));
});

test('items that nobody waits for any more are null', async (t) => {
  let resolved = 0;
  const items = inSlices(countUp(350), () => resolved > 200).map(async (item) => {
    const value = await item;
    resolved += 1;
    return value;
  });
  const values = await Promise.all(items);
  t.deepEqual(values.slice(0, 200), countUp(200));
  t.true(values.slice(300).every((value) => value === null));
});

test('each hundred items of a long list resolves in another iteration of the event loop', async (t) => {
  let iteration = 0;
  let isDone = false;
  const count = (): void => {
    iteration += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const iterations = await Promise.all(
    inSlices(countUp(350)).map(async (item) => {
      await item;
      return iteration;
    }),
  );
  isDone = true;
  const slices = [
    iterations.slice(0, 100),
    iterations.slice(100, 200),
    iterations.slice(200, 300),
    iterations.slice(300),
  ];
  t.deepEqual(
    slices.map((slice) => new Set(slice).size),
    [1, 1, 1, 1],
  );
  t.is(new Set(iterations).size, 4);
});
