import { graphOf, type FlowNetwork, type Graph } from './flow-network.ts';

/** Reusable buffers for the sums over a circulation. */
export interface Slack {
  /** How far each arc alone can be raised and lowered. */
  readonly up: Int32Array;
  readonly down: Int32Array;
  /** How far the other cells of a row, or column, can compensate for one that is raised, or lowered. */
  readonly rowGives: Int32Array;
  readonly rowTakes: Int32Array;
  readonly columnGives: Int32Array;
  readonly columnTakes: Int32Array;
  /** How far the other cells of one column can still compensate. */
  readonly left: Int32Array;
}

/** Buffers for the slack of a table, to be filled repeatedly. */
export const newSlack = ({ rows, columns, flow }: Circulation): Slack => ({
  up: new Int32Array(flow.length),
  down: new Int32Array(flow.length),
  rowGives: new Int32Array(rows),
  rowTakes: new Int32Array(rows),
  columnGives: new Int32Array(columns),
  columnTakes: new Int32Array(columns),
  left: new Int32Array(rows),
});

/**
 * Whether an arc certainly has the required number of values: determined from the slack around it, which saves almost
 * every search for a maximum flow. False is inconclusive.
 *
 * Where margins have slack, a cell is raised by three kinds of flow that share no arc: within what its column can take,
 * other cells of the row give way, each as far as its own column allows; the same for the column's cells; and with what is
 * left of its row and its column, the total is raised. Where they have none, it is raised around rectangles: another cell
 * of its row and one of its column give way, and the fourth corner is raised too.
 */
export const surelyFree = (
  circulation: Circulation,
  slack: Slack,
  required: number,
): ((arc: number) => boolean) => {
  fill(circulation, slack);
  const { columns, rows } = circulation;
  const cells = rows * columns;
  const { up, down, rowGives, rowTakes, columnGives, columnTakes } = slack;
  const raising = { room: up, others: down, ofRows: rowGives, ofColumns: columnGives };
  const lowering = { room: down, others: up, ofRows: rowTakes, ofColumns: columnTakes };
  return (arc) => {
    if (arc >= cells) return false;
    const row = Math.floor(arc / columns);
    const column = arc - row * columns;
    const enough = required - 1;
    const raised = changedBy(circulation, raising, arc, row, column);
    if (raised >= enough) return true;
    const lowered = changedBy(circulation, lowering, arc, row, column);
    if (raised + lowered >= enough) return true;
    const around = (side: Side): number =>
      aroundRectangles(circulation, side, slack.left, row, column, enough);
    const most = Math.max(raised, around(raising));
    return most + lowered >= enough || most + Math.max(lowered, around(lowering)) >= enough;
  };
};

const fill = (
  { rows, columns, flow, lower, upper }: Circulation,
  { up, down, rowGives, rowTakes, columnGives, columnTakes }: Slack,
): void => {
  const cells = rows * columns;
  for (let arc = 0; arc < flow.length; arc += 1) {
    up[arc] = upper[arc]! - flow[arc]!;
    down[arc] = flow[arc]! - lower[arc]!;
  }
  columnGives.fill(0);
  columnTakes.fill(0);
  for (let row = 0, arc = 0; row < rows; row += 1) {
    const [rowUp, rowDown] = [up[cells + row]!, down[cells + row]!];
    let [gives, takes] = [0, 0];
    for (let column = 0; column < columns; column += 1, arc += 1) {
      const [cellUp, cellDown] = [up[arc]!, down[arc]!];
      gives += Math.min(cellDown, down[cells + rows + column]!);
      takes += Math.min(cellUp, up[cells + rows + column]!);
      columnGives[column]! += Math.min(cellDown, rowDown);
      columnTakes[column]! += Math.min(cellUp, rowUp);
    }
    rowGives[row] = gives;
    rowTakes[row] = takes;
  }
};

/** A direction in which cells change: how far each can, and how far the others of its row and column compensate. */
interface Side {
  readonly room: Int32Array;
  readonly others: Int32Array;
  readonly ofRows: Int32Array;
  readonly ofColumns: Int32Array;
}

/** How far a cell can be changed in a direction. */
const changedBy = (
  { rows, columns }: Circulation,
  { room, others, ofRows, ofColumns }: Side,
  arc: number,
  row: number,
  column: number,
): number => {
  const cells = rows * columns;
  const [ofRow, ofColumn] = [cells + row, cells + rows + column];
  const inRow = ofRows[row]! - Math.min(others[arc]!, others[ofColumn]!);
  const inColumn = ofColumns[column]! - Math.min(others[arc]!, others[ofRow]!);
  return most(room, arc, ofRow, ofColumn, cells + rows + columns, inRow, inColumn);
};

const most = (
  room: Int32Array,
  arc: number,
  ofRow: number,
  ofColumn: number,
  total: number,
  inRow: number,
  inColumn: number,
): number => {
  const byRow = Math.min(inRow, room[ofColumn]!);
  const byColumn = Math.min(inColumn, room[ofRow]!);
  const byTotal = Math.min(room[total]!, room[ofColumn]! - byRow, room[ofRow]! - byColumn);
  return Math.min(room[arc]!, byRow + byColumn + byTotal);
};

/** How far a cell can be changed while all margins stay. */
const aroundRectangles = (
  { rows, columns }: Circulation,
  { room, others }: Side,
  left: Int32Array,
  row: number,
  column: number,
  enough: number,
): number => {
  const start = row * columns;
  const most = Math.min(enough, room[start + column]!);
  for (let other = 0; other < rows; other += 1)
    left[other] = other === row ? 0 : others[other * columns + column]!;
  let wanted = most;
  for (let across = 0; across < columns && wanted > 0; across += 1) {
    let ofRow = across === column ? 0 : others[start + across]!;
    for (let other = 0; other < rows && ofRow > 0 && wanted > 0; other += 1) {
      const amount = Math.min(ofRow, left[other]!, room[other * columns + across]!, wanted);
      ofRow -= amount;
      left[other]! -= amount;
      wanted -= amount;
    }
  }
  return most - wanted;
};

/**
 * A two-way table with its margins as a circulation: source -> rows -> columns -> sink -> source. A cell is the flow from
 * its row to its column, a margin the flow into the row or out of the column, the total the flow back. All bounds are
 * integers, so each count can have exactly the whole numbers between its smallest and its largest flow, which are found by
 * a maximum flow from any known circulation: the true one.
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

  /** Buffers for arcs in one array each, to be filled repeatedly. */
  constructor(rows: number, columns: number) {
    const arcs = arcsOf(rows, columns);
    this.rows = rows;
    this.columns = columns;
    this.flow = new Int32Array(arcs);
    this.lower = new Int32Array(arcs);
    this.upper = new Int32Array(arcs);
  }

  /** Built when first read: hardly any table needs a search for a flow. */
  get graph(): Graph {
    return (this.#graph ??= graphOfTable(this.rows, this.columns));
  }
}

/** The number of arcs of a table: its cells, the margins of rows and columns, and the total. */
const arcsOf = (rows: number, columns: number): number => rows * columns + rows + columns + 1;

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
