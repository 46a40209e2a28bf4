import { isJsonObject } from '../../lib/json/json.ts';
import { isSpecialValue, type SqonScalar } from '../../sqon/ast.ts';

/** The claims of a verified token. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * The values of a claim: by its exact name, else by dotted path (`realm_access.roles`); `scope` is split into words.
 * @returns null when the claim is absent, empty or contains anything but strings, numbers and booleans
 */
export const claimValues = (claims: Claims, name: string): readonly SqonScalar[] | null => {
  const found = claimNamed(claims, name);
  const values = name === 'scope' && typeof found === 'string' ? words(found) : [found].flat();
  return values.length > 0 && values.every(isScalar) ? values : null;
};

/**
 * The values of a claim for a filter, as literals; sorted, so that tokens with the same values have the same filter.
 * @returns null in the cases of claimValues, and when a value has a special meaning: a pattern, the missing value or a
 *   saved set
 */
export const filterValues = (claims: Claims, name: string): readonly SqonScalar[] | null => {
  const values = claimValues(claims, name);
  return values === null || values.some(isSpecialValue) ? null : [...new Set(values)].sort();
};

/**
 * The claims that an issuer may have left out of a token for their length: named in `_claim_names` (OpenID Connect Core 5.6.2,
 * Microsoft Entra ID), or its `groups`, of which `hasgroups` tells.
 */
export const claimsLeftOut = (claims: Claims): readonly string[] => {
  const { _claim_names: elsewhere, hasgroups } = claims;
  return [
    ...(isJsonObject(elsewhere) ? Object.keys(elsewhere) : []),
    ...(hasgroups === true || hasgroups === 'true' ? ['groups'] : []),
  ];
};

/** A claim by its exact name, else by dotted path. */
export const claimNamed = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  let level: unknown = claims;
  for (const key of name.split('.'))
    level = isJsonObject(level) && Object.hasOwn(level, key) ? level[key] : undefined;
  return level;
};

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

const isScalar = (value: unknown): value is SqonScalar =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** The values of a claim, or null when they cannot be used. */
export type ValuesOf = (claim: string) => readonly SqonScalar[] | null;

/**
 * A filter with every `{"claim": "name"}` among its values replaced by the values of that claim.
 * @param template as an admin wrote it; malformed parts are kept, and refused by the filter parser
 * @returns null when some claim has no values: a rule must not apply in part
 */
export const fillFilter = (template: unknown, valuesOf: ValuesOf): unknown => {
  if (!isJsonObject(template)) return template;
  const { content } = template;
  if (Array.isArray(content)) {
    const filled = content.map((node: unknown) => fillFilter(node, valuesOf));
    return filled.includes(null) ? null : { ...template, content: filled };
  }
  if (!isJsonObject(content) || !Object.hasOwn(content, 'value')) return template;
  const value = fillValue(content['value'], valuesOf);
  return value === null ? null : { ...template, content: { ...content, value } };
};

const fillValue = (value: unknown, valuesOf: ValuesOf): unknown => {
  if (isReference(value)) return valuesOf(value.claim);
  if (!Array.isArray(value)) return value;
  const filled: unknown[] = [];
  for (const item of value as unknown[]) {
    if (!isReference(item)) filled.push(item);
    else {
      const values = valuesOf(item.claim);
      if (values === null) return null;
      filled.push(...values);
    }
  }
  return filled;
};

const isReference = (value: unknown): value is { readonly claim: string } =>
  isJsonObject(value) && Object.keys(value).length === 1 && typeof value['claim'] === 'string';
