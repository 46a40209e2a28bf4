import test from 'ava';
import { loadConfig } from '../../../src/server/config/load.ts';
import { readNetworks } from '../../../src/server/node/networks.ts';
import { texts } from '../config/texts.ts';

const nodes = [{ nodeId: 'a', catalogue: 'books' }];
const configs = { documentType: 'book', esIndex: 'books' };

test('keys of nodes.json that nothing reads are reported with their place', (t) => {
  const network = {
    extended: [{ fieldName: 'title', type: 'keyword', displayNames: { it: 'Titolo' } }],
    table: { column: [] },
    facets: [{ fieldName: 'title', isActiv: true }],
  };
  const { warnings } = readNetworks(loadConfig({}, { configs, nodes: { network, nodes } }));
  t.deepEqual(texts(warnings), [
    'the nodes option: network.extended[0].type is unknown and not read: the closest known one is unit',
    'the nodes option: network.extended[0].displayNames.it is unknown and not read: the closest known one is en',
    'the nodes option: network.table.column is unknown and not read: the closest known one is columns',
    'the nodes option: network.facets.aggregations[0].isActiv is unknown and not read: the closest known one is isActive',
  ]);
});

test('so are those of a network.json', (t) => {
  const network = { localNode: { nodeId: 'a' }, facets: { aggregation: [] }, table: { columns: [] } };
  const { warnings } = readNetworks(loadConfig({ NODES_PATH: 'off' }, { configs: { ...configs, network } }));
  t.is(warnings.length, 1);
  t.regex(
    texts(warnings)[0]!,
    /network.*: facets\.aggregation is unknown and not read: the closest known one is aggregations$/,
  );
});
