import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { graphql } from 'graphql';
import { openEngine } from '../src/engines/open/open-engine.ts';
import { buildHierarchy } from '../src/introspection/hierarchies/build-hierarchy.ts';
import { openCatalogue } from '../src/local/open-catalogue.ts';
import { buildCatalogueSchema } from '../src/local/schema/schema.ts';
import { seeded } from '../test/engines/random-documents.ts';
import { bookConfig, contextWith } from '../test/local/catalogue-fixture.ts';
import { median } from './engine/median.ts';

// filters on a branch of 20 000 codes beside lists of 100, and a level of 50 terms, over documents with lists of codes:
// node bench/branches.ts [documents] [address of a search server]

const documents = Number(process.argv[2] ?? 1_000_000);
const url = process.argv[3];
const index = 'tributary-bench';
const [children, below] = [50, 400];

/** One root with 50 children of 400 terms each, and another branch as large beside it. */
const ids = ['A', 'B'].flatMap((root) => [
  { id: root, parent: '' },
  ...Array.from({ length: children }, (_, at) => ({ id: `${root}${at}`, parent: root })),
  ...Array.from({ length: children * below }, (_, at) => ({
    id: `${root}${at % children}.${at}`,
    parent: `${root}${at % children}`,
  })),
]);
const hierarchy = buildHierarchy(
  'codes',
  ids.map(({ id, parent }) => ({
    id,
    label: id,
    synonyms: [],
    parents: parent === '' ? [] : [parent],
    obsolete: false,
    replacedBy: null,
  })),
  'codes.csv',
);

const dataPath = await mkdtemp(join(tmpdir(), 'tributary-bench-'));
const credentials = { user: undefined, password: undefined, apiKey: undefined, caFile: undefined };
const engine = await openEngine(
  url === undefined ? { kind: 'embedded', dataPath } : { kind: 'detect', url, ...credentials },
);
await engine.manage({ kind: 'delete', index });
const mapping = {
  properties: { codes: { type: 'keyword' }, bins: { type: 'keyword' }, size: { type: 'integer' } },
};
await engine.manage({ kind: 'create', index, mapping });
const random = seeded(1);
/** Its bins are found by 100 values where its codes are found by a branch. */
const itemOf = (own: readonly string[]) => ({
  codes: own,
  bins: own.map((id) => `${id[0]}-${Number(id.slice(1).split('.')[1] ?? 0) % 100}`),
  size: random.below(100),
});

const batch = 20_000;
for (let first = 0; first < documents; first += batch)
  await engine.write(
    index,
    Array.from({ length: Math.min(batch, documents - first) }, (_, at) => ({
      kind: 'upsert',
      id: `d${first + at}`,
      document: itemOf(Array.from({ length: 1 + random.below(3) }, () => random.pick(ids).id)),
    })),
  );
const config = bookConfig({
  documentType: 'item',
  esIndex: index,
  extended: [],
  fieldHierarchies: new Map([['codes', hierarchy]]),
});
const state = await openCatalogue(config, engine, {});
if (state.status === 'failed') throw state.error;
const schema = buildCatalogueSchema(state.catalogue);

/** Processor time of the whole process, and time, each the median. */
const timed = async (source: string, filtersOf: (round: number) => unknown): Promise<string> => {
  const times: number[] = [];
  const processorTimes: number[] = [];
  for (let round = 0; round < 15; round++) {
    const startedMs = performance.now();
    const used = process.cpuUsage();
    const variableValues = { filters: filtersOf(round) };
    const { errors } = await graphql({ schema, source, variableValues, contextValue: contextWith() });
    if (errors) throw errors[0]!;
    times.push(performance.now() - startedMs);
    const { user, system } = process.cpuUsage(used);
    processorTimes.push((user + system) / 1_000);
  }
  const [took, processor] = [times, processorTimes].map((all) => median(all.slice(3)).toFixed(1));
  return `${processor} ms of processor time, ${took} ms`;
};

const page =
  'query ($filters: JSON) { item { hits(filters: $filters, first: 20) { total edges { node { id } } } } }';
const counted =
  'query ($filters: JSON) { item { aggregations(filters: $filters) { size { stats { avg } } } } }';
const leaf = (op: string, fieldName: string, value: readonly string[]) => ({
  op,
  content: { fieldName, value },
});
const rest = (round: number) => ({ op: 'gte', content: { fieldName: 'size', value: round } });
const both = (filter: object, round: number) => ({ op: 'and', content: [filter, rest(round)] });
const hundred = Array.from({ length: 100 }, (_, at) => `A-${at}`);

for (const [name, source] of [
  ['a page', page],
  ['a facet', counted],
] as const)
  for (const [kind, filter] of [
    ['in 100', leaf('in', 'bins', hundred)],
    [`under ${children * below + children + 1}`, leaf('under', 'codes', ['A'])],
  ] as const)
    console.log(`${name}, ${kind}: ${await timed(source, (round) => both(filter, round))}`);
// search servers keep what they answered before
const level = (round: number) => (url === undefined ? null : rest(round));
const tree = (under: string) =>
  `query ($filters: JSON) { item { aggregations(filters: $filters) { codes { tree(under: "${under}") { buckets { key doc_count own_count has_children } other { doc_count } } } } } }`;
console.log(`tree of ${children} children: ${await timed(tree('A'), level)}`);
const facet = `query ($filters: JSON) { item { aggregations(filters: $filters) { codes { buckets(max: ${children}) { key doc_count } } } } }`;
console.log(`facet of ${children} values: ${await timed(facet, level)}`);
console.log(`${documents} documents, load ${loadavg()[0]!.toFixed(1)}`);
if (url !== undefined) await engine.manage({ kind: 'delete', index });
await engine.close();
await rm(dataPath, { recursive: true });
