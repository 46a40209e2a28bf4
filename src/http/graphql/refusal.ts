import { errorCodes, type TributaryError } from '../../errors/errors.ts';
import { errorBody } from '../koa/error-response.ts';
import type { HttpContext } from '../koa/http-context.ts';

/** A refusal before execution, in the form GraphQL clients read. */
export const reject = (context: HttpContext, error: TributaryError): void => {
  const { code, message, ...rest } = errorBody(error);
  context.status = errorCodes[error.code].status;
  if (context.status === 401) context.set('www-authenticate', 'Bearer');
  if (context.status === 503) context.set('retry-after', '1');
  context.body = {
    errors: [{ message, extensions: { code, requestId: context.state.requestId, ...rest } }],
  };
};
