import { TributaryError, asTributaryError } from '../../errors/errors.ts';

/** The cause of a refusal due to the query itself. */
export const invalidQuery = (): TributaryError =>
  new TributaryError('BAD_USER_INPUT', 'the node refused the query as invalid');

/** Whether a call failed because of the client's query: the node worked as intended. */
export const isInvalidQuery = (error: unknown): boolean => {
  const { code, cause } = asTributaryError(error);
  if (code === 'BAD_USER_INPUT') return true;
  return code === 'NODE_REFUSED' && cause instanceof TributaryError && cause.code === 'BAD_USER_INPUT';
};
