import { isJsonObject, type JsonValue } from '../../../json.ts';
import { exactJson } from '../../../large-json/exact-json.ts';
import { isLargeJson, parseJson } from '../../../large-json/parse-json.ts';
import { NoAnswer } from './transport.ts';

/** The key of an answer that takes long to parse, on its way through a client: no class, for errors copy what they hold. */
const unparsed = 'tributary: not parsed yet';

/** For a client to deserialise by, which it does at once. @throws SyntaxError */
export const textOrValue = (text: string): unknown =>
  isLargeJson(text) ? { [unparsed]: text } : exactJson(text);

/** What a client gives as an answer's body, parsed whatever its size. @throws NoAnswer what is no JSON */
export const parsedBody = async (body: unknown): Promise<JsonValue> => {
  const text = isJsonObject(body) ? body[unparsed] : undefined;
  if (typeof text !== 'string') return body as JsonValue;
  try {
    return (await parseJson(text, { exact: true })) as JsonValue;
  } catch (error) {
    throw new NoAnswer('unreadable', error);
  }
};
