import { TributaryError } from '../errors/errors.ts';

/** NODE_BAD_RESPONSE for an answer that does not match its request. @param at path of names and indexes to the fault */
export const malformedAnswer = (at: readonly PropertyKey[], cause?: unknown): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', `the answer is malformed at ${at.map(String).join('.')}`, {
    cause,
  });

/** Whether a value is a count: GraphQL's Int, like every count. */
export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2_147_483_647;
