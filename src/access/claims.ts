import { isJsonObject } from '../json.ts';
import type { SqonScalar } from '../sqon/ast.ts';
import { MISSING, SET_PREFIX } from '../sqon/ast.ts';

/** What a verified token says of its bearer. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * The values of a claim: of its very name, else along the dots in it (`realm_access.roles`); the words of `scope`.
 * @returns null when the claim is absent, empty or anything else than texts, numbers and booleans
 */
export const claimValues = (claims: Claims, name: string): readonly SqonScalar[] | null => {
  const found = claimNamed(claims, name);
  const values = name === 'scope' && typeof found === 'string' ? words(found) : [found].flat();
  return values.length > 0 && values.every(isScalar) ? values : null;
};

/**
 * The values of a claim for a filter, where they stand for themselves only; in an order of their own, so that tokens
 * that list the same make the same filter.
 * @returns null as claimValues, and when one of them would mean more than itself there: a pattern, the missing value
 * or a saved set
 */
export const filterValues = (claims: Claims, name: string): readonly SqonScalar[] | null => {
  const values = claimValues(claims, name);
  return values === null || values.some(isSpecial) ? null : [...new Set(values)].sort();
};

const claimNamed = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  let level: unknown = claims;
  for (const key of name.split('.'))
    level = isJsonObject(level) && Object.hasOwn(level, key) ? level[key] : undefined;
  return level;
};

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

const isScalar = (value: unknown): value is SqonScalar =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const isSpecial = (value: SqonScalar): boolean =>
  typeof value === 'string' && (value.includes('*') || value === MISSING || value.startsWith(SET_PREFIX));
