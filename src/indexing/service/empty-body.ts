import type { IncomingMessage } from 'node:http';
import { TributaryError } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';
import { requestText } from '../../net/request-text.ts';

export interface IndexingLimits {
  /** Of a request body, which is empty: the rest is room for whitespace. */
  readonly bodyBytes: number;
}

/**
 * Reads a request body that must be empty: none, whitespace or `{}`, whatever its length header says.
 * @throws TributaryError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_USER_INPUT
 */
export const readEmptyBody = async (
  request: IncomingMessage,
  { bodyBytes }: IndexingLimits,
): Promise<void> => {
  const body = await requestText(request, bodyBytes);
  if (body.trim() === '') return;
  checkMediaType(request);
  const content = parsed(body);
  if (!isJsonObject(content) || Object.keys(content).length > 0)
    throw new TributaryError('BAD_USER_INPUT', 'the body is not empty: no body or {} expected');
};

/** Clients that send an empty body may declare any media type or none: it is checked only for a non-empty body. */
const checkMediaType = ({ headers }: IncomingMessage): void => {
  const type = headers['content-type']?.split(';')[0]!.trim().toLowerCase();
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (type !== undefined && type !== 'application/json')
    throw new TributaryError(
      'UNSUPPORTED_MEDIA_TYPE',
      `the body is ${JSON.stringify(type)}: no body, or {} as application/json expected`,
    );
  if (encoding !== 'identity')
    throw new TributaryError(
      'UNSUPPORTED_MEDIA_TYPE',
      'the body has a content encoding: one without is expected',
    );
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new TributaryError('BAD_USER_INPUT', 'the body is not JSON: no body or {} expected', { cause });
  }
};
