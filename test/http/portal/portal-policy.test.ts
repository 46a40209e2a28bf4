import test from 'ava';
import { portalPolicy, staticPolicy } from '../../../src/http/portal/portal-files.ts';

test('the policy allows the page itself, and the sheets of its libraries', (t) => {
  t.is(
    portalPolicy(['sha256-a', 'sha256-b'], null),
    "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-a' 'sha256-b'; img-src 'self' data: blob:; " +
      "connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
  );
});

test('a static site may also query the server of its records', (t) => {
  t.is(
    staticPolicy(['sha256-a'], 'https://api.example/v2/', null),
    "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-a'; img-src 'self' data: blob:; " +
      "connect-src 'self' https://api.example; base-uri 'self'; form-action 'self'",
  );
});

test('where people sign in, the pages may query the provider too', (t) => {
  const issuer = 'https://id.example/realms/one';
  t.regex(portalPolicy([], issuer), /connect-src 'self' https:\/\/id\.example;/);
  t.regex(
    staticPolicy([], 'https://api.example', issuer),
    /connect-src 'self' https:\/\/api\.example https:\/\/id\.example;/,
  );
});
