import { join } from 'node:path';
import test from 'ava';
import { buildSchema } from 'graphql';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';
import { runHere } from '../run-here.ts';

test('schema prints what code generators need, with the defaults of arguments', async (t) => {
  const folder = temporaryFolder(t, {
    'configs/books/base.json': { documentType: 'book', esIndex: 'books' },
    'configs/maps/base.json': { documentType: 'map', esIndex: 'maps' },
    'books.ndjson': '{"id":"b1","title":"Atlas","pages":320}\n',
  });
  const settings = {
    CONFIGS_PATH: join(folder, 'configs'),
    DATA_PATH: join(folder, 'data'),
    NODES_PATH: 'off',
  };
  await runHere(['load', join(folder, 'books.ndjson'), '--catalogue', 'books'], settings);
  const { code, output } = await runHere(['index', 'schema', 'Books'], settings);
  t.is(code, 0, output);
  const schema = buildSchema(output);
  t.true('pages' in (schema.getType('bookNode') as unknown as { getFields: () => object }).getFields());
  t.regex(output, /first: Int = 10/);
  t.regex(output, /offset: Int = 0/);
  t.regex(output, /include_missing: Boolean = true/);
  t.regex(output, /aggregations_filter_themselves: Boolean = false/);
  t.regex(output, /interval: Float = 1000/);
  t.regex(output, /interval: String = "month"/);

  const lost = await runHere(['index', 'schema', 'maps'], settings);
  t.is(lost.code, 1);
  t.regex(lost.output, /tributary index schema: index maps does not exist/);
  const unnamed = await runHere(['index', 'schema'], settings);
  t.is(unnamed.code, 1);
  t.regex(unnamed.output, /name a catalogue: the configuration has books, maps/);
  t.is((await runHere(['index', 'schema', 'a', 'b'], settings)).code, 2);
});
