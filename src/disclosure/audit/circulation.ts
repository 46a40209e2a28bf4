/**
 * A two-way table with its margins as a circulation: source -> rows -> columns -> sink -> source. A cell is the flow
 * from its row to its column, a margin the flow into the row or out of the column, the total the flow back. All bounds
 * are integers, so each count can have exactly the whole numbers between its smallest and its largest flow, and those
 * are a maximum flow away from any circulation that is known: the true one.
 */
export interface Circulation {
  readonly rows: number;
  readonly columns: number;
  /** Arcs: the cells row by row, the rows, the columns, the total. */
  readonly flow: Int32Array;
  readonly lower: Int32Array;
  readonly upper: Int32Array;
  /** Room for the search of a path: by which arc each node was reached, and the nodes in turn. */
  readonly cameBy: Int32Array;
  readonly queue: Int32Array;
}

/** The number of arcs of a table: its cells, the margins of rows and columns, and the total. */
export const arcsOf = (rows: number, columns: number): number => rows * columns + rows + columns + 1;

/** Room for arcs in one array each, to be filled again and again. */
export const newCirculation = (rows: number, columns: number): Circulation => {
  const arcs = arcsOf(rows, columns);
  const empty = (): Int32Array => new Int32Array(arcs);
  const nodes = (): Int32Array => new Int32Array(rows + columns + 2);
  return { rows, columns, flow: empty(), lower: empty(), upper: empty(), cameBy: nodes(), queue: nodes() };
};

/**
 * How far the flow of an arc can be raised or lowered.
 * @param enough the search ends there
 */
export const freedom = (
  circulation: Circulation,
  arc: number,
  direction: 'up' | 'down',
  enough = Infinity,
): number => {
  const { flow, lower, upper } = circulation;
  const room = direction === 'up' ? upper[arc]! - flow[arc]! : flow[arc]! - lower[arc]!;
  const most = Math.min(room, enough);
  const [from, to] = endsOf(circulation, arc);
  const search = direction === 'up' ? [to, from] : [from, to];
  const changes: (readonly [arc: number, amount: number])[] = [];
  let moved = 0;
  while (moved < most) {
    const path = shortestPath(circulation, search[0]!, search[1]!, arc);
    if (path === null) break;
    const amount = path.reduce((least, step) => Math.min(least, step.room), most - moved);
    for (const step of path) {
      flow[step.arc] = flow[step.arc]! + step.sign * amount;
      changes.push([step.arc, step.sign * amount]);
    }
    moved += amount;
  }
  for (const [changed, amount] of changes) flow[changed] = flow[changed]! - amount;
  return moved;
};

interface Step {
  readonly arc: number;
  readonly sign: 1 | -1;
  readonly room: number;
}

/** Nodes: the rows, the columns, the source, the sink. */
const endsOf = ({ rows, columns }: Circulation, arc: number): readonly [number, number] => {
  const cells = rows * columns;
  const [source, sink] = [rows + columns, rows + columns + 1];
  if (arc < cells) return [Math.floor(arc / columns), rows + (arc % columns)];
  if (arc < cells + rows) return [source, arc - cells];
  if (arc < cells + rows + columns) return [arc - cells, sink];
  return [sink, source];
};

/** A path along which flow can be moved, with the fewest arcs, without the one arc. */
const shortestPath = (
  circulation: Circulation,
  start: number,
  end: number,
  without: number,
): Step[] | null => {
  const { flow, lower, upper, rows, columns, cameBy, queue } = circulation;
  const cells = rows * columns;
  const [source, sink] = [rows + columns, rows + columns + 1];
  cameBy.fill(unseen);
  queue[0] = start;
  let length = 1;
  cameBy[start] = 0;
  const forward = (node: number, arc: number): void => {
    if (cameBy[node] !== unseen || flow[arc]! >= upper[arc]! || arc === without) return;
    cameBy[node] = arc + 1;
    queue[length++] = node;
  };
  const backward = (node: number, arc: number): void => {
    if (cameBy[node] !== unseen || flow[arc]! <= lower[arc]! || arc === without) return;
    cameBy[node] = -arc - 1;
    queue[length++] = node;
  };
  for (let next = 0; next < length && cameBy[end] === unseen; next += 1) {
    const node = queue[next]!;
    if (node < rows) {
      backward(source, cells + node);
      for (let column = 0; column < columns; column += 1) forward(rows + column, node * columns + column);
    } else if (node < source) {
      forward(sink, cells + node);
      for (let row = 0; row < rows; row += 1) backward(row, row * columns + node - rows);
    } else if (node === source) {
      backward(sink, cells + rows + columns);
      for (let row = 0; row < rows; row += 1) forward(row, cells + row);
    } else {
      forward(source, cells + rows + columns);
      for (let column = 0; column < columns; column += 1) backward(rows + column, cells + rows + column);
    }
  }
  return cameBy[end] === unseen ? null : stepsBack(circulation, cameBy, start, end);
};

const unseen = -2_147_483_648;

const stepsBack = (circulation: Circulation, cameBy: Int32Array, start: number, end: number): Step[] => {
  const { flow, lower, upper } = circulation;
  const steps: Step[] = [];
  for (let node = end; node !== start;) {
    const code = cameBy[node]!;
    const arc = Math.abs(code) - 1;
    const [from, to] = endsOf(circulation, arc);
    const isForward = code > 0;
    steps.push({
      arc,
      sign: isForward ? 1 : -1,
      room: isForward ? upper[arc]! - flow[arc]! : flow[arc]! - lower[arc]!,
    });
    node = isForward ? from : to;
  }
  return steps;
};
