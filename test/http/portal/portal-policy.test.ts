import test from 'ava';
import { portalPolicy, staticPolicy } from '../../../src/http/portal/portal-policy.ts';

test('the policy allows the page itself, and the sheets of its libraries', (t) => {
  t.is(
    portalPolicy(['sha256-a', 'sha256-b']),
    "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-a' 'sha256-b'; img-src 'self' data: blob:; " +
      "connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
  );
});

test('a static site may also ask the server of its records', (t) => {
  t.is(
    staticPolicy(['sha256-a'], 'https://api.example'),
    "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-a'; img-src 'self' data: blob:; " +
      "connect-src 'self' https://api.example; base-uri 'self'; form-action 'self'",
  );
});
