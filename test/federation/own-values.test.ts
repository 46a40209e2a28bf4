import type { ExecutionContext } from 'ava';
import test from 'ava';
import type { JsonObject } from '../../src/lib/json/json.ts';
import type { Gallery } from './download/galleries.ts';
import { openGallery, openPortal, serveGallery } from './download/galleries.ts';

// rows are sorted by the nodes, so no order of theirs is that of values that one of them writes differently

const properties = { id: { type: 'keyword' }, sex: { type: 'keyword' }, age: { type: 'integer' } };

const lyonProperties = {
  id: { type: 'keyword' },
  sex: { type: 'keyword' },
  years_left: { type: 'integer' },
  ville: { type: 'keyword' },
};

const toronto = {
  documentType: 'donor',
  properties: { ...properties, city: { type: 'keyword' } },
  documents: [
    { id: 't1', sex: 'Male', age: 30, city: 'Hamilton' },
    { id: 't2', sex: 'Female', age: 60, city: 'Toronto' },
  ],
};
const lyon = {
  documentType: 'participant',
  properties: lyonProperties,
  documents: [
    { id: 'l1', sex: 'F', years_left: 50, ville: 'Lyon' },
    { id: 'l2', sex: 'M', years_left: 10, ville: 'Annecy' },
    { id: 'l3', sex: 'F', ville: 'Vienne' },
  ],
};

const mapping = {
  fields: { age: 'years_left', city: 'ville' },
  values: { sex: { F: 'Female', M: 'Male' } },
  // the age is 100 less what the node holds: the order turns around
  units: { age: { factor: -1, offset: 100 } },
};

const table = {
  columns: ['sex', 'age', 'city'].map((fieldName) => ({ fieldName, show: true, sortable: true })),
  defaultSorting: [
    { fieldName: 'sex', desc: true },
    { fieldName: 'age', desc: false },
  ],
};

const openConsortium = async (t: ExecutionContext, network: JsonObject = {}, local?: Gallery) => {
  const graphqlUrl = `${await serveGallery(t, await openGallery(t, lyon))}/graphql`;
  const nodes = {
    network: { documentType: 'donor', ...network },
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
    nodes: [
      { nodeId: 'toronto', catalogue: 'donor' },
      { nodeId: 'lyon', graphqlUrl, documentType: 'participant', ...mapping },
    ],
  };
  return openPortal(t, { nodes, local: local ?? (await openGallery(t, toronto)) });
};

type Consortium = Pick<Awaited<ReturnType<typeof openConsortium>>, 'url'>;

