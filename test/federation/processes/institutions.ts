import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runHere } from '../../cli/run-here.ts';
import type { Settings } from '../../whole/end-to-end/processes.ts';

/** Three orchards, each with a schema and words of its own. */
export const institutions = {
  abbey: {
    documentType: 'plant',
    properties: {
      id: { type: 'keyword' },
      name: { type: 'keyword' },
      species: { type: 'keyword' },
      girth: { type: 'integer' },
      planted: { type: 'date' },
    },
    documents: [
      { id: 'a1', name: 'Beacon', species: 'Malus', girth: 90, planted: '1990-04-01' },
      { id: 'a2', name: 'Crown', species: 'Pyrus', girth: 140, planted: '1971-10-20' },
      { id: 'a3', name: 'Dusk', girth: 20 },
    ],
  },
  brook: {
    documentType: 'tree',
    properties: {
      id: { type: 'keyword' },
      name: { type: 'keyword' },
      taxon: { properties: { genus: { type: 'keyword' } } },
      girth_cm: { type: 'double' },
      grafts: {
        type: 'nested',
        properties: { variety: { type: 'keyword' }, year: { type: 'integer' } },
      },
    },
    documents: [
      {
        id: 'b1',
        name: 'Amber',
        taxon: { genus: 'apple' },
        girth_cm: 55.5,
        grafts: [
          { variety: 'Cox', year: 1999 },
          { variety: 'Ida', year: 2003 },
        ],
      },
      { id: 'b2', name: 'Ember', taxon: { genus: 'Prunus' }, girth_cm: 70 },
    ],
  },
  croft: {
    documentType: 'specimen',
    properties: {
      id: { type: 'keyword' },
      name: { type: 'keyword' },
      genus: { type: 'keyword' },
      girth: { type: 'long' },
    },
    documents: [
      { id: 'c1', name: 'Faun', genus: 'Malus', girth: 33 },
      { id: 'c2', name: 'Glade', genus: 'Prunus', girth: 44 },
      { id: 'c3', name: 'Heath', genus: 'Prunus' },
    ],
  },
} as const;

export type InstitutionName = keyof typeof institutions;

/** What an entry of nodes.json says to bring an institution's names and values to the network's. */
export const mappings: Readonly<Record<InstitutionName, object>> = {
  abbey: { fields: { genus: 'species' } },
  brook: {
    fields: { genus: 'taxon.genus', girth: 'girth_cm' },
    values: { genus: { apple: 'Malus' } },
  },
  croft: {},
};

/** Writes an institution's configuration and loads its documents: the settings of a process that serves them. */
export const prepareInstitution = async (folder: string, name: InstitutionName): Promise<Settings> => {
  const { documentType, properties, documents } = institutions[name];
  const own = path.join(folder, name);
  const settings = {
    CONFIGS_PATH: path.join(own, 'configs'),
    DATA_PATH: path.join(own, 'data'),
    NODES_PATH: 'off',
  };
  const catalogue = path.join(settings.CONFIGS_PATH, name);
  await mkdir(catalogue, { recursive: true });
  await writeFile(path.join(catalogue, 'base.json'), JSON.stringify({ documentType, esIndex: name }));
  const file = path.join(own, 'documents.ndjson');
  await writeFile(file, documents.map((document) => JSON.stringify(document)).join('\n'));
  const mapping = path.join(own, 'mapping.json');
  await writeFile(mapping, JSON.stringify({ mappings: { properties } }));
  const loaded = await runHere(['load', file, '--catalogue', name, '--mapping', mapping], settings);
  if (loaded.code !== 0) throw new Error(loaded.output);
  return settings;
};

/** Writes a nodes.json: its path. */
export const writeNodes = async (folder: string, content: object): Promise<string> => {
  const file = path.join(folder, `nodes-${Math.random().toString(36).slice(2)}.json`);
  await writeFile(file, JSON.stringify(content));
  return file;
};
