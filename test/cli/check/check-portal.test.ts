import test from 'ava';
import { checkPortal } from '../../../src/cli/check/check-portal.ts';
import { networkConfigs } from '../../../src/federation/catalogue/network-configs.ts';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import { fieldsOf } from '../../federation/collection.ts';
import { nodeView } from '../../federation/node-fixtures.ts';

const trees = nodeView(
  'a',
  fieldsOf({ genus: 'keyword', fruits: 'nested', 'fruits.seeds': 'nested', 'fruits.seeds.grams': 'long' }),
);

const tried = (network: object, maxDepth = 7, isWhole = true) => {
  const config = readNodes({ network, nodes: [{ nodeId: 'a', catalogue: 'a' }] }, 'nodes.json');
  const merged = networkFields(config.fields, [trees]);
  const defaults = { maxResultsWindow: 10, downloads: { allowCustomMaxRows: false, rowCap: null } };
  const configs = networkConfigs(config, { network: merged, nodes: [trees] }, defaults);
  const { sections = {}, where } = config;
  return checkPortal({ fields: merged.fields, configs, sections, where, maxDepth, isWhole });
};

const misspelt = {
  extended: [{ fieldName: 'genius' }],
  facets: [{ fieldName: 'fruits__seeds__grams' }, { fieldName: 'fruit__seeds__grams' }],
  table: {
    columns: [{ fieldName: '_key' }, { fieldName: 'genus' }],
    defaultSorting: [{ fieldName: 'Genus' }],
  },
  matchbox: [
    { fieldName: 'fruits', keyFieldName: 'colour', searchFieldNames: ['seeds.grams', 'genus', 'gens'] },
  ],
};
const found = [
  'nodes.json, network.extended[0].fieldName: no node has the field "genius": did you mean "genus"?',
  'nodes.json, network.facets.aggregations[1].fieldName: no node has the field "fruit__seeds__grams": did you mean "fruits.seeds.grams"?',
  'nodes.json, network.table.defaultSorting[0].fieldName: no node has the field "Genus": did you mean "genus"?',
  'nodes.json, network.matchbox[0].keyFieldName: no node has the field "colour"',
  'nodes.json, network.matchbox[0].searchFieldNames[2]: no node has the field "gens": did you mean "genus"?',
];

test('fields that no node has are found with key and place', (t) => {
  t.deepEqual(tried(misspelt), { problems: found, warnings: [] });
});

test('a node that is down may have them', (t) => {
  t.deepEqual(tried(misspelt, 7, false), { problems: [], warnings: found });
});

const deep =
  'columns that need more than the 12 levels allowed in a query: fruits.seeds.grams (13); set network.maxDepth to 13';

test('columns that do not fit the depth limit are reported with the depth they need', (t) => {
  const table = { columns: [{ fieldName: 'genus' }, { fieldName: 'fruits.seeds.grams' }] };
  t.deepEqual(tried({ table }, 12), { problems: [deep], warnings: [] });
  t.deepEqual(tried({ table }, 13), { problems: [], warnings: [] });
});

test('default columns are a warning, not a problem', (t) => {
  t.deepEqual(tried({}, 12), { problems: [], warnings: [deep] });
});

test('a column may define its query', (t) => {
  const columns = [
    { fieldName: 'genus', query: 'a { ... on B { c { d } } }' },
    { fieldName: 'fruits', query: 'fruits {' },
  ];
  t.deepEqual(tried({ table: { columns } }, 6).problems, [
    'column fruits: its query is not a GraphQL selection: fruits {',
    'columns that need more than the 6 levels allowed in a query: genus (7); set network.maxDepth to 7',
  ]);
});
