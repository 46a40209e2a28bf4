import test from 'ava';
import { readNodes } from '../../../src/federation/config/read-nodes.ts';
import { networkFields } from '../../../src/federation/nodes/network-fields.ts';
import { networkConfigs } from '../../../src/federation/catalogue/network-configs.ts';
import type { NodeView } from '../../../src/federation/nodes/node-view.ts';
import type { ExtendedEntry } from '../../../src/introspection/fields/catalogue-config.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import { nodeView } from '../node-fixtures.ts';
import type { NodeConfig } from '../../../src/federation/config/nodes.ts';

const keyword = { type: 'keyword' };
const mapping = {
  genus: keyword,
  height: { type: 'float' },
  tag_id: keyword,
  notes: { type: 'text' },
  fruits: { type: 'nested', properties: { colour: keyword, grams: { type: 'integer' } } },
};

const nodeOf = (
  nodeId: string,
  extended: readonly ExtendedEntry[],
  overrides: Partial<NodeConfig> = {},
  properties: object = mapping,
): NodeView => {
  const arrays = new Set(extended.filter(({ isArray }) => isArray).map(({ fieldName }) => fieldName));
  const { fields } = readFields(properties as never, { nestingPrefix: null, arrays });
  const view = nodeView(nodeId, fields, undefined, overrides);
  return { ...view, status: { ...view.status, extended } as never };
};

const limits = {
  maxResultsWindow: 10_000,
  downloads: { allowCustomMaxRows: false, rowCap: null },
};

const configsOf = (network: object, nodes: readonly NodeView[]) => {
  const config = readNodes(
    { network, nodes: nodes.map(({ config: { nodeId } }) => ({ nodeId, catalogue: nodeId })) },
    'nodes.json',
  );
  return networkConfigs(config, { network: networkFields(config.fields, nodes), nodes }, limits);
};

test('without declared fields a portal gets the first ones that are not identifiers, as of a catalogue', (t) => {
  t.deepEqual(configsOf({}, [nodeOf('a', [])]), {
    extended: [],
    table: {
      columns: [
        { fieldName: 'fruits.colour', show: true, sortable: false, isArray: true },
        { fieldName: 'fruits.grams', show: true, sortable: false, isArray: true },
        { fieldName: 'genus', show: true, sortable: true },
        { fieldName: 'height', show: true, sortable: true },
        { fieldName: 'notes', show: true, sortable: false },
      ],
      defaultSorting: [],
      maxResultsWindow: 10_000,
      rowIdFieldName: '_key',
    },
    facets: ['fruits__colour', 'fruits__grams', 'genus', 'height'].map((fieldName) => ({
      fieldName,
      isActive: true,
      show: true,
    })),
    matchbox: [],
    charts: { query: '' },
    downloads: { allowCustomMaxRows: false, maxRows: null, rowCap: null },
  });
});

test('names of GraphQL in the file of a network are read as the paths that they stand for', (t) => {
  const network = {
    extended: [{ fieldName: 'fruits__colour', displayName: 'Colour' }],
    table: {
      columns: [{ fieldName: 'fruits__colour' }],
      defaultSorting: [{ fieldName: 'genus' }, { fieldName: 'fruits__grams' }],
    },
  };
  const { extended, table } = configsOf(network, [nodeOf('a', [])]);
  t.deepEqual(extended, [{ fieldName: 'fruits.colour', displayName: 'Colour' }]);
  t.is(table.columns?.[0]?.fieldName, 'fruits.colour');
  t.deepEqual(
    table.defaultSorting.map(({ fieldName }) => fieldName),
    ['genus', 'fruits.grams'],
  );
});

test('columns and facets are the declared fields, in their order, the first ten open', (t) => {
  const more = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`more${at}`, 'keyword']));
  const fields = {
    'fruits.colour': 'keyword',
    fruits: 'nested',
    notes: 'text',
    tag_id: 'keyword',
    genus: 'keyword',
    ...more,
  };
  const { table, facets } = configsOf({ fields }, [nodeOf('a', [])]);
  t.deepEqual(table.columns?.slice(0, 4), [
    { fieldName: 'fruits.colour', show: true, sortable: false, isArray: true },
    { fieldName: 'notes', show: true, sortable: false },
    { fieldName: 'tag_id', show: true, sortable: true },
    { fieldName: 'genus', show: true, sortable: true },
  ]);
  t.deepEqual(
    table.columns?.map(({ show }) => show),
    [...Array<boolean>(10).fill(true), ...Array<boolean>(3).fill(false)],
  );
  t.deepEqual(
    facets?.map(({ fieldName, show, isActive }) => [fieldName, show, isActive]),
    [
      ['fruits__colour', true, true],
      ['genus', true, true],
      ...Array.from({ length: 8 }, (_, at) => [`more${at}`, true, true]),
      ['more8', false, false],
    ],
  );
});

