import { TributaryError, asTributaryError } from '../../errors.ts';

/** The cause of a refusal that is about what was asked. */
export const invalidQuery = (): TributaryError =>
  new TributaryError('BAD_USER_INPUT', 'the node refused the query as invalid');

/** Whether a call failed for what its client asked: the node did what it should. */
export const isInvalidQuery = (error: unknown): boolean => {
  const { code, cause } = asTributaryError(error);
  if (code === 'BAD_USER_INPUT') return true;
  return code === 'NODE_REFUSED' && cause instanceof TributaryError && cause.code === 'BAD_USER_INPUT';
};
