import type { JsonObject } from '../../src/lib/json/json.ts';

/** A condition as a portal's user ticks it: values of a field, or a range of one. */
export interface Clause {
  readonly path: string;
  readonly values?: readonly string[];
  /** Both ends belong to it. */
  readonly range?: readonly [from: number, to: number];
}

/** A filter: all clauses together. */
export type Selection = readonly Clause[];

/** The only one of its kind in a run: no server has an answer to it. Every turn's keeps about as many documents. */
export type SelectionOf = (turn: number) => Selection;

const first = (count: number, word: string, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, index) => word + (from + index));

/** Numbers below `most` that do not come again before all have come; the factor is prime. */
const scattered = (turn: number, most: number): number => (turn * 7919 + 101) % most;

const reads = (turn: number): Clause => {
  const from = scattered(turn, 150_000);
  return { path: 'reads', range: [from, from + 400_000] };
};

const phases = [
  ['ph1', 'ph2'],
  ['ph0', 'ph3'],
  ['ph1', 'ph3'],
  ['ph0', 'ph4'],
];

/** About a quarter of the documents, as in bench/engine; facets keep their own clauses. */
export const plain: SelectionOf = (turn) => [
  { path: 'phase', values: phases[turn % phases.length]! },
  reads(turn),
];

/** Three of the ten facets have a clause of their own. */
export const ticked: SelectionOf = (turn) => [
  { path: 'sex', values: ['s0'] },
  { path: 'tissue', values: first(3, 'tis ', turn % 4) },
  { path: 'tags', values: first(10, 'tag', turn % 8) },
  reads(turn),
];

/** Each of the ten facets has its own clause. */
export const everyTicked: SelectionOf = (turn) => [
  { path: 'sex', values: ['s0'] },
  { path: 'phase', values: ['ph0', 'ph1', 'ph2'] },
  { path: 'grade', values: first(4, 'g', turn % 2) },
  { path: 'tissue', values: first(12, 'tis ', turn % 4) },
  { path: 'programme', values: first(15, 'P', turn % 6) },
  { path: 'institution', values: first(120, 'Inst/', turn % 5) },
  { path: 'category', values: first(160, 'cat:', turn % 9) },
  { path: 'tags', values: first(60, 'tag', turn % 8) },
  { path: 'donor.status', values: ['alive', 'dead'] },
  { path: 'donor.country', values: first(30, 'C') },
  reads(turn),
];

/** As a client of a node writes it. */
export const sqonOf = (selection: Selection): JsonObject => ({
  op: 'and',
  content: selection.map(({ path, values, range }) =>
    range === undefined
      ? { op: 'in', content: { fieldName: path, value: [...values!] } }
      : { op: 'between', content: { fieldName: path, value: [...range] } },
  ),
});

/** As the search server is queried. */
export const clauseOf = ({ path, values, range }: Clause): JsonObject =>
  range === undefined
    ? { terms: { [path]: [...values!] } }
    : { range: { [path]: { gte: range[0], lte: range[1] } } };

export const queryOf = (selection: Selection): JsonObject => ({ bool: { filter: selection.map(clauseOf) } });
