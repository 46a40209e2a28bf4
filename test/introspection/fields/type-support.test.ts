import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { typeHint, typeSupport } from '../../../src/introspection/fields/type-support.ts';

test('docs/operations.md has the table of types', async (t) => {
  const named = (type: string): string =>
    /with|multi/.test(type)
      ? type
      : type
          .split(', ')
          .map((one) => `\`${one}\``)
          .join(', ');
  const table = [
    '| type | embedded | OpenSearch | Elasticsearch |',
    '|---|---|---|---|',
    ...typeSupport.map(
      ({ type, embedded, opensearch, elasticsearch }) =>
        `| ${named(type)} | ${embedded} | ${opensearch} | ${elasticsearch} |`,
    ),
  ].join('\n');
  const docs = await readFile(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
  t.true(docs.includes(`\n${table}\n`), `docs/operations.md must have this table:\n${table}`);
});

test('a server that lacks a type has a hint', (t) => {
  t.is(
    typeHint('flattened', 'opensearch'),
    'called `flat_object`; filters only, keys by whole values and prefixes',
  );
  t.is(typeHint('ip', 'opensearch'), undefined);
  t.is(typeHint('constructor', 'elasticsearch'), undefined);
});
