import test from 'ava';
import { connectionReason } from '../../../src/lib/net/connection-reason.ts';

const coded = (code: string, cause?: unknown): Error =>
  Object.assign(new Error('secret text', { cause }), { code });

test('the reason is that of the error, or of what caused it', (t) => {
  t.is(connectionReason(coded('ECONNREFUSED')), 'connection refused');
  t.is(connectionReason(new TypeError('fetch failed', { cause: coded('ENOTFOUND') })), 'host name not found');
  t.is(connectionReason(coded('EODD', coded('ETIMEDOUT'))), 'connection timed out');
  const tried = new AggregateError([coded('EHOSTUNREACH'), coded('ECONNREFUSED')]);
  t.is(connectionReason(new TypeError('fetch failed', { cause: tried })), 'no route to host');
});

test('certificates that are not accepted are told apart', (t) => {
  t.is(connectionReason(coded('CERT_REVOKED')), 'certificate is revoked');
  for (const code of ['CERT_UNTRUSTED', 'UNABLE_TO_GET_ISSUER_CERT'])
    t.is(connectionReason(coded(code)), 'certificate is of an unknown authority');
});

test('an unknown reason gets wording of our own', (t) => {
  for (const error of [coded('EODD'), coded('constructor'), new Error('secret text'), 'secret text', null])
    t.is(connectionReason(error), 'connection failed');
});
