import type { Entrance, Listed, Visit } from '../../server/http/doors/door.ts';
import { hasOwnValues } from '../../introspection/fields/field.ts';
import { describeFields } from '../../sqon/describe.ts';
import { escapedLines } from '../../lib/text/escaped-text.ts';
import { existsIn, isExact, lowerOf, upperOf, type Count } from '../../search/count.ts';
import { cardinalityRange } from '../../search/nodes-answer.ts';
import { countOnly, plainQuery, type CatalogueResult, type FacetMeasure } from '../../search/query.ts';

/** The figures of a description, as far as the caller may know them; null: not known. */
export interface Figures {
  readonly records: Count | null;
  /** A range where institutions may know the same persons, or withhold their records. */
  readonly persons: Count | null;
  readonly ages: { readonly min: number; readonly max: number } | null;
  /** ISO 8601 days. */
  readonly period: { readonly from: string; readonly to: string } | null;
  /** The day of the release that the figures come from; null: they come from the records. */
  readonly release: string | null;
  /** Whether records are withheld; in a network, by any of its institutions. */
  readonly isWithheld: boolean;
  /** How many of a network's institutions are included in the number of records; null: all. */
  readonly answered: number | null;
}

type Facet = CatalogueResult['facets'][number];

/** Queries a catalogue or a network for the figures of its description. Figures that it does not answer are left out. */
export const figuresOf = async (visit: Visit): Promise<Figures> => {
  const { fields, config } = visit.catalogue;
  const { person, age, time } = config.about?.describes ?? {};
  const known = (path: string | undefined): path is string => path !== undefined && fields.has(path);
  const facetOf = async (path: string | undefined, measure: FacetMeasure): Promise<Facet | null> =>
    known(path) ? measured(visit, path, measure) : null;
  const [total, persons, ages, years] = await Promise.all([
    visit.search({ ...plainQuery, hits: { ...countOnly, bounded: true } }),
    facetOf(person, { kind: 'cardinality' }),
    facetOf(age, { kind: 'stats' }),
    facetOf(time, { kind: 'date_histogram', interval: 'year', timeZone: 'UTC' }),
  ]);
  const { statuses = [] } = total.nodes ?? {};
  return {
    records: total.total,
    persons: persons?.kind === 'cardinality' ? cardinalityRange(persons) : null,
    ages: rangeIn(ages),
    period: periodIn(years),
    release: total.withheld?.date ?? null,
    isWithheld: total.withheld !== undefined || statuses.some(({ withheld }) => withheld),
    answered: total.nodes?.partial === true ? statuses.filter(({ state }) => state === 'ok').length : null,
  };
};

/** A separate query, so that a measure that is not answered does not lose the others. */
const measured = async ({ search }: Visit, field: string, measure: FacetMeasure): Promise<Facet | null> => {
  try {
    const { facets } = await search({
      ...plainQuery,
      facets: [{ field, measure, bounded: true }],
    });
    return facets[0] ?? null;
  } catch {
    // a release or a node answers only some measures: the description omits this one
    return null;
  }
};

const rangeIn = (facet: Facet | null): Figures['ages'] => {
  if (facet?.kind !== 'stats' || facet.min === null || facet.max === null) return null;
  return { min: Math.floor(Number(facet.min)), max: Math.floor(Number(facet.max)) };
};

const periodIn = (facet: Facet | null): Figures['period'] => {
  if (facet?.kind !== 'date_histogram') return null;
  const years = facet.buckets
    .filter(({ count }) => existsIn(count) !== false)
    .map(({ key }) => new Date(Number(key)));
  const [first, last] = [years[0], years.at(-1)];
  if (first === undefined || last === undefined || Number.isNaN(first.getTime())) return null;
  const yearOf = (time: Date): string =>
    String(time.getUTCFullYear()).replace(
      /^(-?)(\d{1,3})$/,
      (_, sign: string, digits: string) => sign + digits.padStart(4, '0'),
    );
  return { from: `${yearOf(first)}-01-01`, to: `${yearOf(last)}-12-31` };
};

/** Text of a mapping, escaped for descriptions, which may have several lines. */
export const shown = (value: string): string => escapedLines(value, 2_000);

export const datasetAt = ({ url }: Pick<Entrance, 'url'>, id: string): string =>
  `${url}/dataset/${encodeURIComponent(id)}`;

export const descriptionOf = (
  { title, isNetwork }: Listed,
  { catalogue, network }: Visit,
  figures: Figures,
): string => {
  const own = catalogue.config.description ?? title;
  const nodes = network?.state().nodes.length ?? 0;
  return [
    shown(own),
    ...(isNetwork ? [`A network of ${nodes} institutions, each of which keeps its own records.`] : []),
    ...(figures.answered === null ? [] : [`Numbers are of the ${figures.answered} that answered.`]),
    ...(figures.release === null ? [] : ['Numbers are lower bounds from a release; records are withheld.']),
    ...(isNetwork && figures.isWithheld
      ? ['Numbers are lower bounds: some of the institutions withhold their records.']
      : []),
    ...personsText(figures.persons),
  ].join(' ');
};

/** A range is said, since the figure itself can only be its lower bound. */
const personsText = (persons: Count | null): readonly string[] => {
  if (persons === null || isExact(persons)) return [];
  const [lower, upper] = [lowerOf(persons), upperOf(persons)];
  return upper === null
    ? [`There are at least ${lower} persons.`]
    : [`There are ${lower} to ${upper} persons.`];
};

/** A field with values, as named in descriptions. */
export interface Variable {
  readonly path: string;
  readonly type: string;
  readonly label: string;
  readonly description?: string;
  readonly unit?: string;
}

export const variablesOf = ({ catalogue: { fields, config } }: Visit): readonly Variable[] => {
  const { fields: described } = describeFields(fields, config.extended);
  return [...fields.values()]
    .filter(({ kind }) => hasOwnValues(kind))
    .map(({ path, type }) => {
      const { displayName = path, description, unit } = described[path] ?? {};
      return {
        ...{ path, type, label: shown(displayName) },
        ...(description !== undefined && { description: shown(description) }),
        ...(typeof unit === 'string' && { unit: shown(unit) }),
      };
    });
};
