import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { donors, type Donor } from './donors.ts';
import { museumCatalogues, museumNodes } from './museums.ts';
import { serve, serveSample, type Opening, type ServedCatalogue } from './servers.ts';
import type { Stage } from './the-stage.ts';

const read = (file: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as Record<string, unknown>;

const sections = {
  ...read('catalogue/extended.json'),
  ...read('catalogue/facets.json'),
  ...read('catalogue/table.json'),
};

/** All donors as one catalogue, and the same ones at three nodes: two of one server, one remote, one in other words. */
export const openDonors = async (opening: Opening): Promise<Stage['donors']> => {
  const far = serve(opening, 'far', { isles: catalogueOf(donors.filter((_, at) => at % 3 === 0)) });
  const one = serve(opening, 'one', { donors: catalogueOf(donors, sections) });
  const network = serve(
    opening,
    'network',
    {
      alps: catalogueOf(donors.filter((_, at) => at % 3 === 1)),
      delta: patientsOf(donors.filter((_, at) => at % 3 === 2)),
    },
    donorNodes(await far),
  );
  return { 'a catalogue': await one, 'a network': `${await network}/network` };
};

export const openMuseums = async (opening: Opening): Promise<string> =>
  `${await serve(opening, 'museums', museumCatalogues, museumNodes)}/network`;

export const openConsortium = async (opening: Opening): Promise<string> =>
  `${await serveSample(opening)}/network`;

const limits = { documentType: 'donor', maxDepth: 20, maxAliases: 50 };

const catalogueOf = (documents: readonly Donor[], files: object = {}): ServedCatalogue => {
  return {
    files: { 'base.json': { ...limits, esIndex: `donors_${documents.length}`, ...files } },
    mapping: read('mapping.json'),
    documents,
    idField: 'donor_id',
  };
};

const codes: Readonly<Record<string, string>> = { Female: 'F', Male: 'M', Other: 'O' };

/** The records in other words, as another institution would have them. */
const patientsOf = (some: readonly Donor[]): ServedCatalogue => ({
  files: { 'base.json': { documentType: 'patient', esIndex: 'patients', maxDepth: 20 } },
  mapping: {
    mappings: {
      properties: {
        ...renamed(properties(read('mapping.json')), { donor_id: 'number', sex: 'gender', age: 'years' }),
        study: undefined,
        project: { properties: { code: { type: 'keyword' }, name: { type: 'keyword' } } },
        specimens: undefined,
        biopsies: {
          type: 'nested',
          properties: {
            organ: { type: 'keyword' },
            mg: { type: 'float' },
            aliquots: {
              type: 'nested',
              properties: {
                aliquot: { type: 'keyword' },
                kind: { type: 'keyword' },
                purity: { type: 'float' },
              },
            },
          },
        },
      },
    },
  },
  documents: some.map(patientOf),
  idField: 'number',
});

const properties = (mapping: unknown): object =>
  (mapping as { readonly mappings: { readonly properties: object } }).mappings.properties;

const renamed = (fields: object, names: Readonly<Record<string, string>>): object =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [names[name] ?? name, field as unknown]));

const patientOf = ({ donor_id, sex, age, study, specimens, ...others }: Donor): object => ({
  ...others,
  number: donor_id,
  ...(sex === undefined ? {} : { gender: codes[sex] }),
  ...(age === undefined ? {} : { years: age }),
  project: { code: study.code, name: study.title },
  biopsies: specimens.map(({ tissue, weight_mg, samples }) => ({
    organ: tissue,
    mg: weight_mg,
    aliquots: samples.map(({ sample_id, ...sample }) => ({ aliquot: sample_id, ...sample })),
  })),
});

const donorNodes = (farUrl: string) => ({
  network: { displayName: 'Donors', documentType: 'donor', maxDepth: 20, maxAliases: 50, ...sections },
  nodes: [
    { nodeId: 'alps', catalogue: 'alps' },
    {
      nodeId: 'delta',
      catalogue: 'delta',
      fields: {
        donor_id: 'number',
        sex: 'gender',
        age: 'years',
        'study.code': 'project.code',
        'study.title': 'project.name',
        specimens: 'biopsies',
        'specimens.tissue': 'biopsies.organ',
        'specimens.weight_mg': 'biopsies.mg',
        'specimens.samples': 'biopsies.aliquots',
        'specimens.samples.sample_id': 'biopsies.aliquots.aliquot',
        'specimens.samples.kind': 'biopsies.aliquots.kind',
        'specimens.samples.purity': 'biopsies.aliquots.purity',
      },
      values: { sex: Object.fromEntries(Object.entries(codes).map(([value, code]) => [code, value])) },
    },
    { nodeId: 'isles', graphqlUrl: `${farUrl}/graphql`, maxDepth: 20, maxAliases: 50 },
  ],
});
