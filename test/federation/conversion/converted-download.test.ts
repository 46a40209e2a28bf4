import test from 'ava';
import { openGallery, openPortal, serveGallery } from '../download/galleries.ts';

const properties = {
  id: { type: 'keyword' },
  months: { type: 'integer' },
  samples: { type: 'nested', properties: { kg: { type: 'double' } } },
};
const own = [
  { id: 'a', months: 12, samples: [{ kg: 0.5 }, { kg: 0.25 }] },
  { id: 'b', months: 2 },
  { id: 'c' },
];
const away = [
  { id: 'x', months: 24, samples: [{ kg: 2 }] },
  { id: 'y', months: 1 },
];

const entry = (site: string) => ({
  fields: { os_days: 'months', 'samples.grams': 'samples.kg' },
  units: { os_days: { factor: 30.4375, from: 'months' }, 'samples.grams': { factor: 1000 } },
  constants: { primary_site: site },
});

test('downloads and the document type have constants and converted numbers, page by page', async (t) => {
  const local = await openGallery(t, { documentType: 'donor', properties, documents: own });
  const other = await openGallery(t, { documentType: 'donor', properties, documents: away });
  const nodes = {
    network: { documentType: 'donor', maxDepth: 13 },
    defaults: { timeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
    nodes: [
      { nodeId: 'own', catalogue: 'donor', ...entry('Pancreas') },
      { nodeId: 'away', graphqlUrl: `${await serveGallery(t, other)}/graphql`, ...entry('Liver') },
    ],
  };
  const { download, url } = await openPortal(t, { nodes, local, pageRows: 1 });
  const columns = ['_node', 'id', 'primary_site', 'os_days', 'samples.grams'].map((fieldName) => ({
    fieldName,
  }));
  const sort = [
    { fieldName: 'os_days', order: 'desc' },
    { fieldName: 'primary_site', order: 'asc' },
  ];
  const fileOf = async (sqon: object | null) => {
    const files = [{ fileName: 'donors', fileType: 'tsv', columns, sort, ...(sqon && { sqon }) }];
    const response = await download({ files });
    return (await response.text()).trim().split('\n').slice(1);
  };
  t.deepEqual(await fileOf(null), [
    'away\tx\tLiver\t730.5\t2000',
    'own\ta\tPancreas\t365.25\t500, 250',
    'own\tb\tPancreas\t60.875\t--',
    'away\ty\tLiver\t30.4375\t--',
    'own\tc\tPancreas\t--\t--',
  ]);
  const site = { op: 'in', content: { fieldName: 'primary_site', value: ['Pancreas'] } };
  const days = { op: 'gte', content: { fieldName: 'os_days', value: 60.875 } };
  t.deepEqual(await fileOf({ op: 'and', content: [site, days] }), [
    'own\ta\tPancreas\t365.25\t500, 250',
    'own\tb\tPancreas\t60.875\t--',
  ]);
  const query = `query($filters: JSON) { donor {
    hits(filters: $filters, sort: [{fieldName: "primary_site"}, {fieldName: "id"}]) { total edges { node { id primary_site os_days samples { hits { edges { node { grams } } } } } } }
    aggregations(filters: $filters) { primary_site { buckets { key doc_count top_hits(_source: ["primary_site"]) } } os_days { stats { max } } }
  } }`;
  const response = await fetch(`${url}/network/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { filters: { op: 'and', content: [days] } } }),
  });
  const { data, errors } = (await response.json()) as {
    data: { donor: { hits: { edges: unknown }; aggregations: unknown } };
    errors?: unknown;
  };
  t.is(errors, undefined);
  t.like(data.donor.hits, { total: 3 });
  t.deepEqual(data.donor.aggregations, {
    primary_site: {
      buckets: [
        { key: 'Pancreas', doc_count: 2, top_hits: { primary_site: 'Pancreas' } },
        { key: 'Liver', doc_count: 1, top_hits: { primary_site: 'Liver' } },
      ],
    },
    os_days: { stats: { max: 730.5 } },
  });
  t.like(data.donor.hits.edges, [
    {
      node: {
        id: 'x',
        primary_site: 'Liver',
        os_days: 730.5,
        samples: { hits: { edges: [{ node: { grams: 2000 } }] } },
      },
    },
    { node: { id: 'a', primary_site: 'Pancreas', os_days: 365.25 } },
    { node: { id: 'b' } },
  ]);
});
