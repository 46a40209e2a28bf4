import type { JsonObject, JsonValue } from '../../../json.ts';

/** One request to a search server. */
export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  /** The texts of newline-delimited JSON, instead of `body`. */
  readonly lines?: readonly string[];
}

/** Any answer that the server gave, whatever its status. */
export interface ClusterAnswer {
  readonly status: number;
  readonly body: JsonValue;
}

/** Why there is no answer. */
export type NoAnswerReason = 'timeout' | 'connection' | 'certificate' | 'unreadable' | 'other-server';

/** No answer came: the client's own error is the cause. */
export class NoAnswer extends Error {
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason, cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** A client of a search server, reduced to what this project needs of it; it does not try again by itself. */
export interface Transport {
  /** @throws NoAnswer */
  send(request: ClusterRequest, options: { timeoutMs: number; signal: AbortSignal }): Promise<ClusterAnswer>;
  close(): Promise<void>;
}