interface Body {
  readonly data: Readonly<Record<string, Answer | null>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

interface Answer {
  readonly hits: { readonly edges: readonly { readonly node: { readonly id: string } }[] };
}

const runQuery = async ({ url }: Consortium, query: string, variables: object = {}): Promise<Body> => {
  const response = await fetch(`${url}/network/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Body;
};

const read = async ({ url }: Consortium, path: string): Promise<unknown> => {
  const response = await fetch(url + path);
  return response.json();
};

const refusal = 'node "lyon" writes sex in its own values: sort by another field';

test('a sort by a field that a node writes in its own values is refused on every page, of every root field', async (t) => {
  const consortium = await openConsortium(t);
  const pages = ['first: 2', 'first: 0', 'first: 1, offset: 2', 'searchAfter: ["Female", "x"]'];
  for (const root of ['network', 'network(nodesFilter: ["toronto"])', 'donor'])
    for (const page of pages) {
      const sort = 'sort: [{ fieldName: "age" }, { fieldName: "sex", order: desc }]';
      const selected = page.startsWith('first: 0') ? 'total' : 'edges { node { id } }';
      const { errors } = await runQuery(consortium, `{ ${root} { hits(${page}, ${sort}) { ${selected} } } }`);
      const [error] = errors ?? [];
      t.deepEqual([error?.extensions.code, error?.message], ['BAD_USER_INPUT', refusal], `${root} ${page}`);
    }
});

test('so is a download', async (t) => {
  const { download } = await openConsortium(t);
  const files = [{ columns: [{ fieldName: 'id' }], sort: [{ fieldName: 'sex', order: 'asc' }] }];
  const response = await download({ files });
  const body = (await response.json()) as { error: { code: string; message: string } };
  t.deepEqual(
    [response.status, body.error.code, body.error.message],
    [400, 'BAD_USER_INPUT', `files[0]: ${refusal}`],
  );
});

test('fields that a node names differently sort, and so do numbers in its own unit', async (t) => {
  const consortium = await openConsortium(t);
  const ids = async (root: string, sort: string) => {
    const { data, errors } = await runQuery(
      consortium,
      `{ ${root} { hits(sort: [${sort}]) { edges { node { id } } } } }`,
    );
    t.is(errors, undefined);
    return data![root.split('(')[0]!]!.hits.edges.map(({ node }) => node.id).join(' ');
  };
  for (const root of ['network', 'donor']) {
    t.is(await ids(root, '{ fieldName: "city" }'), 'l2 t1 l1 t2 l3');
    t.is(await ids(root, '{ fieldName: "age" }'), 'l3 t1 l1 t2 l2');
    t.is(await ids(root, '{ fieldName: "age", order: desc }'), 'l2 t2 l1 t1 l3');
    t.is(await ids(root, '{ fieldName: "age", missing: last }'), 't1 l1 t2 l2 l3');
  }
});

test('introspection says which fields do not sort, and no default sort names one', async (t) => {
  const consortium = await openConsortium(t, { table });
  const marked = (fields: object) =>
    Object.entries(fields).flatMap(([path, field]: [string, { sortable?: boolean }]) =>
      'sortable' in field ? [[path, field.sortable]] : [],
    );
  const { fields } = (await read(consortium, '/network/introspection/network')) as { fields: object };
  t.deepEqual(marked(fields), [['sex', false]]);
  for (const detail of ['', '?fields=brief']) {
    const body = (await read(consortium, `/network${detail}`)) as {
      fields: { path: string }[];
      warnings: string[];
    };
    t.deepEqual(marked(Object.fromEntries(body.fields.map((field) => [field.path, field]))), [
      ['sex', false],
    ]);
    t.deepEqual(body.warnings, [`nodes.json, network.table.defaultSorting[0].fieldName: ${refusal}`]);
  }
  const { data } = await runQuery(
    consortium,
    `{ donor { configs { extended(keys: ["sortable"]) table { columns { fieldName sortable } defaultSorting { fieldName desc } } } } }`,
  );
  t.deepEqual(data as object, {
    donor: {
      configs: {
        extended: [{ fieldName: 'sex', sortable: false }],
        table: {
          columns: [
            { fieldName: 'sex', sortable: false },
            { fieldName: 'age', sortable: true },
            { fieldName: 'city', sortable: true },
          ],
          defaultSorting: [{ fieldName: 'age', desc: false }],
        },
      },
    },
  });
  const own = (await read(consortium, '/introspection/donor')) as { fields: object };
  t.deepEqual(marked(own.fields), []);
});

test('a network over this one does not sort by the field either, and names this one', async (t) => {
  const consortium = await openConsortium(t);
  const local = await openGallery(t, { ...toronto, documentType: 'person' });
  const hub = await openPortal(t, {
    local,
    nodes: {
      network: { documentType: 'donor' },
      defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
      nodes: [
        { nodeId: 'own', catalogue: 'person' },
        { nodeId: 'eu', graphqlUrl: `${consortium.url}/network/graphql`, documentType: 'donor' },
      ],
    },
  });
  const { errors } = await runQuery(
    hub,
    '{ network { hits(sort: [{ fieldName: "sex" }]) { edges { nodeId } } } }',
  );
  t.is(errors?.[0]?.message, 'node "eu" writes sex in its own values: sort by another field');
  t.is(
    (await runQuery(hub, '{ network { hits(sort: [{ fieldName: "age" }]) { total } } }')).errors,
    undefined,
  );
});

test('facets, rows and filters show the same of truths, whole numbers and fractions with values of their own', async (t) => {
  const documents = [
    { id: 't1', alive: true, stage: 1, dose: 1, doses: [1, 2.5] },
    { id: 't2', alive: false, stage: 4, dose: 2.5, doses: [] },
    { id: 't3', stage: 4, dose: 1 },
  ];
  const number = { type: 'double' };
  const types = { alive: { type: 'boolean' }, stage: { type: 'integer' }, dose: number, doses: number };
  const local = await openGallery(t, {
    documentType: 'donor',
    properties: { id: { type: 'keyword' }, ...types },
    documents,
  });
  const values = {
    alive: { true: 'yes', false: 'no' },
    stage: { 1: 'I', 4: 'IV' },
    ...{ dose: { 1: 'low', 2.5: 'high' }, doses: { 1: 'low' } },
  };
  const nodes = {
    network: { documentType: 'donor' },
    nodes: [{ nodeId: 'toronto', catalogue: 'donor', values }],
  };
  const { url } = await openPortal(t, { nodes, local });
  const paths = Object.keys(types);
  const facets = paths.map((path) => `${path} { buckets { key doc_count } }`).join(' ');
  const { data } = await runQuery({ url }, `{ network { aggregations { ${facets} } } }`);
  const { aggregations } = data!['network'] as unknown as {
    readonly aggregations: Readonly<
      Record<string, { readonly buckets: readonly { readonly key: string; readonly doc_count: number }[] }>
    >;
  };
  const counts = paths.map((path) =>
    Object.fromEntries(
      aggregations[path]!.buckets.flatMap(({ key, doc_count: count }) =>
        key === '__missing__' ? [] : [[key, count]],
      ),
    ),
  );
  t.deepEqual(counts, [
    { yes: 1, no: 1 },
    { IV: 2, I: 1 },
    { low: 2, high: 1 },
    { low: 1, 2.5: 1 },
  ]);
  for (const [at, path] of paths.entries())
    for (const [value, count] of Object.entries(counts[at]!)) {
      const filters = { op: 'in', content: { fieldName: path, value: [value] } };
      const answer = await runQuery(
        { url },
        'query($filters: JSON) { network(filters: $filters) { total } }',
        {
          filters,
        },
      );
      t.like(answer.data!['network'], { total: count }, `${path} ${value}`);
    }
  const rows = await runQuery({ url }, '{ network { hits { edges { node { alive stage dose } } } } }');
  t.deepEqual(rows.data!['network']!.hits.edges[0]!.node as object, {
    ...{ alive: 'yes', stage: 'I', dose: 'low' },
  });
});
