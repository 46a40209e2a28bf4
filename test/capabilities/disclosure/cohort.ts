import type { DisclosureConfig } from '../../../src/introspection/fields/catalogue-config.ts';
import type { Fields } from '../../../src/introspection/fields/field.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';
import type { Draft, ReleaseSource } from '../../../src/capabilities/disclosure/release/make-release.ts';
import { draftRelease } from '../../../src/capabilities/disclosure/release/make-release.ts';
import { scriptedEngine } from '../../local/scripted-engine.ts';
import type { Random } from './random-units.ts';
import { below, seeded } from './random-units.ts';

/** The mapping's properties of a made-up cohort. */
export const cohortProperties: JsonObject = {
  donor_id: { type: 'keyword' },
  sex: { type: 'keyword' },
  age: { type: 'integer' },
  weight: { type: 'double' },
  site: { type: 'keyword' },
  genes: { type: 'keyword' },
  consent: { type: 'boolean' },
  enrolled: { type: 'date' },
  study: { type: 'keyword' },
  surname: { type: 'keyword' },
  notes: { type: 'text' },
  samples: { type: 'nested', properties: { kind: { type: 'keyword' }, volume: { type: 'integer' } } },
};

export const cohortFields: Fields = readFields(cohortProperties).fields;

export const cohortDisclosure: DisclosureConfig = {
  default: 'counts',
  threshold: 10,
  order: 3,
  unit: 'donor_id',
  stableIds: true,
  strata: null,
  dimensions: [
    { fieldName: 'sex', values: ['female', 'male'] },
    { fieldName: 'age', edges: [20, 40, 60] },
    { fieldName: 'weight', edges: [55.5, 80] },
    { fieldName: 'site', values: ['C50.1', 'C50*', 'C34*'] },
    { fieldName: 'genes', values: ['TP53', 'KRAS', 'EGFR'] },
    { fieldName: 'consent' },
    { fieldName: 'enrolled', calendar: 'year', from: '2015', to: '2018' },
    { fieldName: 'samples.kind', most: 3 },
  ],
  releaseEveryDays: 90,
  automatic: false,
  lowerBoundsToOldClients: false,
};

/** Describes answers without a release. */
export const cohortStatement = () =>
  ({ tier: 'counts', threshold: 10, counted: 'record', date: null }) as const;

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[below(random, items.length)]!;
const maybe = <Item>(random: Random, item: Item): Item | undefined => (random() < 0.85 ? item : undefined);

/** Donors with values missing here and there, and lists. */
export const cohort = (size: number, seed: number): readonly JsonObject[] => {
  const random = seeded(seed);
  return Array.from({ length: size }, (_, number): JsonObject => {
    const sites = ['C50.1', 'C50.9', 'C34.1', 'C34.2', 'C18.9', 'D12'];
    return {
      donor_id: `D${number}`,
      sex: maybe(random, pick(random, ['female', 'male', 'female', 'other'])),
      age: maybe(random, below(random, 80)),
      weight: maybe(random, 40 + below(random, 1200) / 20),
      site: maybe(random, pick(random, sites.slice(0, 1 + below(random, sites.length)))),
      genes: ['TP53', 'KRAS', 'EGFR', 'BRAF', 'MYC'].filter(() => random() < 0.3),
      consent: maybe(random, random() < 0.7),
      enrolled: maybe(random, `20${14 + below(random, 6)}-0${1 + below(random, 9)}-15`),
      study: pick(random, ['north', 'south']),
      surname: `Name ${number}`,
      notes: 'seen twice',
      samples: Array.from({ length: below(random, 3) }, () => ({
        kind: maybe(random, pick(random, ['blood', 'tissue', 'saliva', 'urine'])),
        volume: below(random, 10),
      })),
    };
  });
};

/**
 * An engine over documents that only gives them all.
 * @param indices those behind the name that is described; default: of that name
 */
export const engineOver = (documents: readonly JsonObject[], indices?: readonly string[]) =>
  scriptedEngine({
    describe: () => ({
      properties: cohortProperties,
      documents: documents.length,
      ...(indices && { indices }),
    }),
    search: () => ({
      hits: {
        total: null,
        hits: documents.map((source, index) => ({ id: String(index), source, cursor: [index] })),
      },
      generation: 'one',
    }),
  });

/** The release of some documents, published or not. */
export const drafted = async (
  documents: readonly JsonObject[],
  changes: Partial<DisclosureConfig> = {},
  source: Partial<ReleaseSource> = {},
): Promise<Draft> =>
  draftRelease(
    {
      engine: engineOver(documents),
      index: 'donors',
      catalogueId: 'cohort',
      fields: cohortFields,
      disclosure: { ...cohortDisclosure, ...changes },
      ...source,
    },
    { earlier: [], former: null, series: 1, date: '2026-11-01' },
  );
