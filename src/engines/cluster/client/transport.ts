import type { JsonObject, JsonValue } from '../../../json/json.ts';
import { isJsonObject } from '../../../json/json.ts';
import { exactJson } from '../../../json/large/read-json.ts';
import { isLargeJson, parseJson } from '../../../json/large/parse-json.ts';

/** One request to a search server. */
export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  /** The lines of newline-delimited JSON, instead of `body`. */
  readonly lines?: readonly string[];
}

/** Any response from the server, whatever its status. */
export interface ClusterAnswer {
  readonly status: number;
  readonly body: JsonValue;
  /** The header as it came. */
  readonly retryAfter?: string | undefined;
}

/** Why there is no response. */
export type NoAnswerReason = 'timeout' | 'connection' | 'certificate' | 'unreadable' | 'other-server';

/** There was no response; the client's own error is the cause. */
export class NoAnswer extends Error {
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason, cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** A search server client, reduced to what this project needs; it does not retry by itself. */
export interface Transport {
  /** @throws NoAnswer */
  send(request: ClusterRequest, options: { timeoutMs: number; signal: AbortSignal }): Promise<ClusterAnswer>;
  close(): Promise<void>;
}

/** An object inside a response; empty if absent. */
export const objectIn = (answer: JsonObject, name: string): JsonObject => {
  const value = answer[name];
  return isJsonObject(value) ? value : {};
};

/** The objects of a list inside a response. */
export const objectsIn = (answer: JsonObject, name: string): readonly JsonObject[] => {
  const value = answer[name];
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
};

/** A number inside a response; 0 if absent. */
export const numberIn = (answer: JsonObject, name: string): number => Number(answer[name] ?? 0);

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
