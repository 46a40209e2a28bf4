import test from 'ava';
import { openEmbeddedEngine } from '../../src/engines/embedded/embedded-engine.ts';
import { lookAlikes } from '../../src/indexing/look-alikes.ts';
import { temporaryFolder } from './jobs/queue-fixture.ts';

test('values that cannot be told apart are named, with what differs', async (t) => {
  const engine = openEmbeddedEngine(await temporaryFolder(t), 0);
  t.teardown(() => engine.close());
  const keyword = { type: 'keyword' };
  const properties = {
    sex: keyword,
    gender: { type: 'alias', path: 'sex' },
    site: { type: 'nested', properties: { town: keyword } },
    code: keyword,
    n: { type: 'long' },
  };
  await engine.manage({ kind: 'create', index: 'donors', mapping: { dynamic: false, properties } });
  const sexes = ['Male', 'Male', 'Male ', 'Male\u00a0', 'Ma\u200ble', 'M\u0430le', 'male', 'Female'];
  const towns = ['Zürich', 'Zürich', 'Zu\u0308rich', 'Bad  Ems', 'Bad Ems'];
  await engine.write('donors', [
    ...sexes.map((sex, at) => ({ kind: 'upsert' as const, id: `s${at}`, document: { sex, n: at } })),
    ...towns.map((town, at) => ({
      ...{ kind: 'upsert' as const, id: `t${at}` },
      document: { site: [{ town }], code: ['m²', 'm2', 'É', 'e', 'A-1'][at]! },
    })),
  ]);
  t.deepEqual(await lookAlikes(engine, 'donors'), [
    'sex has values that look alike: "Male" (2 records) and "Male " (1), "Male\\u{00a0}" (1), "Ma\\u{200b}le" (1), "M\\u{0430}le" (1)',
    'site.town has values that look alike: "Zürich" (2 records) and "Zu\\u{0308}rich" (1)',
    'site.town has values that look alike: "Bad  Ems" (1 record) and "Bad Ems" (1)',
  ]);
});

test('of one field, five sets of values that look alike are listed, and the others counted', async (t) => {
  const engine = openEmbeddedEngine(await temporaryFolder(t), 0);
  t.teardown(() => engine.close());
  const properties = { town: { type: 'keyword' }, few: { type: 'keyword' } };
  await engine.manage({ kind: 'create', index: 'museum', mapping: { dynamic: false, properties } });
  const towns = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((name) => [name, `${name} `]);
  await engine.write(
    'museum',
    towns.map((town, at) => ({
      kind: 'upsert',
      id: String(at),
      document: { town, few: ['x', 'x '][at % 2]! },
    })),
  );
  const alike = (path: string, name: string, records: string): string =>
    `${path} has values that look alike: "${name}" (${records}) and "${name} " (${records.split(' ')[0]!})`;
  t.deepEqual(await lookAlikes(engine, 'museum'), [
    ...['a', 'b', 'c', 'd', 'e'].map((name) => alike('town', name, '1 record')),
    'town has 2 more sets of values that look alike',
    alike('few', 'x', '7 records'),
  ]);
});
