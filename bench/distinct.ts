import { loadavg } from 'node:os';
import type { DistinctSample } from '../src/engines/measure.ts';
import { mix64, sampleOfValues } from '../src/engines/semantics/sample-keys.ts';
import { partsFor } from '../src/engines/semantics/sample-levels.ts';
import { estimateFrom, estimateOf } from '../src/facets/distinct/estimate.ts';
import { percentile } from './engine/median.ts';

const nodes = 20;
const overlaps = [0, 0.3, 0.6, 0.9];
const sizes = [100, 1_000, 8_192, 10_000, 30_000, 100_000];
const seeds = Number(process.argv[2] ?? 1_000);

const words = new Uint32Array(2);

/** How many of the first values fall into part 0, hashed as integers of which the seed is the upper half. */
const keysOf = (values: number, parts: number, seed: number): number => {
  if (parts === 1) return values;
  let keys = 0;
  for (let value = 0; value < values; value += 1) {
    mix64(seed, value, words);
    if ((words[0]! & (parts - 1)) === 0) keys += 1;
  }
  return keys;
};

interface Outcome {
  /** Relative to the number itself. */
  readonly error: number;
  readonly width: number;
  readonly holds: boolean;
}

const outcomeOf = (all: number, each: number, seed: number): Outcome => {
  const parts = partsFor(each);
  const { value, lower, upper } = estimateFrom(keysOf(all, parts, seed), parts);
  const within = (number: number): number => Math.min(nodes * each, Math.max(each, number));
  const [low, high] = [within(lower), within(upper)];
  return {
    error: Math.abs(within(value) - all) / all,
    width: (high - low) / all,
    holds: low <= all && all <= high,
  };
};

const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;
const columns = [
  'each node',
  'overlap',
  'in all',
  'N',
  'error, mean',
  'largest',
  'bounds',
  'of largest and sum',
  'hold',
];
const widths = [10, 8, 11, 6, 12, 8, 8, 19, 9];
const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell, at) => String(cell).padStart(widths[at]!)).join(' ');

const total = { outcomes: 0, held: 0 };

const report = (each: number, overlap: number, all: number, times: number): void => {
  const outcomes = Array.from({ length: times }, (_, seed) => outcomeOf(all, each, seed));
  const held = outcomes.filter(({ holds }) => holds).length;
  const parts = partsFor(each);
  if (parts > 1) {
    total.outcomes += times;
    total.held += held;
  }
  const mean = (of: (one: Outcome) => number): number =>
    outcomes.reduce((sum, one) => sum + of(one), 0) / times;
  console.log(
    row([
      each,
      percent(overlap, 0),
      all,
      parts,
      percent(
        mean(({ error }) => error),
        2,
      ),
      percent(Math.max(...outcomes.map(({ error }) => error))),
      percent(mean(({ width }) => width)),
      percent(((nodes - 1) * each) / all),
      percent(held / times, 2),
    ]),
  );
};

console.log(`${nodes} nodes, ${seeds} seeds, load ${loadavg()[0]!.toFixed(1)}\n`);
console.log(row(columns));
for (const each of sizes)
  for (const overlap of overlaps) {
    const common = Math.round(overlap * each);
    report(each, overlap, common + nodes * (each - common), seeds);
  }
for (const overlap of overlaps)
  report(Math.round(10_000_000 / (overlap + nodes * (1 - overlap))), overlap, 10_000_000, 20);
console.log(
  `\nbounds of estimates that hold: ${percent(total.held / total.outcomes, 2)} of ${total.outcomes}`,
);

const sampleAt = (node: number, each: number): DistinctSample =>
  sampleOfValues(
    Array.from({ length: each }, (_, at) => (at % 2 === 0 ? `common-${at}` : `of-${node}-${at}`)),
    'murmur3',
    new Map(),
  );

console.log('\nmerging the samples of 20 nodes, half of whose values are common');
for (const each of [1_000, 8_192, 16_383, 100_000]) {
  const samples = Array.from({ length: nodes }, (_, node) => sampleAt(node, each));
  const took = Array.from({ length: 60 }, () => {
    const started = process.cpuUsage();
    estimateOf(samples);
    return process.cpuUsage(started).user / 1_000;
  }).slice(10);
  const characters = samples.map(({ levels }) => levels.join('').length);
  console.log(
    `${String(each).padStart(8)} values each: ${percentile(took, 0.5).toFixed(1)} ms (95 % within ${percentile(took, 0.95).toFixed(1)}), ${samples[0]!.keys} keys in ${(Math.max(...characters) / 1024).toFixed(1)} KiB; a count alone takes 10 bytes`,
  );
}
