import { graphqlBody, transportFailure, type Transport } from './http-executor.ts';
import { sendHttp } from './send-http.ts';

/** Whether a node can be reached at all, regardless of the caller. */
export interface NodeProbe {
  /** An HTTP response was received, whatever its status. */
  readonly reachable: boolean;
  /** HTTP status of the response. */
  readonly status: number | null;
  /** Time to the first byte of the response, in milliseconds, including the connection. */
  readonly tookMs: number;
  /** Why it is not reachable. */
  readonly reason: string | null;
}

/**
 * Probes a node's address once, to help an admin diagnose a problem. Never rejects.
 * @param credential the header with this server's own credential for the node
 * @param timeoutMs for the connection and the start of the response
 */
export const probeNode = async (
  transport: Transport,
  graphqlUrl: string,
  timeoutMs: number,
  credential: Readonly<Record<string, string>> = {},
): Promise<NodeProbe> => {
  const startedMs = performance.now();
  const tookMs = (): number => Math.round(performance.now() - startedMs);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { status } = await sendHttp(transport.agent, new URL(graphqlUrl), {
      headers: { ...credential, 'content-type': 'application/json', accept: 'application/json' },
      body: graphqlBody('{ __typename }'),
      signal,
      maxBytes: 0,
      isRead: () => false,
    });
    return { reachable: true, status, tookMs: tookMs(), reason: null };
  } catch (error) {
    const { message } = transportFailure(error, signal);
    return { reachable: false, status: null, tookMs: tookMs(), reason: message };
  }
};
