import type { IncomingMessage, RequestListener } from 'node:http';
import { TributaryError } from '../../errors.ts';
import { rejectRequest, type ErrorShape } from './reject-malformed.ts';

/**
 * Answers 400 where it is not clear which host is asked for: two servers in a row may each take another one of two
 * headers. HTTP/1.0 knows no host, so that one without is proper.
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

/** Of two headers `headers` shows the first only. */
const hostHeaders = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
