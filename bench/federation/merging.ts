import { readTerms } from '../../src/search/facets/row/wire.ts';
import type { MergedTerms } from '../../src/search/facets/terms/merge-terms.ts';
import { fanout } from '../../src/federation/query/fanout.ts';
import { mergeFacets, mergePage } from '../../src/federation/merge/answers.ts';
import { networkFields } from '../../src/federation/nodes/network-fields.ts';
import type { NodeView } from '../../src/federation/nodes/node-view.ts';
import { fieldMappingOf } from '../../src/federation/nodes/node-view.ts';
import { plan } from '../../src/federation/query/plan.ts';
import type { NodesQuery } from '../../src/federation/query/network-query.ts';
import type { Field, Fields } from '../../src/introspection/fields/field.ts';
import { kindOf } from '../../src/introspection/fields/field.ts';
import type { CatalogueResult } from '../../src/search/query.ts';
import { contextFor } from '../../test/search/request-context.ts';
import { median } from '../engine/median.ts';
import { bucketList, fieldTypes, hitList, seeded } from './answers.ts';

const fields: Fields = new Map(
  Object.entries(fieldTypes).map(([path, type]): [string, Field] => [
    path,
    {
      path,
      type,
      kind: kindOf(type),
      nestedIn: [],
      isArray: false,
      indexField: { path, type, nestedIn: [] },
    },
  ]),
);

const nodeOf = (nodeId: string, answer: CatalogueResult): NodeView => {
  const config = {
    nodeId,
    displayName: nodeId,
    source: { kind: 'local' as const, catalogueId: nodeId },
    timeoutMs: 60_000,
    required: false,
    fields: new Map<string, string>(),
    values: new Map<string, ReadonlyMap<string, string>>(),
    unavailableBucket: false,
  };
  const status = {
    kind: 'up' as const,
    fields,
    aggregates: () => true,
    search: () => Promise.resolve(answer),
  };
  return { config, fieldMapping: fieldMappingOf(config), status };
};

const context = contextFor();

const base: NodesQuery = {
  filters: null,
  filterThemselves: false,
  includeMissing: true,
  only: null,
  facets: [],
  hits: null,
};

/** What merging takes, in milliseconds, the middle of several rounds: by the clock, and of the processors. */
export interface Cost {
  readonly ms: number;
  readonly processorMs: number;
}

/** Merging alone: the answers are parsed and there. */
const measure = async (
  question: NodesQuery,
  answers: readonly CatalogueResult[],
  rounds: number,
  merge: (
    answered: Awaited<ReturnType<typeof fanout>>,
    network: ReturnType<typeof networkFields>,
  ) => number | Promise<number>,
): Promise<Cost> => {
  const nodes = answers.map((answer, index) => nodeOf(`n${index}`, answer));
  const network = networkFields(new Map(), nodes);
  const times: number[] = [];
  const processor: number[] = [];
  for (let round = -3; round < rounds; round += 1) {
    const answered = await fanout(plan(question, network, nodes), context);
    const used = process.cpuUsage();
    const startedMs = performance.now();
    const rows = await merge(answered, network);
    const tookMs = performance.now() - startedMs;
    const { user, system } = process.cpuUsage(used);
    if (rows === 0) throw new Error('nothing was merged');
    if (round < 0) continue;
    times.push(tookMs);
    processor.push((user + system) / 1_000);
  }
  return { ms: median(times), processorMs: median(processor) };
};

/** Merges one facet of so many nodes, each with so many buckets drawn from so many keys. */
export const mergeBucketsMs = (
  nodes: number,
  buckets: number,
  keys: number,
  rounds: number,
): Promise<Cost> => {
  const random = seeded(1);
  const answers = Array.from({ length: nodes }, (): CatalogueResult => {
    const sent = bucketList(random, buckets, keys).map(({ key, count }) => ({ key, doc_count: count }));
    // an answer that came over the wire shares no strings
    const terms = readTerms(JSON.parse(JSON.stringify(sent)), 'species');
    return { total: 1, hits: [], facets: [terms], warnings: [] };
  });
  const question = { ...base, facets: [{ path: 'species', measure: { kind: 'terms' as const, max: null } }] };
  return measure(question, answers, rounds, async (answered, network) => {
    const [facet] = await mergeFacets(question, answered, network);
    return (facet as MergedTerms).buckets.length;
  });
};

/** Merges a page from so many nodes that each give as many rows as are wanted. */
export const mergeHitsMs = (nodes: number, first: number, rounds: number): Promise<Cost> => {
  const random = seeded(2);
  const answers = Array.from({ length: nodes }, (_, node): CatalogueResult => ({
    total: 10 * first,
    hits: hitList(random, `n${node}`, first),
    facets: [],
    warnings: [],
  }));
  const sort = [
    { fieldName: 'weight', order: 'asc' as const },
    { fieldName: 'site', order: 'asc' as const },
  ];
  const page = { first, offset: 0, sort, after: null, trackTotal: true, fields: ['id'] };
  const question = { ...base, hits: page };
  return measure(question, answers, rounds, (answered, network) => {
    const merged = mergePage(page, answered, network);
    return merged.length === first ? first : 0;
  });
};
