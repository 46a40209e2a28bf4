const cases = Number(process.env['DISCLOSURE_CASES'] ?? 0);

/** How many random tables are audited: a third of all in `npm run test:all -- disclosure`. @param all in `npm run test:long` */
export const tableCount = (few: number, all: number): number => {
  if (cases < 10_000) return few;
  return cases < 100_000 ? all / 3 : all;
};
