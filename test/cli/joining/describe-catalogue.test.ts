import test from 'ava';
import { describeCatalogue } from '../../../src/cli/joining/describe-catalogue.ts';
import { loadConfig } from '../../../src/server/config/load.ts';
import { openEngine } from '../../../src/engines/open/open-engine.ts';
import { temporaryFolder } from '../../server/config/temporary-folder.ts';

test('a catalogue is described by the engine that holds it, not by an index of the same name', async (t) => {
  const folder = temporaryFolder(t, { 'p/base.json': '{"documentType":"patient","esIndex":"p"}' });
  const env = { CONFIGS_PATH: folder, DATA_PATH: folder, NODES_PATH: 'off', HUBS_PATH: 'off' };
  const config = loadConfig(env);
  const engine = await openEngine(config.engine);
  await engine.manage({ kind: 'create', index: 'p', mapping: { properties: { sex: { type: 'keyword' } } } });
  await engine.close();
  const [catalogue] = config.catalogues;
  t.like(await describeCatalogue(config, catalogue!, env), { documents: 0, fields: [{ name: 'sex' }] });
  const elsewhere = { ...catalogue!, engine: { url: 'http://127.0.0.1:1' } };
  await t.throwsAsync(describeCatalogue(config, elsewhere, env), { code: 'connection_error' });
});