test('what the file configures counts, in the forms of a catalogue', (t) => {
  const network = {
    fields: { genus: 'keyword' },
    extended: [{ fieldName: 'genus', displayNames: { en: 'Genus', de: 'Gattung' }, unit: null }],
    table: {
      columns: [{ fieldName: 'height', show: true }],
      defaultSorting: [{ fieldName: 'height', desc: true }],
      maxResultsWindow: 50,
      rowIdFieldName: 'id',
    },
    facets: [{ fieldName: 'height', isActive: true, show: true }],
    matchbox: [{ displayName: 'Trees', fieldName: '', keyFieldName: 'id' }],
    charts: { query: 'x' },
    downloads: { maxRows: 7, allowCustomMaxRows: true, chunkSize: 3 },
  };
  t.deepEqual(
    configsOf(network, [nodeOf('a', [{ fieldName: 'genus', displayName: 'Kind', unit: 'words' }])]),
    {
      extended: [
        {
          fieldName: 'genus',
          displayName: 'Genus',
          displayNames: { en: 'Genus', de: 'Gattung' },
          unit: null,
        },
      ],
      table: {
        columns: [{ fieldName: 'height', show: true }],
        defaultSorting: [{ fieldName: 'height', desc: true }],
        maxResultsWindow: 50,
        rowIdFieldName: 'id',
      },
      facets: [{ fieldName: 'height', isActive: true, show: true }],
      matchbox: [
        {
          displayName: 'Trees',
          fieldName: '',
          isActive: null,
          keyFieldName: 'id',
          searchFieldNames: null,
        },
      ],
      charts: { query: 'x' },
      downloads: { maxRows: 7, allowCustomMaxRows: true, rowCap: null },
    },
  );
});

test('the first node that describes a field is used, by the network’s names', (t) => {
  const { extended } = configsOf({}, [
    nodeOf('a', [
      { fieldName: 'genus', description: 'As Linnaeus has it' },
      { fieldName: 'height', displayName: 'Height', unit: 'm', rangeStep: 0.1 },
    ]),
    nodeOf(
      'b',
      [
        { fieldName: 'species', displayName: 'Genus', displayNames: { fr: 'Genre' }, isArray: true },
        { fieldName: 'height', displayName: 'Size', displayNames: { fr: 'Taille' }, displayType: 'float' },
        { fieldName: 'tag_id', primaryKey: true, isActive: true, quickSearchEnabled: true },
        { fieldName: 'id', displayName: 'Tree' },
      ],
      { fields: new Map([['genus', 'species']]) },
      { ...mapping, genus: undefined, species: keyword },
    ),
  ]);
  const sorted = extended.toSorted((one, other) => (one.fieldName < other.fieldName ? -1 : 1));
  t.deepEqual(sorted, [
    {
      fieldName: 'genus',
      description: 'As Linnaeus has it',
      displayName: 'Genus',
      displayNames: { fr: 'Genre' },
      isArray: true,
    },
    { fieldName: 'height', displayName: 'Height', unit: 'm', rangeStep: 0.1, displayType: 'float' },
    { fieldName: 'tag_id', quickSearchEnabled: true },
  ]);
});

test('labels of values pass through the values of their node, or are dropped', (t) => {
  const values = new Map([
    [
      'genus',
      new Map([
        ['Q', 'Quercus'],
        ['q', 'Quercus'],
        ['A', 'Acer'],
        ['F', 'Fagus'],
      ]),
    ],
    ['height', new Map([['1', 'small']])],
  ]);
  const { extended } = configsOf({}, [
    nodeOf(
      'a',
      [
        {
          fieldName: 'genus',
          displayType: 'code',
          unit: 'letters',
          displayValues: { Q: 'Oak', q: 'oak', A: 'Maple', F: 'Fagus', T: 'Lime' },
        },
        { fieldName: 'height', displayName: 'Height', unit: 'cm', rangeStep: 1, displayType: 'number' },
      ],
      { values },
    ),
    nodeOf('b', [{ fieldName: 'genus', displayValues: { Acer: 'Sycamore', Quercus: 'Oak' } }]),
  ]);
  t.deepEqual(extended, [
    { fieldName: 'genus', displayValues: { Acer: 'Maple', T: 'Lime', Quercus: 'Oak' }, sortable: false },
    { fieldName: 'height', displayName: 'Height', sortable: false },
  ]);
});

test('no column and no default sort is of a field that a node writes in its own values', (t) => {
  const values = new Map([
    ['genus', new Map([['Q', 'Quercus']])],
    ['fruits.colour', new Map([['r', 'red']])],
  ]);
  const nodes = [nodeOf('a', []), nodeOf('b', [], { values })];
  const defaultSorting = ['fruits__colour', 'height', 'genus'].map((fieldName) => ({ fieldName }));
  const byDefault = configsOf({ table: { defaultSorting } }, nodes).table;
  t.deepEqual(byDefault.defaultSorting, [{ fieldName: 'height', desc: false }]);
  const sortable = byDefault.columns!.filter((column) => column.sortable).map(({ fieldName }) => fieldName);
  t.deepEqual(sortable, ['height']);
  const columns = ['genus', 'height'].map((fieldName) => ({ fieldName, sortable: true }));
  t.deepEqual(configsOf({ table: { columns } }, nodes).table.columns, [
    { fieldName: 'genus', sortable: false },
    { fieldName: 'height', sortable: true },
  ]);
});

test('a field that a node does not cover is not described by it', (t) => {
  const nodes = [
    nodeOf('a', [{ fieldName: 'height', displayName: 'Height' }]),
    nodeOf('b', [{ fieldName: 'height', description: 'By hand' }], {}, { height: keyword }),
  ];
  t.deepEqual(configsOf({}, nodes).extended, [{ fieldName: 'height', displayName: 'Height' }]);
});

test('a type that only the network has is shown as one that portals know', (t) => {
  const nodes = ['long', 'float'].map((type) => nodeOf(type, [], {}, { height: { type } }));
  t.deepEqual(configsOf({}, nodes).extended, [{ fieldName: 'height', displayType: 'float' }]);
});
