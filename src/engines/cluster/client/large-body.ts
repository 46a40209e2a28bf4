import { isJsonObject, type JsonValue } from '../../../json/json.ts';
import { exactJson } from '../../../json/large/exact-json.ts';
import { isLargeJson, parseJson } from '../../../json/large/parse-json.ts';
import { NoAnswer } from './transport.ts';

/** Key that marks an unparsed large response inside a client; not a class, because errors copy what they contain. */
const unparsed = 'tributary: not parsed yet';

/** A synchronous deserializer for clients. @throws SyntaxError */
export const textOrValue = (text: string): unknown =>
  isLargeJson(text) ? { [unparsed]: text } : exactJson(text);

/** Parses a response body from a client, whatever its size. @throws NoAnswer when it is not JSON */
export const parsedBody = async (body: unknown): Promise<JsonValue> => {
  const text = isJsonObject(body) ? body[unparsed] : undefined;
  if (typeof text !== 'string') return body as JsonValue;
  try {
    return (await parseJson(text, { exact: true })) as JsonValue;
  } catch (error) {
    throw new NoAnswer('unreadable', error);
  }
};
