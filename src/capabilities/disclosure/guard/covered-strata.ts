import { TributaryError } from '../../../lib/errors/errors.ts';
import type { WithheldStatement } from '../../../introspection/fields/catalogue-config.ts';
import { isSpecialValue, type Sqon } from '../../../sqon/ast.ts';
import type { Release } from '../release/release.ts';

/**
 * Describes the answers to callers of some strata: the oldest day of their tables, and how many changes wait in them. It
 * reveals nothing about other strata.
 */
export const statementFor = (
  release: Release,
  values: readonly (string | null)[],
): Pick<WithheldStatement, 'date' | 'waits'> => {
  const covered = release.strata.filter(({ value }) => values.includes(value));
  const waits = covered.reduce((sum, stratum) => sum + (stratum.waits ?? 0), 0);
  const oldest = covered.map(({ date }) => date).sort()[0] ?? null;
  return { date: oldest, ...(waits > 0 && { waits }) };
};

/**
 * The strata that a caller's access filter covers: all without a filter, else those it lists. Strata are released
 * separately, so no other part of the records could be counted for a guarded caller.
 * @throws TributaryError FORBIDDEN for any other filter
 */
export const strataFor = (access: Sqon | null, release: Release): readonly (string | null)[] => {
  const all = release.strata.map(({ value }) => value);
  if (access === null) return all;
  const wanted = new Set(listedStrata(access, release.stratumField));
  return all.filter((value) => value !== null && wanted.has(value));
};

/** The strata that a filter lists: one `in` on their field, or several in an or. @throws TributaryError FORBIDDEN */
const listedStrata = (access: Sqon, stratumField: string | null): readonly string[] => {
  if (access.kind === 'group' && access.op === 'or' && access.pivot === null)
    return access.content.flatMap((part) => listedStrata(part, stratumField));
  const isList =
    access.kind === 'leaf' &&
    (access.op === 'is' || access.op === 'in') &&
    access.fieldName === stratumField &&
    access.values.every((value) => !isSpecialValue(value) && !String(value).startsWith('__'));
  if (isList) return access.values.map(String);
  throw new TributaryError(
    'FORBIDDEN',
    'the access rule of this caller does not fit the release: everything, or some of its strata, expected',
  );
};
