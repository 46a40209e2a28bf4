import test from 'ava';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { readSchema } from '../../../../src/federation/remote/discovery/discovered-fields.ts';
import { introspect } from '../../../../src/federation/remote/discovery/introspect.ts';
import type { SendGraphql } from '../../../../src/federation/remote/http-executor.ts';

const schemaOf = (field: string) => ({
  data: introspectionFromSchema(
    buildSchema(`type Query { tree: Tree, shrub: Tree } type Tree { hits: Hits, aggregations: Facets }
      type Hits { edges: [Edge] } type Edge { node: Node } type Node { id: ID, ${field}: String }
      type Facets { ${field}: Facet } type Facet { buckets: [String] }`),
  ),
});

const read = (send: SendGraphql, documentType = 'tree') =>
  introspect(documentType, send, {}, new AbortController().signal);

test('equal schemas have one fingerprint, others another', async (t) => {
  const [one, equal, other] = await Promise.all(
    [schemaOf('f'), schemaOf('f'), schemaOf('g')].map((schema) => read(() => Promise.resolve(schema))),
  );
  t.is(one!.held.fingerprint, equal!.held.fingerprint);
  t.not(one!.held.fingerprint, other!.held.fingerprint);
});

test('every catalogue of one schema is read by itself', async (t) => {
  const { schema } = await read(() => Promise.resolve(schemaOf('f')));
  t.deepEqual(
    ['tree', 'shrub'].map((name) => [...readSchema(schema, name, undefined).fields.keys()]),
    [
      ['id', 'f'],
      ['id', 'f'],
    ],
  );
});

test('a schema that could not be read is read again', async (t) => {
  await t.throwsAsync(
    read(() => Promise.reject(new Error('out of memory'))),
    { message: 'out of memory' },
  );
  await t.notThrowsAsync(read(() => Promise.resolve(schemaOf('f'))));
});
