import type { JsonObject, JsonValue } from '../../../json/json.ts';

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
