import type { Bin } from '../api/answer.ts';

/** The drawn part of a histogram, and the parts left out at its ends. */
export interface DrawnBins {
  readonly bins: readonly Bin[];
  readonly before: Left;
  readonly beyond: Left;
}

/** The number of values left out beyond an end, which is null if there are none. */
export interface Left {
  readonly end: number | null;
  readonly count: number;
  readonly upper: number;
}

/** The share of values that may lie beyond an end without being drawn. */
const tail = 0.01;
/** They are left out if the rest then takes at most this share of the axis. */
const worthwhile = 0.5;

/** Intervals for drawing: at most this many, without a long tail of few values at either end. */
export const drawnBins = (all: readonly Bin[], maxBins: number): DrawnBins => {
  const sum = all.reduce((total, { count }) => total + count, 0);
  const last = reach(all, sum * (1 - tail));
  const first = all.length - 1 - reach(all.toReversed(), sum * (1 - tail));
  const spanOf = (bins: readonly Bin[]): number => (bins.at(-1)?.to ?? 0) - (bins[0]?.from ?? 0);
  const isShort = (from: number, to: number): boolean =>
    spanOf(all.slice(from, to + 1)) <= worthwhile * spanOf(all);
  const [from, to] = isShort(0, last)
    ? [0, last]
    : isShort(first, all.length - 1)
      ? [first, all.length - 1]
      : isShort(first, last)
        ? [first, last]
        : [0, all.length - 1];
  const bins = all.slice(from, to + 1);
  return {
    bins: coarser(bins, maxBins),
    before: leftOut(all.slice(0, from), bins[0]?.from),
    beyond: leftOut(all.slice(to + 1), bins.at(-1)?.to),
  };
};

/** The first interval at which a number of values is reached. */
const reach = (bins: readonly Bin[], wanted: number): number => {
  let reached = 0;
  return Math.max(
    0,
    bins.findIndex(({ count }) => (reached += count) >= wanted),
  );
};

const leftOut = (bins: readonly Bin[], end: number | undefined): Left => {
  const { count, upper } = sumOf(bins);
  return { end: upper === 0 ? null : (end ?? null), count, upper };
};

/** The smallest of 1, 2, 5, 10, 20 and so on that is not smaller. */
export const roundFactor = (wanted: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, wanted)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= wanted) ?? 10) * power;
};

/** Neighbours combined until there are few enough: years by two, five, ten and so on, from round ones. */
const coarser = (bins: readonly Bin[], maxBins: number): readonly Bin[] => {
  const each = roundFactor(bins.length / maxBins);
  if (each === 1) return bins;
  const groups = new Map<number, Bin[]>();
  bins.forEach((bin, at) => {
    const group = Math.floor((placeOf(bin) ?? at) / each);
    groups.set(group, [...(groups.get(group) ?? []), bin]);
  });
  return [...groups.values()].map((group) => ({
    ...sumOf(group),
    from: group[0]!.from,
    to: group.at(-1)!.to,
  }));
};

const yearMs = 365 * 86_400_000;

/** The number of an interval among those of its width; for years, by the calendar. */
const placeOf = ({ from, to }: Bin): number | null => {
  const width = to - from;
  if (width >= yearMs && width <= yearMs + 86_400_000) return new Date(from).getUTCFullYear();
  const place = from / width;
  return Math.abs(place - Math.round(place)) < 1e-6 ? Math.round(place) : null;
};

/** The sum of several intervals, also for each institution. */
const sumOf = (bins: readonly Bin[]): Omit<Bin, 'from' | 'to'> => {
  const nodes = new Map<string, number>();
  for (const { nodeId, count } of bins.flatMap((bin) => bin.nodes ?? []))
    nodes.set(nodeId, (nodes.get(nodeId) ?? 0) + count);
  return {
    count: bins.reduce((sum, { count }) => sum + count, 0),
    upper: bins.reduce((sum, { upper }) => sum + upper, 0),
    nodes: bins.some((bin) => bin.nodes) ? [...nodes].map(([nodeId, count]) => ({ nodeId, count })) : null,
  };
};
