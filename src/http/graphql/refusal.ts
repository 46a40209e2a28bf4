import { errorCodes, TributaryError } from '../../errors/errors.ts';
import { errorBody } from '../koa/error-response.ts';
import type { HttpContext } from '../koa/http-context.ts';

/**
 * Responds with a refusal before execution, in the form that GraphQL clients read.
 * @throws the error itself, unless it is safe to show
 */
export const reject = (context: HttpContext, error: unknown): void => {
  if (!(error instanceof TributaryError) || !errorCodes[error.code].safe) throw error;
  const { code, message, ...rest } = errorBody(error);
  context.status = errorCodes[error.code].status;
  if (context.status === 401) context.set('www-authenticate', 'Bearer');
  if (context.status === 503) context.set('retry-after', '1');
  context.body = {
    errors: [{ message, extensions: { code, requestId: context.state.requestId, ...rest } }],
  };
};
