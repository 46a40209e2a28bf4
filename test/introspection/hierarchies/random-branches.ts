import { buildHierarchy } from '../../../src/introspection/hierarchies/build-hierarchy.ts';
import type { Hierarchy } from '../../../src/introspection/hierarchies/hierarchy.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import type { Random } from '../../engines/random-documents.ts';

/** A graph of terms in plain JavaScript: each term with its parents. Nothing here uses src/hierarchies. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** A term may stand under any that come before it, under several, or under none. */
export const randomGraph = (random: Random): Graph => {
  const ids = Array.from({ length: 1 + random.below(12) }, (_, at) => `T${at}`);
  return new Map(
    ids.map((id, at) => [id, ids.slice(0, at).filter(() => random.chance(1.3 / Math.max(1, at)))]),
  );
};

/** The graph as the product reads it. */
export const hierarchyOf = (graph: Graph): Hierarchy =>
  buildHierarchy(
    'codes',
    [...graph].map(([id, parents]) => ({
      id,
      label: `Term ${id}`,
      synonyms: [],
      parents,
      obsolete: false,
      replacedBy: null,
    })),
    'codes.csv',
  );

/** A term and all that it stands under. */
const above = (graph: Graph, id: string): ReadonlySet<string> =>
  new Set([id, ...(graph.get(id) ?? []).flatMap((parent) => [...above(graph, parent)])]);

/** Whether a code stands under a term of the graph, or is it; a code that is not a term stands under none. */
export const isUnder = (graph: Graph, code: string, term: string): boolean =>
  graph.has(code) && above(graph, code).has(term);

const childrenOf = (graph: Graph, id: string): readonly string[] =>
  [...graph].flatMap(([child, parents]) => (parents.includes(id) ? [child] : []));

/** The terms directly under one; without one, the first level that branches, and the term above it, if there is one. */
const levelOf = (
  graph: Graph,
  under: string | null,
): { readonly parent: string | null; readonly level: readonly string[] } => {
  if (under !== null) return { parent: under, level: childrenOf(graph, under) };
  let parent: string | null = null;
  let level: readonly string[] = [...graph].flatMap(([id, parents]) => (parents.length === 0 ? [id] : []));
  while (level.length === 1 && childrenOf(graph, level[0]!).length > 0) {
    parent = level[0]!;
    level = childrenOf(graph, parent);
  }
  return { parent, level };
};

/** A record with codes of its own and in its parts. */
export interface Item {
  readonly id: string;
  readonly color: string;
  readonly codes: readonly string[];
  readonly parts: readonly { readonly code: readonly string[]; readonly size: number }[];
}

export const randomItems = (random: Random, graph: Graph): readonly Item[] => {
  const codes = [...graph.keys(), 'other', 'T1*'];
  const some = (most: number): readonly string[] => [
    ...new Set(Array.from({ length: random.below(most + 1) }, () => random.pick(codes))),
  ];
  return Array.from({ length: random.below(16) }, (_, at) => ({
    id: `i${at}`,
    color: random.pick(['red', 'green', 'blue']),
    codes: some(3),
    parts: Array.from({ length: random.below(4) }, () => ({ code: some(2), size: random.below(5) })),
  }));
};

export const itemProperties: JsonObject = {
  id: { type: 'keyword' },
  color: { type: 'keyword' },
  codes: { type: 'keyword' },
  parts: { type: 'nested', properties: { code: { type: 'keyword' }, size: { type: 'integer' } } },
};

/** A condition, and the records that it finds by set algebra. */
export interface Question {
  readonly sqon: JsonObject | null;
  readonly finds: (item: Item) => boolean;
}

const everything: Question = { sqon: null, finds: () => true };

/** A random filter over codes, codes of parts, and colours. */
export const randomQuestion = (random: Random, graph: Graph, depth = 2): Question => {
  const form = depth <= 0 ? 2 + random.below(3) : random.below(6);
  if (form === 0) return everything;
  if (form === 1) return groupOf(random, graph, depth);
  if (form === 2) {
    const color = random.pick(['red', 'green', 'blue']);
    const sqon = { op: 'in', content: { fieldName: 'color', value: [color] } };
    return { sqon, finds: (item) => item.color === color };
  }
  return branchOf(random, graph, form % 2 === 0 ? 'codes' : 'parts.code');
};

const groupOf = (random: Random, graph: Graph, depth: number): Question => {
  const op = random.pick(['and', 'or', 'not']);
  const parts = Array.from({ length: 1 + random.below(2) }, () => randomQuestion(random, graph, depth - 1));
  const content = parts.flatMap(({ sqon }) => (sqon === null ? [] : [sqon]));
  const held = parts.filter(({ sqon }) => sqon !== null);
  if (content.length === 0) return everything;
  return {
    sqon: { op, content },
    finds: (item) =>
      op === 'and'
        ? held.every(({ finds }) => finds(item))
        : op === 'or'
          ? held.some(({ finds }) => finds(item))
          : !held.some(({ finds }) => finds(item)),
  };
};

const branchOf = (random: Random, graph: Graph, fieldName: 'codes' | 'parts.code'): Question => {
  const terms = [...graph.keys()];
  const some = (most: number) => Array.from({ length: random.below(most + 1) }, () => random.pick(terms));
  const value = [random.pick(terms), ...some(2)];
  const except = some(1);
  const fits = (code: string): boolean =>
    value.some((term) => isUnder(graph, code, term)) && !except.some((term) => isUnder(graph, code, term));
  return {
    sqon: { op: 'under', content: { fieldName, value, ...(except.length > 0 && { except }) } },
    finds: (item) => codesIn(item, fieldName).some(fits),
  };
};

const codesIn = (item: Item, fieldName: 'codes' | 'parts.code'): readonly string[] =>
  fieldName === 'codes' ? item.codes : item.parts.flatMap(({ code }) => code);

/** A level with its counts, as the schema shows it. */
export const levelCounts = (
  graph: Graph,
  items: readonly Item[],
  fieldName: 'codes' | 'parts.code',
  under: string | null,
  max: number,
) => {
  const has = (item: Item, term: string): boolean =>
    codesIn(item, fieldName).some((code) => isUnder(graph, code, term));
  const count = (fits: (item: Item) => boolean): number => items.filter(fits).length;
  const { level, parent } = levelOf(graph, under);
  const buckets = level
    .map((key) => ({
      key,
      doc_count: count((item) => has(item, key)),
      own_count: count((item) => codesIn(item, fieldName).includes(key)),
      has_children: childrenOf(graph, key).length > 0,
    }))
    .filter((bucket) => bucket.doc_count > 0)
    .sort((one, other) => other.doc_count - one.doc_count || (one.key < other.key ? -1 : 1))
    .slice(0, max);
  const isInLevel = (item: Item): boolean =>
    parent === null ? level.some((term) => has(item, term)) : has(item, parent);
  const isListed = (item: Item): boolean => buckets.some(({ key }) => has(item, key));
  return {
    key: parent,
    doc_count: count(isInLevel),
    buckets,
    other: { doc_count: count((item) => isInLevel(item) && !isListed(item)) },
  };
};
