import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { aggregationName, graphqlSegment } from '../../../src/introspection/fields/field.ts';
import { startNode } from '../end-to-end/processes.ts';
import { runHere } from '../../cli/run-here.ts';

/** Every name that a plain object, a list or a function of the language has without anybody giving it one. */
const names = [
  ...new Set(
    [Object.prototype, Array.prototype, Function.prototype, Object, Promise.prototype].flatMap((from) =>
      Object.getOwnPropertyNames(from),
    ),
  ),
].filter((name) => name !== 'toJSON');

/** One document a name, which holds it as a value; all hold all names as keys, at the top and below. */
const documents = names.map((word, at) => ({
  id: `d${String(at).padStart(3, '0')}`,
  word,
  ...Object.fromEntries(names.map((name) => [name, `${name} ${String(at % 2)}`])),
  below: Object.fromEntries(names.map((name) => [name, at % 3])),
}));

const columns = ['id', 'word', ...names, ...names.map((name) => `below.${name}`)];
const cell = (document: (typeof documents)[number], column: string): string => {
  const [head, tail] = column.split('.') as [string, string?];
  return String(
    tail === undefined ? (document as Record<string, unknown>)[head] : (document.below[tail] as number),
  );
};

const files = {
  lines: documents.map((document) => JSON.stringify(document)).join('\n'),
  list: JSON.stringify(documents),
  sheet: [columns, ...documents.map((document) => columns.map((column) => cell(document, column)))]
    .map((row) => row.join(','))
    .join('\n'),
};

const fields = names.map((name) => graphqlSegment(name)).join(' ');
const facets = [
  ...['word', ...names].map((path) => `${aggregationName(path)} { buckets { key doc_count } }`),
  ...names.map((name) => `${aggregationName(`below.${name}`)} { stats { count } }`),
];

const queryOf = (root: string): string => `{ ${root} {
  hits(first: 200, sort: [{ fieldName: "id" }]) { total edges { node { id word ${fields} below { ${fields} } } } }
  aggregations { ${facets.join(' ')} }
} }`;

interface Answer {
  readonly data: Record<
    string,
    { hits: { total: number; edges: { node: unknown }[] }; aggregations: Record<string, unknown> }
  >;
  readonly errors?: unknown;
}

/** What a document looks like under the names that GraphQL gives its keys. */
const shown = ({ id, word, below, ...rest }: (typeof documents)[number]): unknown => ({
  id,
  word,
  ...Object.fromEntries(names.map((name) => [graphqlSegment(name), (rest as Record<string, unknown>)[name]])),
  below: Object.fromEntries(names.map((name) => [graphqlSegment(name), below[name]])),
});

const halves = (name: string): unknown => ({
  buckets: [0, 1].map((rest) => ({
    key: `${name} ${String(rest)}`,
    doc_count: documents.filter((_document, at) => at % 2 === rest).length,
  })),
});

test('names that objects inherit are keys and values like any other: loaded, found and counted', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-fuzz-'));
  mkdirSync(join(folder, 'configs'));
  const where = { CONFIGS_PATH: join(folder, 'configs'), NODES_PATH: 'off', DATA_PATH: join(folder, 'data') };
  for (const [catalogue, text] of Object.entries(files)) {
    writeFileSync(join(folder, catalogue), text);
    const loaded = await runHere(['load', join(folder, catalogue), '--catalogue', catalogue], where);
    t.is(loaded.code, 0, loaded.output);
    t.regex(loaded.output, new RegExp(`${String(documents.length)} created, 0 updated, 0 rejected`));
  }
  const node = await startNode(where);
  try {
    for (const catalogue of Object.keys(files)) {
      const answered = await fetch(`${node.url}/${catalogue}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: queryOf(catalogue) }),
      });
      const { data, errors } = (await answered.json()) as Answer;
      t.is(errors, undefined, catalogue);
      const { hits, aggregations } = data[catalogue]!;
      t.is(hits.total, documents.length);
      const wrong = hits.edges.findIndex(
        ({ node: found }, at) => JSON.stringify(found) !== JSON.stringify(shown(documents[at]!)),
      );
      t.deepEqual(hits.edges[wrong]?.node, wrong < 0 ? undefined : shown(documents[wrong]!), catalogue);
      for (const name of names) {
        t.deepEqual(aggregations[aggregationName(name)], halves(name), `${catalogue} ${name}`);
        t.deepEqual(aggregations[aggregationName(`below.${name}`)], { stats: { count: documents.length } });
      }
      const words = aggregations['word'] as { buckets: { key: string; doc_count: number }[] };
      t.deepEqual(words.buckets.map(({ key }) => key).sort(), [...names].sort());
    }
  } finally {
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
