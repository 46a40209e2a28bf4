import { asTributaryError } from '../../errors/errors.ts';

/** What an admin needs to know about a failure; foreign errors are bugs, so they are shown with their stack. */
export const describeError = (error: unknown): string => {
  const ours = asTributaryError(error);
  return ours.code === 'INTERNAL_SERVER_ERROR' && error instanceof Error
    ? (error.stack ?? error.message)
    : ours.message;
};
