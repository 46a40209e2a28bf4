import { TributaryError } from '../errors.ts';

/** NODE_BAD_RESPONSE for what is not as it was asked for. @param at the names and places that lead there */
export const malformedAnswer = (at: readonly PropertyKey[], cause?: unknown): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', `the answer is malformed at ${at.map(String).join('.')}`, {
    cause,
  });

/** Whether a value counts something: GraphQL's Int, as every count is. */
export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2_147_483_647;
