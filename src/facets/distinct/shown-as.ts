import type { DistinctSampleRequest } from '../../engines/measure.ts';
import { TributaryError } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';

/** More values are not worth naming one by one. */
export const maxShownAs = 10_000;

/**
 * The argument `values` of a sample: each value with the text that it is shown as, as an object or, since names in
 * GraphQL literals cannot be any text, as a list of pairs.
 * @throws TributaryError BAD_USER_INPUT
 */
export const shownAsOf = (values: unknown): DistinctSampleRequest => {
  if (values == null) return {};
  const pairs: unknown = isJsonObject(values) ? Object.entries(values) : values;
  if (!Array.isArray(pairs) || pairs.length > maxShownAs || !pairs.every(isPair))
    throw new TributaryError(
      'BAD_USER_INPUT',
      `values of distinct_sample must be at most ${maxShownAs} texts by value, such as {"M": "Male"} or [["M", "Male"]]`,
    );
  return pairs.length === 0 ? {} : { values: pairs };
};

const isPair = (pair: unknown): pair is readonly [string, string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === 'string');
