/**
 * A limit that a request may name: what was asked for, at most what is allowed. Both are in the unit of the limit's name.
 * @param asked null: nothing, so what is allowed applies
 * @param allowed null: no limit
 */
export const limited = <Allowed extends number | null>(
  asked: number | null,
  allowed: Allowed,
): number | Allowed => (asked === null ? allowed : Math.min(asked, allowed ?? Infinity));
