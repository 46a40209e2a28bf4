import type { BeaconTerm } from '../../introspection/fields/about.ts';
import { hasOwnValues, type Field, type Fields } from '../../introspection/fields/field.ts';
import { describeFields } from '../../sqon/describe.ts';
import { plainQuery, type CatalogueQuery, type FacetMeasure } from '../../search/query.ts';
import { OTHER } from '../../sqon/ast.ts';
import type { Visit } from '../../server/http/doors/door.ts';

/** A term that filters may name. */
interface FilteringTerm {
  readonly type: string;
  readonly id: string;
  readonly label?: string;
  readonly scopes: readonly string[];
  readonly values?: readonly string[];
}

/** The identifier of an ontology term: `HP:0001250`. */
const curie = /^([A-Za-z][\w.-]*):[^\s/][^\s]*$/;

/** The maximum number of fields whose values are queried, and of values for each. */
const maxFields = 50;
const maxValues = 200;

const questionOf = (fields: readonly Field[], measure: FacetMeasure): CatalogueQuery => ({
  ...plainQuery,
  facets: fields.map(({ path }) => ({ field: path, measure, bounded: true })),
});

const keywords = (fields: Fields): readonly Field[] =>
  [...fields.values()].filter(({ kind }) => kind === 'keyword').slice(0, maxFields);

/**
 * The filtering terms of a beacon: each field, its values if they are few, the ontology terms in its records, and codes
 * with their labels, as far as the caller may know them.
 */
export const filteringTerms = async (
  { catalogue, search }: Visit,
  scope: string,
  configured: readonly BeaconTerm[] = [],
): Promise<readonly FilteringTerm[]> => {
  const { fields, config } = catalogue;
  const scopes = [scope];
  const fieldsWithValues = keywords(fields);
  const { facets } = await search(questionOf(fieldsWithValues, { kind: 'terms', max: maxValues }));
  const valuesOf = new Map<string, readonly string[]>();
  facets.forEach((facet, at) => {
    if (facet.kind !== 'terms') return;
    const values = facet.buckets.map(({ key }) => String(key));
    // values that a release does not list cannot be filtered by
    const own = facet.distinct > values.length ? [] : values.filter((value) => value !== OTHER);
    valuesOf.set(fieldsWithValues[at]!.path, own);
  });
  const { fields: described } = describeFields(fields, config.extended);
  const alphanumeric = [...fields.values()]
    .filter(({ kind }) => hasOwnValues(kind))
    .map(({ path }) => {
      const values = valuesOf.get(path) ?? [];
      const label = described[path]?.displayName;
      return {
        ...{ type: 'alphanumeric', id: path, scopes },
        ...(label !== undefined && { label }),
        ...(values.length > 0 && { values }),
      };
    });
  const terms = new Map<string, FilteringTerm>();
  for (const { id, label } of configured)
    if (id !== undefined)
      terms.set(id, { type: prefixOf(id), id, ...(label !== undefined && { label }), scopes });
  const labels = new Map(config.extended.map((entry) => [entry.fieldName, entry.displayValues ?? {}]));
  for (const [path, values] of valuesOf) {
    const hierarchy = fields.get(path)?.hierarchy;
    for (const id of values) {
      const term = hierarchy?.indexOf(id);
      if (terms.has(id) || (term === undefined && !curie.test(id))) continue;
      const label = term === undefined ? labelIn(labels.get(path), id) : hierarchy!.label(term);
      const type = curie.test(id) ? prefixOf(id) : hierarchy!.name;
      terms.set(id, { type, id, ...(label !== undefined && { label }), scopes });
    }
  }
  const coded = alphanumeric.flatMap(({ id: path, values }) =>
    codesOf(fields.get(path)!, labels.get(path) ?? {}, values)
      .filter(([code]) => !terms.has(code))
      .map(([code, label]) => ({ type: 'custom', id: `${path}:${code}`, label, scopes })),
  );
  return [...alphanumeric, ...terms.values(), ...coded];
};

type Labels = Readonly<Record<string, unknown>>;

const labelIn = (labels: Labels = {}, value: string): string | undefined => {
  const label = Object.hasOwn(labels, value) ? labels[value] : undefined;
  return typeof label === 'string' && label !== value ? label : undefined;
};

/** The codes of a field with their labels: of texts those that records have, of numbers all, as they are not listed. */
const codesOf = (
  { kind }: Field,
  labels: Labels,
  values: readonly string[] = [],
): readonly (readonly [code: string, label: string])[] =>
  (kind === 'keyword' ? values : Object.keys(labels)).flatMap((code) => {
    const label = labelIn(labels, code);
    return label === undefined ? [] : [[code, label] as const];
  });

const prefixOf = (id: string): string => id.split(':')[0]!;

/** The ontologies of terms, by prefix. */
export const resourcesOf = (terms: readonly FilteringTerm[]) =>
  [...new Set(terms.map(({ type }) => type))]
    .filter((type) => type !== 'alphanumeric' && type !== 'custom')
    .map((prefix) => ({ id: prefix.toLowerCase(), nameSpacePrefix: prefix }));

/** The fields with values of an ontology: values that begin with its prefix and a colon. */
export const fieldsWithPrefix = async (
  { catalogue, search }: Visit,
  prefix: string,
): Promise<readonly string[]> => {
  const fields = keywords(catalogue.fields);
  if (fields.length === 0) return [];
  const { facets } = await search(
    // in lower case, in which values are matched
    questionOf(fields, { kind: 'terms', max: 1, matching: `${prefix}:`.toLowerCase(), distinct: false }),
  );
  return fields
    .filter((_, at) => {
      const facet = facets[at]!;
      return facet.kind === 'terms' && facet.buckets.some(({ key }) => String(key).startsWith(`${prefix}:`));
    })
    .map(({ path }) => path);
};
