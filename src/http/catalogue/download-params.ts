import { TributaryError } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';
import { readBody } from '../koa/request-body.ts';
import type { HttpContext } from '../koa/http-context.ts';

/**
 * The parameters of a download request: `?params=` of a GET, the field `params` of a form (as a page submits it into an
 * iframe, its other fields ignored), or JSON: `{params}` or the params themselves. Params may be JSON text anywhere.
 * @throws TributaryError BAD_USER_INPUT, METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
export const readDownloadParams = async (context: HttpContext, limitBytes: number): Promise<unknown> => {
  switch (context.method) {
    case 'GET':
    case 'HEAD':
      return fromText(context.URL.searchParams.get('params'));
    case 'POST':
      return readPost(context, limitBytes);
    default:
      context.set('allow', 'GET, POST, OPTIONS');
      throw new TributaryError(
        'METHOD_NOT_ALLOWED',
        `${context.method} is not allowed here: GET or POST expected`,
      );
  }
};

const readPost = async (context: HttpContext, limitBytes: number): Promise<unknown> => {
  const type = context.get('content-type').split(';')[0]!.trim().toLowerCase();
  switch (type) {
    case 'application/x-www-form-urlencoded':
      return fromText(new URLSearchParams(await readBody(context.req, limitBytes)).get('params'));
    case 'application/json':
      return fromJson(parseJson(await readBody(context.req, limitBytes), 'the body'));
    case '':
      throw missing();
    default:
      throw new TributaryError(
        'UNSUPPORTED_MEDIA_TYPE',
        `content type ${type} is not accepted: application/x-www-form-urlencoded or application/json expected`,
      );
  }
};

const fromText = (params: string | null): unknown => {
  if (params === null || params === '') throw missing();
  return parseJson(params, 'params');
};

const fromJson = (body: unknown): unknown => {
  if (!isJsonObject(body)) throw missing();
  const { params } = body;
  if (typeof params === 'string') return fromText(params);
  if (params !== undefined && params !== null) return params;
  if (body['files'] === undefined) throw missing();
  return body;
};

const parseJson = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TributaryError('BAD_USER_INPUT', `${what} is not JSON`, { cause: error });
  }
};

const missing = (): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    'params is missing: JSON such as {"files": [{"fileName": "a.tsv", "columns": [{"fieldName": "id"}]}]} expected',
  );
