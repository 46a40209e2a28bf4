import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { JsonObject } from '../../../lib/json/json.ts';

/** One request to a search server. */
export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  /** The lines of newline-delimited JSON, instead of `body`. */
  readonly lines?: readonly string[];
}

/** The connections that a client library keeps to the nodes of a cluster. */
export interface Nodes {
  /**
   * Sends a request to one node after another.
   * @returns any response, whatever its status
   * @throws errors of the library
   */
  send(request: ClusterRequest, options: NodeOptions): Promise<NodeResponse>;
  /** Lets requests in progress finish. */
  close(): Promise<void>;
}

export interface NodeOptions {
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
  /** How often a request over a lost connection is sent again. */
  readonly retries: number;
  /** The maximum wait before the first retry, where the library waits at all. */
  readonly backoffMs: number;
}

export interface NodeResponse {
  readonly statusCode: number | null;
  readonly headers: Readonly<Record<string, unknown>> | null;
  /** JSON as a value, anything else as text. */
  readonly body: unknown;
}

export interface NodeSettings {
  readonly urls: readonly string[];
  /** The certificates to trust, undefined for the system's own. */
  readonly ca: string | undefined;
}

/** A request as both libraries take it; they write into it. */
export const paramsOf = ({ method, path, query, body, lines }: ClusterRequest) => ({
  ...{ method, path },
  ...(query && { querystring: { ...query } }),
  ...(body && { body }),
  ...(lines && { bulkBody: [...lines] }),
});

/** To the libraries no status is an error, nor a reason to try again: see `client.ts`. */
export const failureStatuses = Array.from({ length: 200 }, (_, at) => 400 + at);

/** How long an idle connection is kept open. */
const keepAliveMs = 600_000;

/** Half of the longest string that the JavaScript engine can make. */
export const maxAnswerBytes = 256 * 1024 * 1024;

/** Options of undici, over which both libraries send. */
export const poolOptions = {
  ...{ connections: 256, keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs },
  maxResponseSize: maxAnswerBytes,
};

/** The whole body of a response, as it was sent; null if it is too large. */
export const bodyOf = async (headers: IncomingHttpHeaders, body: Body): Promise<Buffer | null> => {
  if (Number(headers['content-length'] ?? 0) > maxAnswerBytes) {
    // without a listener, its error would end the process
    body.on('error', () => undefined).destroy();
    return null;
  }
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return null;
    throw error;
  }
};

type Body = Dispatcher.ResponseData['body'];
