import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { Dialect } from '../../src/engines/cluster/dsl/hits.ts';
import { msearchItems } from '../../src/engines/cluster/dsl/msearch-items.ts';
import type { SearchQuery } from '../../src/engines/engine.ts';
import { TributaryError } from '../../src/errors/errors.ts';
import type { Check, Collection } from './cases/case.ts';
import { checkQuery } from './cases/check-query.ts';
import { collections } from './cases/collections.ts';

const folder = join(import.meta.dirname, 'compiled');
const updating = process.env['UPDATE_COMPILED'] === '1';

for (const collection of collections) {
  test(`what search servers are sent: ${collection.name}`, async (t) => {
    const file = join(folder, `${collection.name.replaceAll(' ', '-')}.md`);
    const compiled = atNoon(() => collectionText(collection));
    if (updating) {
      await mkdir(folder, { recursive: true });
      await writeFile(file, compiled);
    }
    const kept = await readFile(file, 'utf8').catch(() => '');
    const first = compiled.split('\n').find((line, index) => line !== kept.split('\n')[index]);
    t.is(
      first,
      undefined,
      `${file} is not up to date: UPDATE_COMPILED=1 npx ava test/engines/compiled.test.ts`,
    );
    t.is(compiled.length, kept.length);
  });
}

/** Makes what depends on the clock the same each time. */
const atNoon = (make: () => string): string => {
  const { now } = Date;
  Date.now = () => Date.UTC(2026, 0, 1, 12);
  try {
    return make();
  } finally {
    Date.now = now;
  }
};

/** A page for reviewers: the mapping, the documents, then each case with what it asks and what is expected. */
const collectionText = (collection: Collection): string =>
  [
    `# ${collection.name}`,
    'Each case with the lines of its multi-search. Made from test/engines/cases; `UPDATE_COMPILED=1 npx ava test/engines/compiled.test.ts` makes it again.',
    `Mapping: ${code(collection.mapping)}`,
    ...Object.entries(collection.documents).map(([id, document]) => `- ${id}: ${code(document)}`),
    ...collection.checks.map((check) => checkText(collection, check)),
    '',
  ].join('\n\n');

const checkText = (collection: Collection, check: Check): string => {
  const { name, ...rest } = check;
  const supplied = Object.entries(rest).map(([key, value]) => `${key}: ${code(value)}  `);
  return [`## ${name}`, supplied.join('\n'), compiledText(collection, check)].join('\n\n').trimEnd();
};

const compiledText = (collection: Collection, check: Check): string => {
  const query = attempt(() => checkQuery(collection, check));
  if (query === null) return '';
  if (typeof query === 'string') return `Refused: ${query}`;
  const [first, newer] = [linesFor(query, { tieBreak: '_id' }), linesFor(query, { tieBreak: '_seq_no' })];
  if (first === newer) return block('OpenSearch and Elasticsearch', first);
  return [block('OpenSearch, Elasticsearch 7', first), block('Elasticsearch 8 and 9', newer)].join('\n\n');
};

const linesFor = (query: SearchQuery, dialect: Dialect): string => {
  const lines = attempt(() => msearchItems(query, dialect));
  if (typeof lines === 'string') return `refused: ${lines}`;
  return lines.flatMap(({ body }) => ['{}', JSON.stringify(body)]).join('\n');
};

const attempt = <Value>(make: () => Value): Value | string => {
  try {
    return make();
  } catch (error) {
    if (error instanceof TributaryError) return `${error.code}, ${error.message}`;
    throw error;
  }
};

const block = (title: string, text: string): string => `${title}:\n\n\`\`\`jsonl\n${text}\n\`\`\``;

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``;
