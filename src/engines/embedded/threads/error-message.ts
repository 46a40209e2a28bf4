import { TributaryError } from '../../../errors/errors.ts';
import { SearchStopped } from '../columns/checkpoint.ts';
import { fileError } from '../store/file-error.ts';
import type { ErrorMessage } from './messages.ts';

/** Encodes an error for the main thread. @param subject what the request is about, for errors that do not say */
export const errorMessage = (error: unknown, subject: string): ErrorMessage => {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof SearchStopped) return { code: 'ENGINE_TIMEOUT', message: error.message };
  const known = error instanceof TributaryError ? error : fileError(error, subject);
  if (known === null) return { code: 'ENGINE_ERROR', message: 'the embedded engine failed', cause };
  const { code, message, details } = known;
  return {
    code,
    message,
    ...(details !== undefined && { details }),
    ...(known !== error && { cause }),
  };
};
