import test from 'ava';
import { portalPolicy } from '../../../src/http/portal/portal-policy.ts';

test('the policy allows the page itself, the sheets of its libraries and the sign-in', (t) => {
  t.is(
    portalPolicy(['sha256-a', 'sha256-b'], 'https://login.example/realms/one'),
    "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-a' 'sha256-b'; img-src 'self' data: blob:; " +
      "connect-src 'self' https://login.example; base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
  );
  t.regex(portalPolicy([], null), /style-src 'self'; .*connect-src 'self'; /);
});
