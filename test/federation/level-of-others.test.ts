import test from 'ava';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import type { SearchFn } from '../../src/search/query.ts';
import { hierarchyOf } from '../introspection/hierarchies/random-branches.ts';
import { fieldsOf, searchOf, type Row } from './collection.ts';
import { catalogueOf, serveSchema } from './remote-server.ts';
import { ask, testNetwork, type TestNode } from '../builders.ts';

// a level of a tree is counted twice: which of its terms are shown depends on the first counts

const types = { id: 'keyword', code: 'keyword' };
const fields = fieldsOf(types);
const hierarchy = hierarchyOf(new Map(['A', 'B', 'C'].map((id) => [id, []])));
const setup = { network: { documentType: 'item' }, hierarchies: new Map([['code', hierarchy]]) };
const codes = { near: 'AAAB', far: 'AABC' };

interface Count {
  readonly doc_count: number;
  readonly upper_bound: number;
}
type Answer = Readonly<
  Record<
    string,
    { readonly aggregations: { readonly code: { readonly tree: Count & { readonly other: Count } } } }
  >
>;

/** By node: which of its two queries fail. */
const faults = {
  'no node': { near: [], far: [], all: 8, others: 3 },
  'one node': { near: [], far: [2], all: 8, others: 3 },
  'one after the other': { near: [2], far: [1], all: 4, others: 1 },
} as const;

for (const [what, { all, others, ...failing }] of Object.entries(faults))
  for (const root of ['network', 'item'])
    test(`the documents of other terms are within their bounds where ${what} fails: ${root}`, async (t) => {
      const nodes = (['near', 'far'] as const).map((nodeId) => {
        const search = searchOf([...codes[nodeId]].map((code, at) => ({ id: `${at}`, code })));
        let queries = 0;
        const faulty: SearchFn = (query, context) =>
          (failing[nodeId] as readonly number[]).includes(++queries)
            ? Promise.reject(new TributaryError('ENGINE_UNAVAILABLE', 'gone'))
            : search(query, context);
        return { nodeId, catalogue: catalogueOf('item', fields, faulty) };
      });
      const network = await testNetwork(t, nodes, setup);
      const tree = 'tree(max: 1) { doc_count buckets { key } other { doc_count upper_bound } }';
      const source = `{ ${root} { aggregations { code { ${tree} } } } }`;
      const { data, errors } = await ask<Answer>(network, source);
      t.is(errors, undefined);
      const { tree: level } = data[root]!.aggregations.code;
      t.is(level.doc_count, all);
      const { doc_count: least, upper_bound: most } = level.other;
      t.true(least <= others && others <= most, `${least} to ${most}`);
      if (what === 'no node') t.is(least, most);
    });

for (const root of ['network', 'item'])
  test(`a level is counted exactly beside a network that lacks its field: ${root}`, async (t) => {
    const nodeOf = (nodeId: string, types: Readonly<Record<string, string>>, rows: readonly Row[]) => ({
      nodeId,
      catalogue: catalogueOf('item', fieldsOf(types), searchOf(rows)),
    });
    const inner = await testNetwork(t, [nodeOf('rome', { id: 'keyword' }, [{ id: 'r0' }])], setup);
    const near = [...codes.near].map((code, at) => ({ id: `${at}`, code }));
    const eu: TestNode = { nodeId: 'eu', remote: await serveSchema(inner.ownSchema()) };
    const network = await testNetwork(t, [nodeOf('near', types, near), eu], setup);
    const source = `{ ${root} { aggregations { id { bucket_count } code { tree(max: 1) { other { doc_count upper_bound } } } } } }`;
    const { data, errors } = await ask<Answer>(network, source);
    t.is(errors, undefined);
    t.like(data[root]!.aggregations.code.tree.other, { doc_count: 1, upper_bound: 1 });
  });
