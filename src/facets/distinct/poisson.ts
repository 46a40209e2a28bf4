/**
 * The exact bounds of a Poisson mean, given one count (Garwood 1936): with 99.73 % certainty, as much as three standard
 * deviations.
 */
export const poissonBounds = (count: number): readonly [lower: number, upper: number] => [
  count === 0 ? 0 : solved(0, count, (mean) => atLeast(count, mean) < tail),
  solved(count, count + 20 + 10 * Math.sqrt(count), (mean) => atMost(count, mean) > tail),
];

/** The chance that each bound misses. */
const tail = 0.00135;

/** Where a condition that holds at `low` ends. */
const solved = (low: number, high: number, holds: (mean: number) => boolean): number => {
  let [from, to] = [low, high];
  for (let step = 0; step < 50; step += 1) {
    const middle = (from + to) / 2;
    if (holds(middle)) from = middle;
    else to = middle;
  }
  return to;
};

/** The chance of at most a count, for means of no less. */
const atMost = (count: number, mean: number): number => {
  let term = chanceOf(count, mean);
  let sum = 0;
  for (let at = count; at >= 0 && term > sum * 1e-17; at -= 1) {
    sum += term;
    term *= at / mean;
  }
  return sum;
};

/** The chance of at least a count, for means of no more. */
const atLeast = (count: number, mean: number): number => {
  let term = chanceOf(count, mean);
  let sum = 0;
  for (let at = count + 1; term > sum * 1e-17; at += 1) {
    sum += term;
    term *= mean / at;
  }
  return sum;
};

const chanceOf = (count: number, mean: number): number =>
  mean === 0 ? Number(count === 0) : Math.exp(count * Math.log(mean) - mean - logFactorial(count));

const logFactorial = (count: number): number => {
  if (count < 20) {
    let sum = 0;
    for (let factor = 2; factor <= count; factor += 1) sum += Math.log(factor);
    return sum;
  }
  // Stirling's series: the next term is below 1e-9 from here on
  const n = count;
  return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3);
};
