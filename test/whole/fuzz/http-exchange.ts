import { Agent, request } from 'node:http';
import { connect } from 'node:net';

export interface HttpRequest {
  readonly method?: string;
  /** As it goes out: nothing is encoded or normalised. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
/** No answer within this time counts as a hang. */
const maxMs = 20_000;

/** Sends one request and reads its whole answer; rejects when the connection breaks or nothing comes in time. */
export const exchange = (url: string, sent: HttpRequest): Promise<Answer> => {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        agent,
        method: sent.method ?? (sent.body === undefined ? 'GET' : 'POST'),
        path: sent.path,
        headers: { ...sent.headers },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () =>
          resolve({
            status: incoming.statusCode!,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    outgoing.setTimeout(maxMs, () => outgoing.destroy(new Error(`no answer in ${maxMs} ms`)));
    outgoing.once('error', reject);
    outgoing.end(sent.body);
  });
};

/**
 * Bytes as they are, in pieces with pauses between them; whatever comes back until the connection ends. Who pauses waits
 * for its answer with an open connection: a client that ends its side before is gone to Node.js, and owed nothing.
 */
export const rawExchange = async (
  url: string,
  pieces: readonly (string | Uint8Array)[],
  pauseMs = 0,
): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  const ended = new Promise<void>((resolve, reject) => {
    socket.setTimeout(maxMs, () => socket.destroy(new Error(`no answer in ${maxMs} ms`)));
    // A server may close what it refuses before all of it was sent.
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve() : reject(error),
    );
    socket.once('close', () => resolve());
  });
  for (const piece of pieces) {
    socket.write(piece);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  if (pauseMs === 0) socket.end();
  await ended;
  return received;
};
