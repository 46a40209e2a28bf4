import { engineOfCatalogue } from '../../server/config/catalogue/catalogue-engine.ts';
import type { Config } from '../../server/config/config.ts';
import { secretIn } from '../../server/config/environment.ts';
import type { Engine } from '../../engines/engine.ts';
import { openEngine } from '../../engines/open/open-engine.ts';
import { invalidConfig } from '../../lib/errors/errors.ts';
import type { DescribedField } from '../../federation/proposal/compatible.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import type { Field } from '../../introspection/fields/field.ts';
import { catalogueFields } from '../../introspection/mapping/mapping.ts';

export interface DescribedCatalogue {
  readonly fields: readonly DescribedField[];
  readonly documents: number;
}

/** Fields with more values have titles or ids, which are not mapped one by one. */
const maxValues = 200;

/** The fields of a catalogue with their labels, units, most frequent values and the ranges of their numbers. */
export const describeCatalogue = async (
  config: Config,
  catalogue: CatalogueConfig,
  env: NodeJS.ProcessEnv,
): Promise<DescribedCatalogue> => {
  if (catalogue.esIndex === null)
    throw invalidConfig(`base.json of ${catalogue.catalogueId} names no esIndex`);
  const engine = await openEngine(engineOfCatalogue(catalogue, config.engine, (name) => secretIn(env, name)));
  try {
    return await described(engine, catalogue, catalogue.esIndex);
  } finally {
    await engine.close();
  }
};

const described = async (
  engine: Engine,
  catalogue: CatalogueConfig,
  index: string,
): Promise<DescribedCatalogue> => {
  const { properties, documents } = await engine.describe(index);
  const fields = [...catalogueFields(properties, catalogue).fields.values()].filter(
    ({ kind }) => kind !== 'object',
  );
  const labels = new Map(catalogue.extended.map((entry) => [entry.fieldName, entry]));
  const known = await valuesOf(engine, index, fields);
  return {
    documents,
    fields: fields.map(({ path, type, meta }) => ({
      ...{ name: path, type, ...known.get(path) },
      label: labels.get(path)?.displayName,
      unit: labels.get(path)?.unit ?? meta?.unit,
      description: labels.get(path)?.description,
      labels: labels.get(path)?.displayValues,
    })),
  };
};

const valuesOf = async (
  engine: Engine,
  index: string,
  fields: readonly Field[],
): Promise<ReadonlyMap<string, Pick<DescribedField, 'values' | 'range'>>> => {
  const measured = fields.filter(({ kind }) => kind === 'keyword' || kind === 'number');
  const facets = measured.map(({ indexField, kind }) => ({
    ...{ field: indexField, filter: { kind: 'all' as const }, objects: {} },
    measure: kind === 'number' ? ({ kind: 'stats' } as const) : ({ kind: 'terms', size: maxValues } as const),
  }));
  const found = (await engine.search(index, { facets })).facets;
  const known = new Map<string, Pick<DescribedField, 'values' | 'range'>>();
  for (const { path, kind } of fields) if (kind === 'boolean') known.set(path, { values: ['true', 'false'] });
  for (const [at, { path }] of measured.entries()) {
    const facet = found[at];
    if (facet?.kind === 'terms') known.set(path, { values: facet.buckets.map(({ key }) => String(key)) });
    if (facet?.kind === 'stats' && facet.min !== null && facet.max !== null)
      known.set(path, { range: [Number(facet.min), Number(facet.max)] });
  }
  return known;
};
