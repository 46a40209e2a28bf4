import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { TributaryError, type ErrorCode } from '../../errors/errors.ts';
import { closeAfterLinger } from './close-after-linger.ts';
import { errorBody } from './error-response.ts';

/** Errors of the HTTP parser by code, with the matching HTTP status. */
const refusals: Readonly<Record<string, { readonly line: string; readonly code: ErrorCode }>> = {
  HPE_HEADER_OVERFLOW: { line: '431 Request Header Fields Too Large', code: 'PAYLOAD_TOO_LARGE' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { line: '413 Payload Too Large', code: 'PAYLOAD_TOO_LARGE' },
  ERR_HTTP_REQUEST_TIMEOUT: { line: '408 Request Timeout', code: 'BAD_USER_INPUT' },
};
const malformed = { line: '400 Bad Request', code: 'BAD_USER_INPUT' } as const;

/**
 * Responds in JSON to what Node.js rejects before a request exists: malformed HTTP and unsupported expectations.
 * @param shape the error body of this service
 */
export const rejectMalformed = (server: Server, shape: ErrorShape = restShape): void => {
  const bodyOf = (code: ErrorCode, message: string): string =>
    JSON.stringify(shape(new TributaryError(code, message)));
  const refused = new WeakSet<Duplex>();
  const underWay = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    underWay.set(socket, response);
    response.once('close', () => {
      if (underWay.get(socket) === response) underWay.delete(socket);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // whatever the client sends after this is not a request either
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const answer = underWay.get(socket);
    if (answer !== undefined) return closeAfter(answer, socket);
    const { line, code } = refusals[error.code ?? ''] ?? malformed;
    const body = bodyOf(
      code,
      'the request is not valid HTTP, or its headers are too large or arrived too late',
    );
    socket.end(
      `HTTP/1.1 ${line}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
    closeAfterLinger(socket);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const message = 'the expect header cannot be met: only 100-continue is supported';
    rejectRequest(request, response, 417, bodyOf('BAD_USER_INPUT', message));
  });
};

/**
 * Responses in progress are finished first; an error between them would be taken for part of one. A truncated request
 * gets no response: the rest of it will never come.
 */
const closeAfter = (answer: ServerResponse, socket: Duplex): void => {
  if (!answer.req.complete) return void socket.destroy();
  answer.shouldKeepAlive = false;
  answer.once('close', () => closeAfterLinger(socket));
};

/** Responds to a request that cannot be processed, and closes its connection. */
export const rejectRequest = (
  { socket }: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string,
): void => {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
  closeAfterLinger(socket);
};

/** The body of a refusal. */
export type ErrorShape = (error: TributaryError) => object;

/** The body of errors outside of GraphQL: `{"error": {...}}`. */
export const restShape: ErrorShape = (error) => ({ error: errorBody(error) });
