import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadSettings } from '../../src/config/load.ts';
import { temporaryFolder } from './temporary-folder.ts';

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

test('the portal is on without any setting, and PORTAL=off leaves it out', (t) => {
  const links = { file: resolve('data/@portal-links.sqlite'), maxBytes: 67_108_864 };
  t.deepEqual(loadSettings({}).http.portal, { publicUrl: null, links, look: {} });
  t.is(loadSettings({ PORTAL: 'off' }).http.portal, null);
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
  };
  t.deepEqual(loadSettings(withFile(t, look)).http.portal?.look, look);
});

test('a colour that cannot be read is refused with its place', (t) => {
  t.regex(
    problem(withFile(t, { accent: { light: '#cccccc', dark: '#7db8f2' } })),
    /portal\.json: accent\.light has too little contrast with #ffffff: at least 4\.5 to 1 is needed to be read$/,
  );
});

test('an unknown key, a script as a link, and an image from elsewhere are refused', (t) => {
  t.regex(problem(withFile(t, { title: 'One' })), /title/);
  t.regex(
    problem(withFile(t, { links: [{ text: 'x', href: 'javascript:alert(1)' }] })),
    /links\.0\.href is not an http or https address/,
  );
  t.regex(problem(withFile(t, { logo: 'https://x.example/logo.png' })), /logo is not a data: URL/);
});

test('a named file must be there', (t) => {
  t.is(
    problem({ PORTAL_PATH: './nowhere.json' }),
    'PORTAL_PATH names "./nowhere.json", which does not exist',
  );
});
