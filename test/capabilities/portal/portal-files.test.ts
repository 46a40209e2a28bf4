import { mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { readPortalFiles } from '../../../src/capabilities/portal/portal-files.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

test('a build is read with its brotli forms and hashes; other files are not served', async (t) => {
  const folder = temporaryFolder(t, {});
  mkdirSync(`${folder}/portal/assets`, { recursive: true });
  writeFileSync(`${folder}/index.html`, '<head></head>');
  writeFileSync(
    `${folder}/build.json`,
    JSON.stringify({
      styleHashes: ['sha256-a'],
      pageFiles: { start: ['a.js'], explore: [], record: [], network: [], docs: [] },
    }),
  );
  writeFileSync(`${folder}/portal/assets/a.js`, 'js');
  writeFileSync(`${folder}/portal/assets/a.js.br`, 'packed');
  writeFileSync(`${folder}/portal/assets/b.css`, 'css');
  const files = await readPortalFiles(pathToFileURL(`${folder}/`));
  const config = '<link rel="preload" as="fetch" crossorigin href="./portal/config.json">';
  const nothingMore = `<head>${config}\n</head>`;
  t.deepEqual(files?.pages, {
    start: `<head>${config}\n<link rel="modulepreload" crossorigin href="./portal/assets/a.js">\n</head>`,
    explore: nothingMore,
    record: nothingMore,
    network: nothingMore,
    docs: nothingMore,
  });
  t.deepEqual(files?.styleHashes, ['sha256-a']);
  t.deepEqual(
    [...(files?.assets ?? [])].map(([name, { type, content, brotli }]) => [
      name,
      type,
      String(content),
      brotli && String(brotli),
    ]),
    [
      ['a.js', 'text/javascript; charset=utf-8', 'js', 'packed'],
      ['b.css', 'text/css; charset=utf-8', 'css', null],
    ],
  );
});

test('an installation without the portal has none', async (t) => {
  t.is(await readPortalFiles(pathToFileURL(`${temporaryFolder(t, {})}/`)), null);
});
