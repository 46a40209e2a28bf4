import test from 'ava';
import { graphql } from 'graphql';
import { TributaryError } from '../../src/lib/errors/errors.ts';
import { readNodes } from '../../src/federation/config/read-nodes.ts';
import { openNetwork } from '../../src/federation/network.ts';
import type { CatalogueState } from '../../src/search/catalogue.ts';
import type { SearchFn } from '../../src/search/query.ts';
import { hierarchyOf } from '../introspection/hierarchies/random-branches.ts';
import { fieldsOf, searchOf, type Row } from './collection.ts';
import { contextOf } from './node-fixtures.ts';
import { catalogueOf, serveSchema } from './remote-server.ts';

// a level of a tree is counted twice: which of its terms are shown depends on the first counts

const fields = fieldsOf({ id: 'keyword', code: 'keyword' });
const hierarchy = hierarchyOf(new Map(['A', 'B', 'C'].map((id) => [id, []])));
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
      const states = new Map(
        (['near', 'far'] as const).map((id): [string, CatalogueState] => {
          const search = searchOf([...codes[id]].map((code, at) => ({ id: `${at}`, code })));
          let queries = 0;
          const faulty: SearchFn = (query, context) =>
            (failing[id] as readonly number[]).includes(++queries)
              ? Promise.reject(new TributaryError('ENGINE_UNAVAILABLE', 'gone'))
              : search(query, context);
          const catalogue = catalogueOf('item', fields, faulty);
          return [id, { status: 'available', config: catalogue.config, catalogue }];
        }),
      );
      const nodes = [...states.keys()].map((nodeId) => ({ nodeId, catalogue: nodeId }));
      const file = readNodes({ network: { documentType: 'item' }, nodes }, 'nodes.json');
      const config = { ...file, hierarchies: new Map([['code', hierarchy]]) };
      const network = openNetwork(config, (id) => states.get(id));
      t.teardown(network.close);
      await network.ready;
      const tree = 'tree(max: 1) { doc_count buckets { key } other { doc_count upper_bound } }';
      const source = `{ ${root} { aggregations { code { ${tree} } } } }`;
      const { data, errors } = await graphql({
        schema: network.ownSchema(),
        source,
        contextValue: contextOf(),
      });
      t.is(errors, undefined);
      const { tree: level } = (data as Answer)[root]!.aggregations.code;
      t.is(level.doc_count, all);
      const { doc_count: least, upper_bound: most } = level.other;
      t.true(least <= others && others <= most, `${least} to ${most}`);
      if (what === 'no node') t.is(least, most);
    });

for (const root of ['network', 'item'])
  test(`a level is counted exactly beside a network that lacks its field: ${root}`, async (t) => {
    const openOver = (
      catalogues: Readonly<Record<string, readonly Row[]>>,
      others: readonly object[] = [],
    ) => {
      const states = new Map(
        Object.entries(catalogues).map(([id, rows]): [string, CatalogueState] => {
          const own = rows.some(({ code }) => code !== undefined) ? fields : fieldsOf({ id: 'keyword' });
          const catalogue = catalogueOf('item', own, searchOf(rows));
          return [id, { status: 'available', config: catalogue.config, catalogue }];
        }),
      );
      const nodes = [...[...states.keys()].map((nodeId) => ({ nodeId, catalogue: nodeId })), ...others];
      const file = readNodes({ network: { documentType: 'item' }, nodes }, 'nodes.json');
      const config = { ...file, hierarchies: new Map([['code', hierarchy]]) };
      const network = openNetwork(config, (id) => states.get(id));
      t.teardown(network.close);
      return network;
    };
    const inner = openOver({ rome: [{ id: 'r0' }] });
    await inner.ready;
    const served = await serveSchema(inner.ownSchema());
    t.teardown(served.close);
    const near = [...codes.near].map((code, at) => ({ id: `${at}`, code }));
    const remote = { nodeId: 'eu', graphqlUrl: served.url, timeoutMs: 60_000, discoveryTimeoutMs: 60_000 };
    const network = openOver({ near }, [remote]);
    await network.ready;
    const source = `{ ${root} { aggregations { id { bucket_count } code { tree(max: 1) { other { doc_count upper_bound } } } } } }`;
    const { data, errors } = await graphql({
      schema: network.ownSchema(),
      source,
      contextValue: contextOf(),
    });
    t.is(errors, undefined);
    t.like((data as Answer)[root]!.aggregations.code.tree.other, { doc_count: 1, upper_bound: 1 });
  });
