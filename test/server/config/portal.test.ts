import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadSettings } from '../../../src/server/config/load.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { texts } from './texts.ts';

const withFile = (t: ExecutionContext, content: unknown): Record<string, string> => {
  const file = `${temporaryFolder(t, {})}/portal.json`;
  writeFileSync(file, JSON.stringify(content));
  return { PORTAL_PATH: file };
};

const problem = (env: Record<string, string>): string => {
  try {
    loadSettings(env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('the portal is on without any setting, and PORTAL_PATH=off leaves it out', (t) => {
  const links = { file: resolve('data/@portal-links.sqlite'), maxBytes: 67_108_864 };
  t.deepEqual(loadSettings({}).http.portal, {
    publicUrl: null,
    signIn: null,
    links,
    imageHosts: [],
    look: {},
    lookFile: null,
  });
  t.is(loadSettings({ PORTAL_PATH: 'off' }).http.portal, null);
});

test('PUBLIC_URL may hold a path, which links keep', (t) => {
  const { http } = loadSettings({ PUBLIC_URL: 'https://x.example/search/' });
  t.is(http.portal?.publicUrl, 'https://x.example/search/');
  t.is(http.publicOrigin, 'https://x.example');
});

test('the file is read as it is, with texts by language', (t) => {
  const look = {
    name: { en: 'One', fr: 'Un' },
    accent: { light: '#0b5cad', dark: '#7db8f2' },
    hiddenFacets: ['id'],
    facetGroups: [{ name: { en: 'Person', fr: 'Personne' }, facets: ['sex', 'age'] }],
    fieldNames: { sex: { fr: 'Sexe', de: 'Geschlecht' }, age: 'Age' },
  };
  t.deepEqual(loadSettings(withFile(t, look)).http.portal?.look, look);
});

test('a key that the file has twice is a warning', (t) => {
  const file = `${temporaryFolder(t, {})}/portal.json`;
  writeFileSync(file, '{"name": "One",\n"name": "Two"}');
  const { http, warnings } = loadSettings({ PORTAL_PATH: file });
  t.deepEqual(http.portal?.look, { name: 'Two' });
  t.deepEqual(texts(warnings), [
    `${file} has the key name twice in one object (line 2): keep one; the last is read`,
  ]);
});

test('a colour that cannot be read is refused with its place', (t) => {
  t.regex(
    problem(withFile(t, { accent: { light: '#cccccc', dark: '#7db8f2' } })),
    /portal\.json: accent\.light has too little contrast with #ffffff: at least 4\.5 to 1 is needed to be read$/,
  );
});

test('an unknown key, a script as a link, and an image from elsewhere are refused', (t) => {
  t.regex(problem(withFile(t, { title: 'One' })), /title/);
  t.regex(problem(withFile(t, { facetGroups: [{ name: 'Person' }] })), /facetGroups\.0\.facets/);
  t.regex(problem(withFile(t, { fieldNames: { sex: { es: 'Sexo' } } })), /fieldNames\.sex/);
  t.regex(
    problem(withFile(t, { links: [{ text: 'x', href: 'javascript:alert(1)' }] })),
    /links\.0\.href is not an http or https address/,
  );
  t.regex(problem(withFile(t, { logo: 'https://x.example/logo.png' })), /logo is not a data: URL/);
  t.regex(problem(withFile(t, { logo: 'data:image/pngx,A' })), /logo is not a data: URL/);
});

test('a logo is a data: URL in either form', (t) => {
  for (const logo of ['data:image/svg+xml,%3Csvg/%3E', 'data:image/svg+xml;base64,PHN2Zy8+'])
    t.is(loadSettings(withFile(t, { logo })).http.portal?.look.logo, logo);
});

test('the portal file of the walk-through is one', (t) => {
  const look = loadSettings({ PORTAL_PATH: 'docs/museums/portal.json' }).http.portal?.look;
  t.is(look?.charts?.[0], 'year');
});

test('a named file must be there', (t) => {
  t.is(
    problem({ PORTAL_PATH: './nowhere.json' }),
    'PORTAL_PATH names "./nowhere.json", which does not exist',
  );
});

test('people sign in where a provider and its client are named', (t) => {
  const named = {
    PORTAL_OIDC_ISSUER: 'https://id.example.org/realms/consortium',
    PORTAL_OIDC_CLIENT_ID: 'tributary-portal',
  };
  t.deepEqual(loadSettings(named).http.portal?.signIn, {
    issuer: 'https://id.example.org/realms/consortium',
    clientId: 'tributary-portal',
    scope: 'openid',
  });
  const more = { PORTAL_OIDC_SCOPE: 'openid offline_access' };
  t.deepEqual(loadSettings({ ...named, ...more }).http.portal?.signIn, {
    issuer: 'https://id.example.org/realms/consortium',
    clientId: 'tributary-portal',
    scope: 'openid offline_access',
  });
});

test('a provider without a client, a client without a provider, tokens in the clear are refused', (t) => {
  t.is(
    problem({ PORTAL_OIDC_ISSUER: 'https://id.example.org' }),
    'PORTAL_OIDC_ISSUER is set but PORTAL_OIDC_CLIENT_ID is not: set it to the client id that the provider has for the pages',
  );
  t.is(
    problem({ PORTAL_OIDC_CLIENT_ID: 'portal' }),
    'PORTAL_OIDC_CLIENT_ID is set but PORTAL_OIDC_ISSUER is not: name the provider',
  );
  const client = { PORTAL_OIDC_CLIENT_ID: 'portal' };
  t.regex(
    problem({ ...client, PORTAL_OIDC_ISSUER: 'http://id.example.org' }),
    /PORTAL_OIDC_ISSUER.*https URL expected/,
  );
  t.is(problem({ ...client, PORTAL_OIDC_ISSUER: 'http://127.0.0.1:9000' }), '');
  t.regex(
    problem({ ...client, PORTAL_OIDC_ISSUER: 'https://id.example.org', PORTAL_OIDC_SCOPE: 'profile' }),
    /PORTAL_OIDC_SCOPE.*one is openid/,
  );
});
