import test from 'ava';
import fc, { runs } from '../fast-check.ts';
import { DeferredValues } from '../../src/lib/graphql/execution.ts';
import { above, leaf, selection } from '../local/random-selection.ts';
import { openTrees } from './trees.ts';

const nodeCounts = above(selection(leaf('nodeId', 'doc_count', 'n: doc_count')), 'nodes', 'who: nodes');
const bucket = selection(
  leaf('key', '__proto__: key', 'doc_count', 'n: doc_count', 'key_as_string'),
  leaf('upper_bound', 'exact', 'most: upper_bound', 'key @skip(if: $no)'),
  nodeCounts,
);
const bounds = above(selection(leaf('lower', 'upper', 'exact', 'low: lower')), 'cardinality_bounds');
const coverage = above(selection(leaf('nodeId', 'state', 'docs', 's: state')), 'coverage', 'c: coverage');
const terms = selection(
  leaf('bucket_count', 'bucket_count_exact', 'unlisted_upper_bound', 'cardinality', 'n: bucket_count'),
  above(bucket, 'buckets', 'few: buckets(max: 1)', 'some: buckets(max: $n)'),
  bounds,
  coverage,
);
const count = selection(leaf('key', 'k: key', 'key_as_string', 'doc_count'));
const counts = selection(leaf('bucket_count'), above(count, 'buckets', 'few: buckets(max: 1)', 'b: buckets'));
const numeric = selection(
  leaf('cardinality', 'c: cardinality'),
  above(selection(leaf('max', 'min', 'count', 'avg', 'sum', 'least: min')), 'stats', 's: stats'),
  above(
    counts,
    'histogram(interval: 10)',
    'wide: histogram(interval: 50)',
    'range(ranges: [{to: 10}, {from: 10}])',
  ),
  bounds,
  coverage,
);
const facets = selection(above(terms, 'genus', 'gone', 'g: genus'), above(numeric, 'height', 'planted'));
const node = selection(leaf('id', 'genus', 'height', 'h: height', 'planted', 'gone'));
const edges = above(
  selection(leaf('nodeId', 'searchAfter', 'cursor: searchAfter'), above(node, 'node')),
  'edges',
);
const status = leaf('nodeId', 'name', 'hits', 'status', 'errors', 'state', 'code', 'uncoveredFields');
const network = selection(
  leaf('total', 'partial', 'all: total'),
  above(selection(status), 'nodes', 'n: nodes'),
  above(facets, 'aggregations', 'more: aggregations'),
  above(selection(leaf('total'), edges), 'hits(first: 3, sort: [{ fieldName: "height" }])'),
);

test('deferring the facets of a network equals graphql-js alone, whatever is selected', async (t) => {
  const { run } = await openTrees(t);
  const holds = fc.asyncProperty(network, async (selected) => {
    const source = `query($n: Int, $yes: Boolean = true, $no: Boolean = false) {
      again: __typename @skip(if: $no) @include(if: $yes) network ${selected} counted: network { total few: nodes @include(if: $no) { took } n: __typename @skip(if: $no) }
      more: network { aggregations { genus { buckets(max: $n) { key } } } }
    }`;
    const walked = await run(source, { n: 2 }, {});
    t.is(await run(source, { n: 2 }, {}, new DeferredValues()), walked);
    t.true(walked.includes('"network":{'), walked);
  });
  await fc.assert(holds, { numRuns: runs(200) });
});

test('a count that the schema cannot say is an error at its place, and costs nothing else', async (t) => {
  const { send, remote } = await openTrees(t);
  remote.fault = (_request, response) => {
    const buckets = [
      { key: 'maple', doc_count: 2 ** 31 - 1 },
      { key: 'Tilia', doc_count: 1 },
    ];
    response.end(JSON.stringify({ data: { tree: { aggregations: { taxon_name: { buckets } } } } }));
    return true;
  };
  const { data, errors } = await send('{ network { aggregations { genus { buckets { key doc_count } } } } }');
  t.is(errors?.length, 1);
  t.deepEqual(
    errors?.map((error) => (error as unknown as { path: unknown }).path),
    [['network', 'aggregations', 'genus', 'buckets', 0, 'doc_count']],
  );
  t.deepEqual(data?.network['aggregations'], {
    genus: {
      buckets: [
        { key: 'Acer', doc_count: null },
        { key: 'Tilia', doc_count: 2 },
        { key: '__missing__', doc_count: 1 },
      ],
    },
  });
});
