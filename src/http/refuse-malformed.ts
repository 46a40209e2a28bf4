import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { TributaryError, type ErrorCode } from '../errors.ts';
import { errorBody } from './error-response.ts';

/** What the parser of HTTP found wrong, by its code, with the status that HTTP has for it. */
const refusals: Readonly<Record<string, { readonly line: string; readonly code: ErrorCode }>> = {
  HPE_HEADER_OVERFLOW: { line: '431 Request Header Fields Too Large', code: 'PAYLOAD_TOO_LARGE' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { line: '413 Payload Too Large', code: 'PAYLOAD_TOO_LARGE' },
  ERR_HTTP_REQUEST_TIMEOUT: { line: '408 Request Timeout', code: 'BAD_USER_INPUT' },
};
const malformed = { line: '400 Bad Request', code: 'BAD_USER_INPUT' } as const;

/**
 * Answers in JSON what Node.js refuses before there is a request: malformed HTTP, and expectations it cannot meet.
 * @param shape how the service of this server words an error
 */
export const refuseMalformed = (server: Server, shape: ErrorShape = restShape): void => {
  const bodyOf = (code: ErrorCode, message: string): string =>
    JSON.stringify(shape(new TributaryError(code, message)));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { line, code } = refusals[error.code ?? ''] ?? malformed;
    const body = bodyOf(code, 'the request is not proper HTTP, or its headers are too large or too late');
    socket.end(
      `HTTP/1.1 ${line}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  server.on('checkExpectation', (_request: unknown, response: ServerResponse) => {
    const body = bodyOf('BAD_USER_INPUT', 'the header expect asks for what cannot be met: 100-continue can');
    response.writeHead(417, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
    response.end(body);
  });
};

type ErrorShape = (error: TributaryError) => object;

const restShape: ErrorShape = (error) => ({ error: errorBody(error) });
