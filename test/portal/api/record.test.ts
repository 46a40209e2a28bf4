import test from 'ava';
import type { Catalogue } from '../../../portal/src/api/catalogue.ts';
import { askRecord } from '../../../portal/src/api/record.ts';

test.serial('a record comes with what its institution does not show of it', async (t) => {
  const { fetch } = globalThis;
  t.teardown(() => void (globalThis.fetch = fetch));
  const warnings = ['node "one": "specimens.tissue" is null: it takes a query of 9 levels'];
  const found = { hits: { edges: [{ node: { _source: { id: 'a' } } }] } };
  let extensions: object | undefined = { warnings };
  globalThis.fetch = async () => new Response(JSON.stringify({ data: { tree: found }, extensions }));
  const catalogue = {
    source: { kind: 'network', path: '/network' },
    documentType: 'tree',
  } as unknown as Catalogue;
  const record = { document: { id: 'a' }, isNested: true };
  t.deepEqual(await askRecord(catalogue, { id: 'a', nodeId: 'one' }), { kind: 'found', record, warnings });
  extensions = undefined;
  t.deepEqual(await askRecord(catalogue, { id: 'a', nodeId: 'one' }), {
    ...{ kind: 'found', record },
    warnings: [],
  });
});
