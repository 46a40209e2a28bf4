import { lowerTo, raise, type Cells } from './cell-bounds.ts';

/**
 * A circulation over any nodes and arcs: what flows into a node flows out of it. All bounds are integers, and the maximum
 * of an arc is found by a maximum flow from any known circulation.
 */
export interface FlowNetwork {
  readonly graph: Graph;
  readonly flow: Int32Array;
  readonly lower: Int32Array;
  readonly upper: Int32Array;
}

/** The end nodes of the arcs. */
export interface Graph {
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The arcs that leave or enter each node. */
  readonly arcsAt: readonly (readonly number[])[];
}

type Ends = Pick<Arc, 'from' | 'to'>;

/** An arc with the known bounds of its flow, and its true flow. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  readonly flow: number;
  readonly lower: number;
  readonly upper: number;
}

/**
 * The network of some arcs between nodes that are numbered from 0.
 * @param graph the graph of the same nodes and arcs, if it is known
 */
export const flowNetwork = (
  nodes: number,
  arcs: readonly Arc[],
  graph = graphOf(nodes, arcs),
): FlowNetwork => {
  const room = (): Int32Array => new Int32Array(arcs.length);
  const network = { graph, flow: room(), lower: room(), upper: room() };
  // many networks: a loop takes a fraction of the time of Int32Array.from
  for (let arc = 0; arc < arcs.length; arc += 1) {
    const { flow, lower, upper } = arcs[arc]!;
    network.flow[arc] = flow;
    network.lower[arc] = lower;
    network.upper[arc] = upper;
  }
  return network;
};

/** The graph of some arcs between nodes that are numbered from 0. */
export const graphOf = (nodes: number, arcs: readonly Ends[]): Graph => {
  const arcsAt = Array.from({ length: nodes }, (): number[] => []);
  arcs.forEach(({ from, to }, arc) => {
    arcsAt[from]!.push(arc);
    arcsAt[to]!.push(arc);
  });
  return {
    from: Int32Array.from(arcs, ({ from }) => from),
    to: Int32Array.from(arcs, ({ to }) => to),
    arcsAt,
  };
};

/** How far the flow of an arc can be raised or lowered. @param enough the search stops at this amount */
export const freedomOf = (
  network: FlowNetwork,
  arc: number,
  direction: 'up' | 'down',
  enough = Infinity,
): number => {
  const { flow, lower, upper } = network;
  const { from, to } = network.graph;
  const isUp = direction === 'up';
  const most = Math.min(isUp ? upper[arc]! - flow[arc]! : flow[arc]! - lower[arc]!, enough);
  if (most <= 0) return 0;
  const [start, end] = isUp ? [to[arc]!, from[arc]!] : [from[arc]!, to[arc]!];
  const before = flow.slice();
  let moved = 0;
  while (moved < most) {
    const cameBy = reached(network, start, end, arc);
    if (cameBy[end] === unseen) break;
    let amount = most - moved;
    eachStep(network, cameBy, start, end, (step, isForward) => {
      amount = Math.min(amount, isForward ? upper[step]! - flow[step]! : flow[step]! - lower[step]!);
    });
    eachStep(network, cameBy, start, end, (step, isForward) => {
      flow[step] = flow[step]! + (isForward ? amount : -amount);
    });
    moved += amount;
  }
  flow.set(before);
  return moved;
};

/** The number of values that an arc can have. @param required counting stops at this number */
const feasibleValues = (network: FlowNetwork, arc: number, required: number): number => {
  const up = freedomOf(network, arc, 'up', required - 1);
  return 1 + up + (up + 1 >= required ? 0 : freedomOf(network, arc, 'down', required - 1 - up));
};

/** A two-way table as a circulation. */
export interface FlowTable {
  readonly network: FlowNetwork;
  /** Fills the network, which several tables may share; unset: it is already filled. */
  readonly load?: () => void;
  /** The cell that an arc represents; null for none. */
  readonly cellOf: (arc: number) => FlowCell | null;
  /** Which arcs certainly have the required number of values, without a search; unset: not known for any. */
  readonly surelyFree?: (required: number) => (arc: number) => boolean;
}

interface FlowCell {
  readonly key: string;
  readonly cell: number;
  /** The bounds of all cells of its block. */
  readonly bounds: Cells;
}

/** The hidden cells and margins of a table with fewer feasible values than required. */
export function* auditFlow(
  { network, load, cellOf, surelyFree }: FlowTable,
  { threshold, required }: { readonly threshold: number; readonly required: number },
  isSecret: (block: string, cell: number) => boolean,
): Generator<Pick<FlowCell, 'key' | 'cell'> & { readonly feasible: number }> {
  load?.();
  if (network.lower.every((least) => least >= threshold)) return;
  const isFree = surelyFree?.(required);
  for (let arc = 0; arc < network.flow.length; arc += 1) {
    if (network.lower[arc]! >= threshold || isFree?.(arc) === true) continue;
    const found = cellOf(arc);
    if (found === null || !isSecret(found.key, found.cell)) continue;
    const feasible = feasibleValues(network, arc, required);
    if (feasible < required) yield { key: found.key, cell: found.cell, feasible };
  }
}

/** Narrows the cells of a table to what the circulation allows. */
export const narrowByFlow = ({ network, load, cellOf }: FlowTable): void => {
  load?.();
  network.flow.forEach((flow, arc) => {
    const found = cellOf(arc);
    if (found === null) return;
    raise(found.bounds, found.cell, flow - freedomOf(network, arc, 'down'));
    lowerTo(found.bounds, found.cell, flow + freedomOf(network, arc, 'up'));
  });
};

const unseen = -1;

/** The arc by which each node is reached from the start along arcs whose flow can change; unseen if not reached. */
const reached = (
  { graph: { from, to, arcsAt }, flow, lower, upper }: FlowNetwork,
  start: number,
  end: number,
  without: number,
): Int32Array => {
  const cameBy = new Int32Array(arcsAt.length).fill(unseen);
  const queue = [start];
  cameBy[start] = without;
  for (let next = 0; next < queue.length && cameBy[end] === unseen; next += 1) {
    const node = queue[next]!;
    for (const arc of arcsAt[node]!) {
      const isForward = from[arc] === node;
      const other = isForward ? to[arc]! : from[arc]!;
      const isOpen = isForward ? flow[arc]! < upper[arc]! : flow[arc]! > lower[arc]!;
      if (arc === without || !isOpen || cameBy[other] !== unseen) continue;
      cameBy[other] = arc;
      queue.push(other);
    }
  }
  return cameBy;
};

const eachStep = (
  { graph: { from, to } }: FlowNetwork,
  cameBy: Int32Array,
  start: number,
  end: number,
  visit: (arc: number, isForward: boolean) => void,
): void => {
  for (let node = end; node !== start;) {
    const arc = cameBy[node]!;
    const isForward = to[arc] === node;
    visit(arc, isForward);
    node = isForward ? from[arc]! : to[arc]!;
  }
};
