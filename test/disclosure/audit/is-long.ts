/** `npm run test:disclosure` compares more tables, and larger ones. */
export const isLong = Number(process.env['DISCLOSURE_CASES'] ?? 0) >= 10_000;
