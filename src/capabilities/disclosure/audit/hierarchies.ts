import type { Counts } from '../table/count-cells.ts';
import type { ReleasedTable } from '../table/released-table.ts';
import { partOf, type CellBounds, type Cells, type Part } from './cell-bounds.ts';
import { flowNetwork, type Arc, type FlowTable, type Graph } from './flow-network.ts';

/**
 * Every two-way table over a declared hierarchy, with a third dimension fixed or without.
 *
 * Its rows lie within others by a declared hierarchy, codes within sites, as a circulation:
 *
 *   total -> columns -> a site in a column -> its codes there -> codes -> sites -> total
 *
 * A code that lies within no site is in one of its own, of which nothing is known; a site has at most what it shares with
 * such codes besides its own. Without them, every arc but theirs is a released cell, and what it can carry is exact.
 */
export function* hierarchiesOf(
  table: ReleasedTable,
  bounds: CellBounds,
  counts: Counts,
): Generator<FlowTable> {
  const { dimensions } = table;
  for (const block of table.blocks.values())
    for (const inner of block.dimensions) {
      const outer = dimensions[inner]!.within?.dimension ?? -1;
      if (outer < 0 || dimensions[inner]!.isMulti || dimensions[outer]!.isMulti) continue;
      if (block.dimensions.length < 2 || block.dimensions.includes(outer)) continue;
      for (const column of block.dimensions) {
        if (column === inner || dimensions[column]!.isMulti) continue;
        const [fixed = -1] = block.dimensions.filter((one) => one !== inner && one !== column);
        const read = readerOf({ inner, outer, column, fixed }, table, bounds, counts);
        const slices = fixed < 0 ? 1 : dimensions[fixed]!.cells.length;
        let graph: Graph | undefined;
        for (let slice = 0; slice < slices; slice += 1) {
          const made = hierarchyOf(read(slice), table, [inner, outer, column], graph);
          // the nodes and arcs of all slices are equal
          graph = made.network.graph;
          yield made;
        }
      }
    }
}

interface Axes {
  readonly inner: number;
  readonly outer: number;
  readonly column: number;
  /** -1 for none. */
  readonly fixed: number;
}

/** The known bounds of a cell, and its true count. */
interface Known {
  readonly key: string;
  readonly cell: number;
  readonly bounds: Cells;
  readonly lower: number;
  readonly upper: number;
  readonly count: number;
}

/** The cells of one slice by their position on the axes; an omitted axis is summed over. */
interface Reader {
  readonly at: (place: Partial<Record<'inner' | 'outer' | 'column', number>>) => Known;
  /** The maximum number of units that an inner and an outer value share, over all slices. */
  readonly shared: (inner: number, outer: number) => number;
}

const axisNames = ['inner', 'outer', 'column', 'fixed'] as const;

const readerOf = (
  axes: Axes,
  table: ReleasedTable,
  bounds: CellBounds,
  counts: Counts,
): ((slice: number) => Reader) => {
  const all = axisNames.map((name) => axes[name]);
  const parts: Part[] = [];
  const among = (mask: number): Part =>
    (parts[mask] ??= partOf(
      all.filter((_, bit) => (mask >> bit) & 1),
      all,
      table,
      bounds,
      counts,
    ));
  const known = (part: Part, inner: number, outer: number, column: number, slice: number): Known => {
    const [ofInner, ofOuter, ofColumn, ofSlice] = part.strides as [number, number, number, number];
    const cell = inner * ofInner + outer * ofOuter + column * ofColumn + slice * ofSlice;
    const { lower, upper } = part.bounds;
    return {
      key: part.key,
      cell,
      bounds: part.bounds,
      lower: lower[cell]!,
      upper: upper[cell]!,
      count: part.counts[cell]!,
    };
  };
  const fixed = axes.fixed < 0 ? 0 : 8;
  return (slice) => ({
    at: ({ inner, outer, column }) => {
      const mask =
        (inner === undefined ? 0 : 1) | (outer === undefined ? 0 : 2) | (column === undefined ? 0 : 4);
      return known(among(mask | fixed), inner ?? 0, outer ?? 0, column ?? 0, slice);
    },
    shared: (inner, outer) => known(among(3), inner, outer, 0, 0).upper,
  });
};

interface NamedArc extends Arc {
  readonly known: Known | null;
}

const hierarchyOf = (
  reader: Reader,
  { dimensions, total, threshold }: ReleasedTable,
  [inner, outer, column]: readonly [number, number, number],
  graph: Graph | undefined,
): FlowTable => {
  const { cells: codes, within } = dimensions[inner]!;
  const [columns, sites] = [dimensions[column]!.cells.length, dimensions[outer]!.cells.length];
  const siteOf = codes.map((_, code) => within!.cells[code] ?? sites);
  const inColumn = (site: number, at: number): number => columns + site * columns + at;
  const ofCode = (code: number): number => columns * (sites + 2) + code;
  const ofSite = (site: number): number => ofCode(codes.length) + site;
  const [sink, source] = [ofSite(sites + 1), ofSite(sites + 2)];
  const most = (total + 1) * threshold;
  const sum = sumOfSite(reader, siteOf, sites, most);
  const indexes = [...Array(columns).keys()];
  const arcs: NamedArc[] = [
    named(sink, source, reader.at({})),
    ...indexes.map((at) => named(source, at, reader.at({ column: at }))),
    ...[...Array(sites + 1).keys()].flatMap((site) => [
      { from: ofSite(site), to: sink, ...sum(site) },
      ...indexes.map((at) => ({ from: at, to: inColumn(site, at), ...sum(site, at) })),
    ]),
    ...siteOf.flatMap((site, code) => [
      named(ofCode(code), ofSite(site), reader.at({ inner: code })),
      ...indexes.map((at) => named(inColumn(site, at), ofCode(code), reader.at({ inner: code, column: at }))),
    ]),
  ];
  const network = flowNetwork(source + 1, arcs, graph);
  return { network, cellOf: (arc) => arcs[arc]!.known };
};

const named = (from: number, to: number, known: Known): NamedArc => ({
  from,
  to,
  flow: known.count,
  lower: known.lower,
  upper: known.upper,
  known,
});

/** The codes of a site together, in one column or in all: equal to the site's own cell if no other code can be there. */
const sumOfSite =
  (reader: Reader, siteOf: readonly number[], sites: number, most: number) =>
  (site: number, column?: number): Omit<NamedArc, 'from' | 'to'> => {
    const fixed = column === undefined ? {} : { column };
    let [flow, others] = [0, 0];
    siteOf.forEach((own, code) => {
      if (own !== site && own !== sites) return;
      const known = reader.at({ inner: code, ...fixed });
      if (own === site) flow += known.count;
      else others += Math.min(known.upper, reader.shared(code, site));
    });
    if (site === sites) return { flow, lower: 0, upper: most, known: null };
    const above = reader.at({ outer: site, ...fixed });
    const lower = Math.max(0, above.lower - others);
    return { flow, lower, upper: above.upper, known: others === 0 ? above : null };
  };
