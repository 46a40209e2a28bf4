import test from 'ava';
import { portalPolicy, staticPolicy } from '../../../src/capabilities/portal/portal-files.ts';

const parts = { styleHashes: ['sha256-a', 'sha256-b'], issuer: null, imageHosts: [] };

test('the policy allows the page itself, and the sheets of its libraries', (t) => {
  t.is(
    portalPolicy(parts),
    "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-a' 'sha256-b'; img-src 'self' data: blob:; " +
      "connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
  );
});

test('a static site may also query the server of its records', (t) => {
  t.is(
    staticPolicy({ ...parts, styleHashes: ['sha256-a'] }, 'https://api.example/v2/'),
    "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-a'; img-src 'self' data: blob:; " +
      "connect-src 'self' https://api.example; base-uri 'self'; form-action 'self'",
  );
});

test('where people sign in, the pages may query the provider too', (t) => {
  const issuer = 'https://id.example/realms/one';
  t.regex(portalPolicy({ ...parts, issuer }), /connect-src 'self' https:\/\/id\.example;/);
  t.regex(
    staticPolicy({ ...parts, issuer }, 'https://api.example'),
    /connect-src 'self' https:\/\/api\.example https:\/\/id\.example;/,
  );
});

test('pictures are loaded from their listed hosts, by https alone', (t) => {
  const imageHosts = ['images.example.org', '*.cdn.example.org'];
  const sources = "img-src 'self' data: blob: https://images.example.org https://*.cdn.example.org;";
  t.true(portalPolicy({ ...parts, imageHosts }).includes(sources));
  t.true(staticPolicy({ ...parts, imageHosts }, 'https://api.example').includes(sources));
});
