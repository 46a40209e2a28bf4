import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';

const root = join(import.meta.dirname, '..');
const below = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/node_modules|\bdist/.test(entry.parentPath))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));

const files = [...below('src'), ...below('portal')];
const readmes = files.filter((file) => file.endsWith('README.md'));
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The names of source files and the paths of folders in a text, where it puts them in backticks. */
const namesIn = (line: string): readonly string[] =>
  [...line.matchAll(/`([\w./*<>-]+(?:\.(?:ts|tsx|js|cjs|css|sqlite)|\/)|\.\.\/[\w./-]+)`/g)].map(
    ([, name]) => name!,
  );

/** Whether it is a file or folder, or a pattern for some. */
const exists = (path: string): boolean => {
  if (!/[*<]/.test(path)) return existsSync(join(root, path));
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\*|<\w+>/g, '[^/]+')}$`);
  return files.some((file) => pattern.test(file));
};

/** Names that are in none of the folders, each after the line that has it. */
const missing = (
  lines: readonly string[],
  foldersOf: (line: string) => readonly string[],
): readonly string[] =>
  lines.flatMap((line, index) =>
    namesIn(line)
      .filter((name) => !foldersOf(line).some((folder) => exists(join(folder, name))))
      .map((name) => `line ${index + 1}: ${name}`),
  );

for (const readme of readmes)
  test(`${readme} names files that are there: from its folder, from src or from the root`, (t) => {
    const folder = dirname(readme);
    // the portal's README describes portal/src from outside, as the map of its folders
    const folders = readme === 'portal/README.md' ? [folder, 'portal/src', '.'] : [folder, 'src', '.'];
    t.deepEqual(
      missing(text(readme).split('\n'), () => folders),
      [],
    );
  });

test('the map in CONTRIBUTING.md names rooms and files that are there, files from their room', (t) => {
  const lines = text('CONTRIBUTING.md').split('\n');
  const roomsOf = (line: string): readonly string[] =>
    [...(line.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, room]) => room!);
  const rooms = lines.filter((line) => line.startsWith('| ')).flatMap(roomsOf);
  t.true(rooms.length > 30);
  t.deepEqual(
    rooms.filter((room) => /^(src|portal)\b/.test(room) && !exists(room)),
    [],
  );
  t.deepEqual(
    missing(lines, (line) => [
      ...roomsOf(line).map((room) => (room.endsWith('.ts') ? dirname(room) : room)),
      'src',
      '.',
    ]),
    [],
  );
});

test('documents name files of the source that are there', (t) => {
  const documents = ['README.md', ...below('docs').filter((file) => file.endsWith('.md'))];
  const named = documents.flatMap((file) =>
    [...text(file).matchAll(/`((?:src|portal|bench|scripts)\/[\w./-]+)`/g)].map(
      ([, path]) => `${file}: ${path}`,
    ),
  );
  t.true(named.length > 40);
  t.deepEqual(
    named.filter((one) => !exists(one.split(': ')[1]!)),
    [],
  );
});

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (document: string): readonly string[] =>
  [...document.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

test('links of documents lead to files and headings that are there', (t) => {
  const documents = [
    ...below('docs').filter((file) => file.endsWith('.md')),
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'bench/README.md'],
  ];
  const dead = documents.flatMap((file) =>
    [...text(file).matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '', anchor]) => {
        const target = path === '' ? file : join(dirname(file), path);
        return (
          !existsSync(join(root, target)) ||
          (anchor !== undefined && !anchorsOf(text(target)).includes(anchor))
        );
      })
      .map(([link]) => `${file}: ${link}`),
  );
  t.deepEqual(dead, []);
});

test('every file above the rooms is in CONTRIBUTING.md', (t) => {
  const contributing = text('CONTRIBUTING.md');
  const above = files
    .filter((file) => /^src\/[^/]+\.ts$/.test(file))
    .map((file) => file.slice('src/'.length));
  t.deepEqual(
    above.filter((file) => !contributing.includes(file)),
    [],
  );
});

test('every room and every capability has a README, and no folder below them', (t) => {
  const rooms = files.flatMap(
    (file) => /^src\/(capabilities\/[^/]+|(?!capabilities)[^/]+)\//.exec(file)?.[0] ?? [],
  );
  t.deepEqual(
    readmes.filter((readme) => readme.startsWith('src/')).sort(),
    ['src/README.md', ...new Set(rooms.map((room) => `${room}README.md`))].sort(),
  );
});
