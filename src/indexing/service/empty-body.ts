import type { IncomingMessage } from 'node:http';
import { TributaryError } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';

export interface IndexingLimits {
  /** Of a request's body, which says nothing: the rest is room for blanks. */
  readonly bodyBytes: number;
}

/**
 * Reads the body of a request that has nothing to say: none, blanks or `{}`, whatever its length header says.
 * @throws TributaryError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_USER_INPUT
 */
export const readEmptyBody = async (
  request: IncomingMessage,
  { bodyBytes }: IndexingLimits,
): Promise<void> => {
  const body = await readText(request, bodyBytes);
  if (body.trim() === '') return;
  checkMediaType(request);
  const content = parsed(body);
  if (!isJsonObject(content) || Object.keys(content).length > 0)
    throw new TributaryError('BAD_USER_INPUT', 'the body says something: no body or {} expected');
};

const readText = async (request: IncomingMessage, limitBytes: number): Promise<string> => {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length;
      if (bytes > limitBytes) throw tooLarge(limitBytes);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof TributaryError) throw error;
    throw new TributaryError('BAD_USER_INPUT', 'the request body cannot be read to its end', {
      cause: error,
    });
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** Programs that send an empty body often name a type for it or none: only a body that is there is asked for its own. */
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

const tooLarge = (limitBytes: number): TributaryError =>
  new TributaryError('PAYLOAD_TOO_LARGE', `the body is larger than the ${limitBytes} bytes allowed`);
