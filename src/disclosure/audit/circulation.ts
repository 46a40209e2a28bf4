import { graphOf, type FlowNetwork, type Graph } from './flow-network.ts';

/**
 * A two-way table with its margins as a circulation: source -> rows -> columns -> sink -> source. A cell is the flow
 * from its row to its column, a margin the flow into the row or out of the column, the total the flow back. All bounds
 * are integers, so each count can have exactly the whole numbers between its smallest and its largest flow, and those
 * are a maximum flow away from any circulation that is known: the true one.
 *
 * Arcs: the cells row by row, the rows, the columns, the total. Nodes: the rows, the columns, the source, the sink.
 */
export class Circulation implements FlowNetwork {
  readonly rows: number;
  readonly columns: number;
  readonly flow: Int32Array;
  readonly lower: Int32Array;
  readonly upper: Int32Array;
  #graph: Graph | null = null;

  /** Room for arcs in one array each, to be filled again and again. */
  constructor(rows: number, columns: number) {
    const arcs = arcsOf(rows, columns);
    this.rows = rows;
    this.columns = columns;
    this.flow = new Int32Array(arcs);
    this.lower = new Int32Array(arcs);
    this.upper = new Int32Array(arcs);
  }

  /** Made when it is read: hardly any table needs a search for a flow. */
  get graph(): Graph {
    return (this.#graph ??= graphOfTable(this.rows, this.columns));
  }
}

/** The number of arcs of a table: its cells, the margins of rows and columns, and the total. */
export const arcsOf = (rows: number, columns: number): number => rows * columns + rows + columns + 1;

const graphOfTable = (rows: number, columns: number): Graph => {
  const [source, sink] = [rows + columns, rows + columns + 1];
  const rowNodes = Array.from({ length: rows }, (_, row) => row);
  const columnNodes = Array.from({ length: columns }, (_, column) => rows + column);
  return graphOf(sink + 1, [
    ...rowNodes.flatMap((row) => columnNodes.map((column) => ({ from: row, to: column }))),
    ...rowNodes.map((row) => ({ from: source, to: row })),
    ...columnNodes.map((column) => ({ from: column, to: sink })),
    { from: sink, to: source },
  ]);
};
