import test, { type ExecutionContext } from 'ava';
import { buildCatalogueSchema } from '../../../src/local/schema/schema.ts';
import type { Catalogue } from '../../../src/search/catalogue.ts';
import { fieldsOf, searchOf } from '../collection.ts';
import { catalogueOf, serveSchema } from '../remote-server.ts';
import { available, testNetwork } from '../../builders.ts';

const fields = fieldsOf({ id: 'keyword', genus: 'keyword', size: 'float' });
const park = catalogueOf('tree', fields, searchOf([]));
const height = {
  ...{ displayName: 'Height', displayType: 'number', unit: 'm', rangeStep: 0.5 },
  ...{ image: true, link: 'https://example.org/height/{value}' },
};
const described: Catalogue = {
  ...park,
  config: {
    ...park.config,
    extended: [
      {
        fieldName: 'genus',
        displayName: 'Genus of the tree',
        displayNames: { fr: 'Genre' },
        description: 'As Linnaeus has it',
        descriptions: { de: 'Nach Linné' },
        displayValues: { Q: 'Oak', F: 'Beech' },
        quickSearchEnabled: true,
      },
      { ...height, fieldName: 'size' },
    ],
  },
};

const entry = { nodeId: 'park', fields: { height: 'size' }, values: { genus: { Q: 'Quercus' } } };

const configsOf = async (t: ExecutionContext, node: object) => {
  const network = await testNetwork(t, [{ ...entry, ...node }], { byId: () => available(described) });
  return network.state().portal.configs;
};

test('a node is heard alike, whether of this process or remote', async (t) => {
  const remote = await serveSchema(buildCatalogueSchema(described));
  t.teardown(() => remote.close());
  const local = await configsOf(t, { catalogue: 'park' });
  t.deepEqual(local.extended, [
    {
      fieldName: 'genus',
      displayName: 'Genus of the tree',
      displayNames: { fr: 'Genre' },
      description: 'As Linnaeus has it',
      descriptions: { de: 'Nach Linné' },
      displayValues: { Quercus: 'Oak', F: 'Beech' },
      quickSearchEnabled: true,
      sortable: false,
    },
    { ...height, fieldName: 'height' },
  ]);
  t.deepEqual(await configsOf(t, { graphqlUrl: remote.url, documentType: 'tree' }), local);
});
