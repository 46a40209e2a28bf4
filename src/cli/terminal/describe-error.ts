import { asTributaryError } from '../../errors.ts';

/** What an admin needs to know of a failure; one that is not ours is a defect, and then the stack helps. */
export const describeError = (error: unknown): string => {
  const ours = asTributaryError(error);
  return ours.code === 'INTERNAL_SERVER_ERROR' && error instanceof Error
    ? (error.stack ?? error.message)
    : ours.message;
};
