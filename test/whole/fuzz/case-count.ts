/** FUZZ_CASES is the number of cases over all tests of this folder (their shares add up to 1). */
const total = Number(process.env['FUZZ_CASES'] ?? 1_000);

/** The parameters of a property that takes this share (0 to 1) of all cases. */
export const caseCount = (
  share: number,
): { readonly numRuns: number; readonly includeErrorInReport: true } => ({
  numRuns: Math.ceil(total * share),
  includeErrorInReport: true,
});
