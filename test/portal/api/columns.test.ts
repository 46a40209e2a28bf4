import test, { type ExecutionContext } from 'ava';
import { chosenColumns, describe } from '../../../portal/src/api/catalogue.ts';
import { fetchPage } from '../../../portal/src/api/questions.ts';

const source = {
  id: 'donors',
  kind: 'catalogue',
  path: '.',
  name: 'Donors',
  description: null,
  documentType: 'donor',
  status: 'available',
} as const;

const column = (fieldName: string, more: object = {}) => ({
  id: null,
  fieldName,
  displayName: fieldName,
  show: true,
  sortable: true,
  displayValues: {},
  query: fieldName,
  jsonPath: `$.${fieldName}`,
  ...more,
});

const configs = {
  extended: [
    { fieldName: 'sex', displayValues: { M: 'Male', F: 'Female' } },
    { fieldName: 'page', link: true },
  ],
  facets: {
    aggregations: ['page', 'specimens__tissue'].map((fieldName) => ({
      fieldName,
      isActive: true,
      show: true,
    })),
  },
  table: {
    columns: [
      column('sex', { displayValues: { M: 'm' } }),
      column('ca19-9', { query: 'ca19_9', jsonPath: '$.ca19_9' }),
      column('specimens.tissue', {
        query: 'specimens { hits { edges { node { tissue } } } }',
        jsonPath: '$.specimens.hits.edges[*].node.tissue',
      }),
      column('specimens.hits.total', {
        query: 'specimens { hits { total } }',
        jsonPath: '$.specimens.hits.total',
        displayName: 'Specimens',
      }),
      column('first_tissue', {
        query: 'specimens { hits { edges { node { tissue } } } }',
        jsonPath: "$.specimens.hits.edges[0].node['tissue']",
      }),
      column('sex', { id: 'again', query: 'also: sex', jsonPath: '$.also' }),
      column('sex', { displayName: 'Sex once more' }),
    ],
    defaultSorting: [],
  },
};

const fields = {
  sex: { type: 'keyword', unit: null },
  page: { type: 'keyword', unit: null },
  'ca19-9': { type: 'long', unit: null },
  specimens: { type: 'nested', unit: null },
  'specimens.tissue': { type: 'keyword', unit: null },
};

const node = {
  id: '1',
  _source: { sex: 'M', specimens: [{ tissue: 'liver' }, { tissue: 'blood' }] },
  specimens: { hits: { total: 2, edges: [{ node: { tissue: 'liver' } }, { node: { tissue: 'blood' } }] } },
  also: 'M',
};

/** Answers whatever the page asks. @param refuses whether a query is refused */
const serve = (t: ExecutionContext, refuses: (query: string) => boolean = () => false): string[] => {
  const queries: string[] = [];
  const { fetch } = globalThis;
  t.teardown(() => void (globalThis.fetch = fetch));
  globalThis.fetch = async (_, init) => {
    if (init?.body == null) return Response.json({ fields });
    const { query } = JSON.parse(String(init.body)) as { query: string };
    queries.push(query);
    const errors = [{ message: 'Cannot query field', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }];
    if (refuses(query)) return Response.json({ errors });
    return Response.json({
      data: { donor: { configs, hits: { total: 1, edges: [{ searchAfter: [], node }] } } },
    });
  };
  return queries;
};

const question = { filter: null, nodes: null };

test.serial('columns with a selection of their own show what it finds, beside those of fields', async (t) => {
  const queries = serve(t);
  const catalogue = await describe(source);
  // addresses are shown, not counted
  t.deepEqual(catalogue.facets, ['specimens.tissue', 'sex', 'ca19-9']);
  const columns = chosenColumns(catalogue, {});
  t.deepEqual(
    columns.map(({ path, own }) => [path, own !== undefined]),
    [
      ['sex', false],
      ['ca19-9', false],
      ['specimens.tissue', false],
      ['specimens.hits.total', true],
      ['first_tissue', true],
      ['again', true],
    ],
  );
  t.deepEqual(columns[0]!.displayValues, { M: 'm' });
  t.deepEqual(catalogue.fields.get('sex')!.displayValues, { M: 'Male', F: 'Female' });
  t.deepEqual(
    columns.map(({ canSort }) => canSort),
    [true, true, true, false, false, false],
  );
  const page = await fetchPage(catalogue, question, { columns, sort: [], after: null, size: 20 });
  t.regex(
    queries.at(-1)!,
    /_source\(paths: \["sex","ca19-9","specimens\.tissue"\]\) specimens \{ hits \{ total \} \}/,
  );
  t.deepEqual(page.rows[0]!.values, {
    sex: 'M',
    'ca19-9': undefined,
    'specimens.tissue': ['liver', 'blood'],
    'specimens.hits.total': 2,
    first_tissue: 'liver',
    again: 'M',
  });
});

test.serial('a selection that the source refuses costs its own column only', async (t) => {
  const queries = serve(t, (query) => query.includes('also: sex'));
  const catalogue = await describe(source);
  const columns = chosenColumns(catalogue, { columns: ['sex', 'again', 'gone'] });
  t.deepEqual(
    columns.map(({ path }) => path),
    ['sex', 'again'],
  );
  const page = await fetchPage(catalogue, question, { columns, sort: [], after: null, size: 20 });
  t.deepEqual(page.rows[0]!.values, { sex: 'M' });
  t.is(queries.filter((query) => query.includes('_source')).length, 2);
});

test.serial(
  'a network offers no sort by a field that one of its nodes writes in its own values',
  async (t) => {
    const { fetch } = globalThis;
    t.teardown(() => void (globalThis.fetch = fetch));
    const nodes = [{ nodeId: 'lyon', state: 'covered' }];
    const body = {
      nodes: [{ nodeId: 'lyon', name: 'Lyon' }],
      fields: [
        { path: 'age', type: 'long', nodes },
        { path: 'sex', type: 'keyword', sortable: false, nodes },
      ],
    };
    // without a common document type, a network has neither introspection nor configs
    globalThis.fetch = async (address) =>
      String(address).endsWith('?fields=brief')
        ? Response.json(body)
        : Response.json({ error: { code: 'NOT_FOUND', message: 'there is none' } }, { status: 404 });
    const network = {
      ...source,
      id: 'network',
      kind: 'network',
      path: 'network',
      documentType: null,
    } as const;
    const { columns } = await describe(network);
    t.deepEqual(
      columns.map(({ path, canSort }) => [path, canSort]),
      [
        ['age', true],
        ['sex', false],
      ],
    );
  },
);
