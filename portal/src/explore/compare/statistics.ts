/** The result of testing a difference. */
export interface Tested {
  readonly kind: 'chiSquared' | 'mannWhitney' | 'logRank';
  /** Chi-squared, or the standardised rank sum. */
  readonly statistic: number;
  readonly degrees: number | null;
  readonly p: number;
  /** Cramér's V; for ranks the probability that a record of the first cohort has the greater value, ties counted half. */
  readonly effect: number | null;
}

/** Categories with a smaller expected count are combined (Cochran 1954). */
const leastExpected = 5;

/**
 * Pearson's test of independence with Cramér's V.
 * @param table the counts of each cohort (rows) by category (columns)
 * @returns null if there is nothing to compare
 */
export const chiSquared = (table: readonly (readonly number[])[]): Tested | null => {
  const rows = table.map(sum);
  const all = sum(rows);
  if (all === 0 || rows.includes(0)) return null;
  const least = Math.min(...rows) / all;
  const columns = pooled(transposed(table), (column) => sum(column) * least < leastExpected);
  const degrees = (rows.length - 1) * (columns.length - 1);
  if (degrees < 1) return null;
  const statistic = sum(
    columns.flatMap((column) =>
      column.map((observed, at) => {
        const expected = (sum(column) * rows[at]!) / all;
        return (observed - expected) ** 2 / expected;
      }),
    ),
  );
  const effect = Math.sqrt(statistic / all / Math.min(rows.length - 1, columns.length - 1));
  return { kind: 'chiSquared', statistic, degrees, p: chiSquaredTail(statistic, degrees), effect };
};

const transposed = (table: readonly (readonly number[])[]): readonly (readonly number[])[] =>
  (table[0] ?? []).map((_, at) => table.map((row) => row[at]!)).filter((column) => sum(column) > 0);

const pooled = (
  columns: readonly (readonly number[])[],
  isRare: (column: readonly number[]) => boolean,
): readonly (readonly number[])[] => {
  const rare = columns.filter(isRare);
  if (rare.length === 0) return columns;
  return [
    ...columns.filter((column) => !isRare(column)),
    rare[0]!.map((_, at) => sum(rare.map((each) => each[at]!))),
  ];
};

/**
 * Mann and Whitney's test of two cohorts by the normal approximation, corrected for ties.
 * @param counts the counts of each cohort in the same intervals, ascending: values of one interval are ties
 * @returns null if there is nothing to compare
 */
export const mannWhitney = (counts: readonly [readonly number[], readonly number[]]): Tested | null => {
  const [one, other] = counts;
  const [n, m] = [sum(one), sum(other)];
  if (n === 0 || m === 0) return null;
  let [below, greater, ties] = [0, 0, 0];
  one.forEach((count, at) => {
    greater += count * (below + other[at]! / 2);
    below += other[at]!;
    ties += (count + other[at]!) ** 3 - (count + other[at]!);
  });
  const all = n + m;
  const variance = ((n * m) / 12) * (all + 1 - ties / (all * (all - 1)));
  if (!(variance > 0)) return null;
  const statistic = (greater - (n * m) / 2) / Math.sqrt(variance);
  const p = chiSquaredTail(statistic ** 2, 1);
  return { kind: 'mannWhitney', statistic, degrees: null, p, effect: greater / (n * m) };
};

/** The probability of a chi-squared value at least this large. */
export const chiSquaredTail = (statistic: number, degrees: number): number =>
  statistic <= 0 ? 1 : upperGamma(degrees / 2, statistic / 2);

const precision = 1e-15;
const mostTerms = 10_000;

/** The regularised upper incomplete gamma function: by its series, or its continued fraction (Press et al., 6.2). */
const upperGamma = (a: number, x: number): number => {
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let [term, total] = [1 / a, 1 / a];
    for (let n = 1; n < mostTerms && Math.abs(term) > Math.abs(total) * precision; n += 1) {
      term *= x / (a + n);
      total += term;
    }
    return 1 - total * scale;
  }
  let b = x + 1 - a;
  let c = Number.MAX_VALUE;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < mostTerms; n += 1) {
    b += 2;
    d = 1 / (n * (a - n) * d + b);
    c = b + (n * (a - n)) / c;
    h *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return scale * h;
};

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** The logarithm of the gamma function of a number from one half on, by Lanczos's approximation with g = 7. */
const logGamma = (x: number): number => {
  const t = x + 6.5;
  const series = lanczos.reduce(
    (total, coefficient, at) => total + (at === 0 ? coefficient : coefficient / (x - 1 + at)),
    0,
  );
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(series);
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
