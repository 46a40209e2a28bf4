import type { Duplex } from 'node:stream';
import { createWebSocketStream, type RawData, type WebSocket } from 'ws';
import { closeCodes, HandshakeError, type CloseReason } from './handshake.ts';

/** The largest message of a tunnel and of its handshake, in bytes. */
export const maxMessageBytes = 256 * 1024;
const maxHandshakeBytes = 200 * 1024;

/** HTTP/2 over tunnels: many streams waiting for their readers must not use up the memory of others. */
export const sessionOptions = (maxResponseBytes: number) => ({
  // in MB; counts data sent and not yet read, over all streams
  maxSessionMemory: Math.ceil(maxResponseBytes / 1e6) * 2 + 64,
  settings: { initialWindowSize: 256 * 1024, maxConcurrentStreams: 100, enablePush: false },
});

const pingMs = 20_000;

/**
 * The next text message of a handshake.
 * @throws HandshakeError when it does not arrive in time, or is too large or binary; errors of the connection
 */
export const receiveText = (socket: WebSocket, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const settled = (settle: () => void): void => {
      socket.off('message', onMessage).off('close', onClose).off('error', onError);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onError = (error: Error): void => settled(() => reject(error));
    const onMessage = (data: RawData, isBinary: boolean): void => {
      const text = isBinary ? '' : data.toString();
      if (text === '' || text.length > maxHandshakeBytes)
        onError(new HandshakeError('malformed', 'a text message of at most 200 kB expected'));
      else settled(() => resolve(text));
    };
    const onClose = (code: number, reason: Buffer): void => onError(closedBy(code, reason.toString()));
    const onAbort = (): void => onError(new HandshakeError('tooSlow', 'the handshake took too long'));
    // an error comes before the close that it causes
    socket.on('error', onError).on('message', onMessage).on('close', onClose);
    signal.addEventListener('abort', onAbort);
  });

/** Replaces each non-ASCII character by one byte, as a close frame has room for 123. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

/** The error for a connection closed by the other end, by close code. */
export const closedBy = (code: number, reason: string): HandshakeError => {
  const known = Object.entries(closeCodes).find(([, one]) => one === code)?.[0] as CloseReason | undefined;
  const text = printable(reason);
  return new HandshakeError(known ?? 'lost', text === '' ? `connection closed (${code})` : text);
};

/** The last message of an HTTP/2 session, which lets requests in progress end: a close code and a message. */
export const lastWord = (reason: CloseReason, message: string): Buffer =>
  Buffer.from(`${closeCodes[reason]} ${message}`);

/** Why the other end has sent GOAWAY; null: it states no reason. */
export const readLastWord = (data: NodeJS.ArrayBufferView | undefined): HandshakeError | null => {
  const text =
    data === undefined ? '' : Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString();
  const [, code, message] = /^(\d{4}) (.{1,120})$/.exec(text) ?? [];
  return code === undefined ? null : closedBy(Number(code), message!);
};

/** Closes a connection with a reason; if the other end does not respond, the connection is cut. */
export const closeWith = (socket: WebSocket, reason: CloseReason, message: string): void => {
  socket.close(closeCodes[reason], printable(message).slice(0, 120));
  setTimeout(() => socket.terminate(), 2_000).unref();
};

/** Sends chunks as one message, or as few as the size limit allows. */
const sendTogether = (
  socket: WebSocket,
  chunks: readonly { readonly chunk: Buffer }[],
  onSent: (error?: Error | null) => void,
): void => {
  const bytes = Buffer.concat(chunks.map(({ chunk }) => chunk));
  let at = 0;
  for (; bytes.length - at > maxMessageBytes; at += maxMessageBytes)
    socket.send(bytes.subarray(at, at + maxMessageBytes));
  socket.send(bytes.subarray(at), onSent);
};

/** The byte stream of a tunnel; both ends check it: two pings without an answer end it. */
export const tunnelStream = (socket: WebSocket): Duplex => {
  const stream = createWebSocketStream(socket, {
    // frames that are written together are sent together
    writev: (chunks, callback) => sendTogether(socket, chunks, callback),
  });
  let missed = 0;
  socket.on('pong', () => (missed = 0));
  const timer = setInterval(() => {
    if (missed >= 2) return socket.terminate();
    missed += 1;
    socket.ping();
  }, pingMs).unref();
  socket.once('close', () => clearInterval(timer));
  // reported by the session over it
  stream.on('error', () => undefined);
  return stream;
};
