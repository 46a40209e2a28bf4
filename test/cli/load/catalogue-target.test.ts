import { join } from 'node:path';
import test from 'ava';
import type { CatalogueTarget } from '../../../src/cli/load/load-destination.ts';
import { catalogueTarget } from '../../../src/cli/load/load-destination.ts';
import { temporaryFolder } from '../temporary-configs.ts';

const base = (esIndex: string): unknown => ({ documentType: 'ship', esIndex });
const target = (id: string, folder: string): CatalogueTarget =>
  catalogueTarget(id, { CONFIGS_PATH: folder }, folder);

test('a catalogue that is there has its index from base.json, whatever the case of the id', (t) => {
  const folder = temporaryFolder({ 'navy/base.json': base('ships_1'), 'yachts/base.json': base('y') });
  const { config, ...found } = target('Navy', folder);
  t.like(config, { catalogueId: 'navy', esIndex: 'ships_1' });
  t.deepEqual(found, {
    id: 'navy',
    esIndex: 'ships_1',
    folder: join(folder, 'navy'),
    isNew: false,
    others: 1,
  });
});

test('a missing catalogue gets a folder, also without a CONFIGS_PATH so far', (t) => {
  const folder = join(temporaryFolder(), 'configs');
  t.deepEqual(target('Navy', folder), {
    id: 'Navy',
    esIndex: 'navy',
    folder: join(folder, 'Navy'),
    isNew: true,
    others: 0,
  });
});

test('a new catalogue does not get the index of another one', (t) => {
  const folder = temporaryFolder({
    'navy/base.json': base('yachts'),
    'boats/mapping.json': {},
    'x/base.json': base('boats'),
  });
  const message = /its index yachts would be that of navy: load into navy, or give another id/;
  t.throws(() => target('Yachts', folder), { code: 'CONFIG_INVALID', message });
  t.throws(() => target('boats', folder), { message: /its index boats would be that of x/ });
  const own = { ...(base('yachts') as object), esHost: 'http://127.0.0.1:1' };
  t.like(target('yachts', temporaryFolder({ 'navy/base.json': own })), { esIndex: 'yachts', isNew: true });
});

test('a folder that only holds a mapping is completed', (t) => {
  const folder = temporaryFolder({ 'navy/mapping.json': {} });
  t.like(target('navy', folder), { esIndex: 'navy', isNew: true, others: 0 });
});

test('the single catalogue of a flat folder is found by its name', (t) => {
  const folder = join(temporaryFolder({ 'navy/base.json': base('ships') }), 'navy');
  t.like(target('navy', folder), { esIndex: 'ships', folder, isNew: false });
});

test('a second catalogue beside a flat one is refused, saying what to do', (t) => {
  const folder = join(temporaryFolder({ 'navy/base.json': base('ships') }), 'navy');
  t.throws(() => target('yachts', folder), {
    code: 'CONFIG_INVALID',
    message: /single catalogue \(navy\) directly: load into navy, or first move/,
  });
});

for (const id of ['../up', 'a b', '', 'network', 'Introspection'])
  test(`${JSON.stringify(id)} cannot be a catalogue`, (t) => {
    t.throws(() => target(id, temporaryFolder()), {
      code: 'CONFIG_INVALID',
      message: /cannot be a catalogue's id/,
    });
  });

test('broken files and a base.json without an index are refused', (t) => {
  t.throws(() => target('navy', temporaryFolder({ 'navy/base.json': '{' })), {
    message: /configuration of navy is broken: base\.json/,
  });
  t.throws(() => target('navy', temporaryFolder({ 'navy/base.json': { documentType: 'ship' } })), {
    message: /names no esIndex/,
  });
});
