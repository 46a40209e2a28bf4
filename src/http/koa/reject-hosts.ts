import type { IncomingMessage, RequestListener } from 'node:http';
import { TributaryError } from '../../errors/errors.ts';
import { rejectRequest, type ErrorShape } from './reject-malformed.ts';

/**
 * Responds 400 when the requested host is ambiguous: of two Host headers, a proxy and this server may each use a
 * different one. HTTP/1.0 does not require the header.
 */
export const rejectHosts =
  (listener: RequestListener, shape: ErrorShape): RequestListener =>
  (request, response) => {
    const hosts = hostHeaders(request);
    if (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')) return listener(request, response);
    const message = `one header host expected, ${hosts === 0 ? 'none' : hosts} found`;
    const error = new TributaryError('BAD_USER_INPUT', message);
    rejectRequest(request, response, 400, JSON.stringify(shape(error)));
  };

/** `headers` has only the first of two. */
const hostHeaders = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
