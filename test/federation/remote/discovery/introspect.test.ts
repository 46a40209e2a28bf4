import { hash } from 'node:crypto';
import test from 'ava';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { introspect } from '../../../../src/federation/remote/discovery/introspect.ts';
import type { DocumentExecutor } from '../../../../src/federation/remote/document-executor.ts';

const schemaOf = (field: string): string =>
  JSON.stringify({
    data: introspectionFromSchema(
      buildSchema(`type Query { tree: Tree, shrub: Tree } type Tree { hits: Hits, aggregations: Facets }
        type Hits { edges: [Edge] } type Edge { node: Node } type Node { id: ID, ${field}: String }
        type Facets { ${field}: Facet } type Facet { buckets: [String] }`),
    ),
  });

/** Answers with a text, and counts how often that was parsed. */
const answering = (text: string) => {
  let parsed = 0;
  const execute: DocumentExecutor = ({ take }) =>
    take!(Buffer.from(text), () => {
      parsed += 1;
      return Promise.resolve(JSON.parse(text) as object);
    });
  return { execute, parsed: () => parsed };
};

const ask = (execute: DocumentExecutor, documentType = 'tree') =>
  introspect(documentType, execute, {}, new AbortController().signal);

test('equal schemas of many nodes are read once, even at the same time', async (t) => {
  const { execute, parsed } = answering(schemaOf(`f${hash('sha1', t.title)}`));
  const found = await Promise.all(Array.from({ length: 5 }, () => ask(execute)));
  t.is(new Set(found.map(({ schema }) => schema)).size, 1);
  t.is(parsed(), 1);
  const extended = [{ fieldName: 'id', type: 'keyword' }];
  const [one, other] = found.map(({ withExtended }) => withExtended(structuredClone(extended)));
  t.is(one!.fields, other!.fields);
  t.not(one!.fields, found[0]!.withExtended(undefined).fields);
});

test('another schema, and another catalogue of the same one, are read by themselves', async (t) => {
  const text = schemaOf(`f${hash('sha1', t.title)}`);
  const [one, shrubs, other] = await Promise.all([
    ask(answering(text).execute),
    ask(answering(text).execute, 'shrub'),
    ask(answering(schemaOf('g')).execute),
  ]);
  t.is(shrubs.withExtended(undefined).documentType, 'shrub');
  t.not(one.schema.fingerprint, other.schema.fingerprint);
});

test('what could not be read is tried again', async (t) => {
  const text = schemaOf(`f${hash('sha1', t.title)}`);
  const failing: DocumentExecutor = ({ take }) =>
    take!(Buffer.from(text), () => Promise.reject(new Error('out of memory')));
  await t.throwsAsync(ask(failing), { message: 'out of memory' });
  await t.notThrowsAsync(ask(answering(text).execute));
});
