/**
 * How many cases a test runs and from where. FUZZ_CASES is the number over all tests of this folder (their shares add up to 1), FUZZ_SEED the seed
 * to repeat a failure with; without them a moderate number from one seed, so that a run can be compared with the last.
 */
const total = Number(process.env['FUZZ_CASES'] ?? 4_000);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);

/** The parameters of a property that takes this share (0 to 1) of all cases. */
export const caseCount = (
  share: number,
): { readonly numRuns: number; readonly seed: number; readonly includeErrorInReport: true } => ({
  numRuns: Math.ceil(total * share),
  seed,
  includeErrorInReport: true,
});
