import fc from '../fast-check.ts';

/**
 * Selections of some fields, each of which may be written more than once, in a fragment or under a condition; the
 * operation has the variables `$yes` and `$no`.
 */
export const selection = (...fields: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> => {
  const wrapped = fc
    .tuple(
      fc.oneof(...fields),
      fc.constantFrom(
        '%',
        '%',
        '%',
        '... { % }',
        '... @include(if: $yes) { % }',
        '... @skip(if: $yes) { % }',
      ),
    )
    .map(([field, wrap]) => wrap.replace('%', field));
  return fc
    .array(wrapped, { minLength: 1, maxLength: 5 })
    .map((chosen) => `{ ${chosen.join(' ')} kind: __typename }`);
};

/** One of these fields, or the name of the type. */
export const leaf = (...fields: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom('__typename', ...fields);

/** One of these fields with a selection below it. */
export const above = (below: fc.Arbitrary<string>, ...fields: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...fields), below).map(([field, inside]) => `${field} ${inside}`);
