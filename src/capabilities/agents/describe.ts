import type { z } from 'zod';
import type { Entrance, Visit } from '../../server/http/doors/door.ts';
import type { Hierarchy } from '../../introspection/hierarchies/hierarchy.ts';
import { hasOwnValues } from '../../introspection/fields/field.ts';
import { existsIn } from '../../search/count.ts';
import { OTHER } from '../../sqon/ast.ts';
import { plainQuery, type CatalogueResult } from '../../search/query.ts';
import { describeFields } from '../../sqon/describe.ts';
import { closest } from '../../lib/text/unknown-keys.ts';
import type { ToolAnswer } from './citation.ts';
import { shown } from './sentences.ts';
import { fieldOf, type where } from './where.ts';

interface Sent {
  readonly catalogue?: string | undefined;
  readonly query?: string | undefined;
}

interface DescribedField {
  readonly field: string;
  readonly label: string;
  readonly type: string;
  readonly unit?: string;
  readonly values?: readonly string[];
}

/** Lists catalogues, or the fields of a catalogue, matches of the words first. */
export const describe = async (entrance: Entrance, { catalogue, query = '' }: Sent): Promise<ToolAnswer> => {
  const [only] = entrance.list;
  const id = catalogue ?? (entrance.list.length === 1 ? only!.id : undefined);
  if (id === undefined) return describeAll(entrance);
  const visit = await entrance.open(id);
  const fields = await fieldsOf(visit, query.trim().toLowerCase());
  const lines = fields.map(({ field, label, type, unit, values }) =>
    [
      `${field}: ${label} (${type}${unit === undefined ? '' : `, in ${unit}`})`,
      ...(values === undefined || values.length === 0 ? [] : [`values such as ${values.join('; ')}`]),
    ].join(', '),
  );
  const found = fields.length === 0 ? [`Nothing in ${id} matches ${JSON.stringify(shown(query))}.`] : lines;
  return { text: [`Fields of ${id}:`, ...found].join('\n'), data: { fields } };
};

const describeAll = ({ list }: Entrance): ToolAnswer => {
  const catalogues = list.map(({ id, title, isNetwork }) => ({ id, title: shown(title), isNetwork }));
  const lines = catalogues.map(
    ({ id, title, isNetwork }) => `${id}: ${title}${isNetwork ? ' (several institutions)' : ''}`,
  );
  return { text: ['Catalogues:', ...lines].join('\n'), data: { catalogues } };
};

/** The maximum number of fields whose values are searched. */
const maxFields = 50;

/** The fields whose name, label or description contains the words, and those with such values; without words, all fields. */
const fieldsOf = async (visit: Visit, words: string): Promise<readonly DescribedField[]> => {
  const { fields, config } = visit.catalogue;
  const { fields: described } = describeFields(fields, config.extended);
  const labels = new Map(config.extended.map((entry) => [entry.fieldName, entry.displayValues]));
  const own = [...fields.values()].filter(({ kind }) => hasOwnValues(kind));
  const keywords = own.filter(({ kind }) => kind === 'keyword').slice(0, maxFields);
  const values = await valuesOf(
    visit,
    keywords.map(({ path }) => path),
    words,
  );
  return own.flatMap(({ path, type, hierarchy }) => {
    const { displayName = path, unit, description = '' } = described[path] ?? {};
    const known = (values.get(path) ?? []).map((value) => labelled(value, labels.get(path)));
    const found = [...new Set([...termsOf(hierarchy, words), ...meantBy(labels.get(path), words), ...known])];
    const isNamed =
      words === '' || [path, displayName, description].some((text) => text.toLowerCase().includes(words));
    if (!isNamed && found.length === 0) return [];
    return [
      {
        ...{ field: path, label: shown(displayName), type },
        ...(typeof unit === 'string' && { unit: shown(unit) }),
        ...(found.length > 0 && { values: found }),
      },
    ];
  });
};

type Labels = Readonly<Record<string, unknown>> | undefined;

/** A value as `value (label)`, if it has a label. */
const labelled = (value: string, labels: Labels): string => {
  const label = labels !== undefined && Object.hasOwn(labels, value) ? labels[value] : undefined;
  return typeof label === 'string' && label !== value ? `${value} (${shown(label)})` : value;
};

/** Values whose label contains the words, as `value (label)`. */
const meantBy = (labels: Labels, words: string): readonly string[] =>
  words === ''
    ? []
    : Object.entries(labels ?? {})
        .filter(([, label]) => typeof label === 'string' && label.toLowerCase().includes(words))
        .slice(0, 5)
        .map(([value]) => labelled(shown(value), labels));

/** Terms whose label or a synonym contains the words, as `id (label)`. */
const termsOf = (hierarchy: Hierarchy | undefined, words: string): readonly string[] =>
  hierarchy === undefined || words === ''
    ? []
    : hierarchy
        .search(words, 5)
        .map((term) => `${shown(hierarchy.id(term))} (${shown(hierarchy.label(term))})`);

/**
 * Limits for suggestions: how many values are compared with a value that matches nothing, for how many such values, and
 * how long either may be. Any caller may request this, and comparing two takes the product of their lengths.
 */
const maxCompared = 1_000;
const maxWanted = 10;
const maxLength = 80;

/** If nothing matches: for the first values in the conditions that their field does not have, the closest values. */
export const nearestValues = async (
  visit: Visit,
  conditions: z.output<typeof where> | undefined,
  { total }: CatalogueResult,
): Promise<readonly string[]> => {
  if (total === null || existsIn(total) !== false) return [];
  const clauses = (conditions ?? []).flatMap((one) => ('any' in one ? one.any : [one]));
  const wanted = clauses.flatMap(({ field, operator, value = [] }) => {
    const { path, kind } = fieldOf(field, visit.catalogue.fields);
    const values =
      operator === 'is' && kind === 'keyword' ? [value].flat().map((one) => shown(String(one))) : [];
    return values.filter((one) => one.length <= maxLength).map((one) => ({ path, value: one }));
  });
  const known = await valuesOf(visit, [...new Set(wanted.map(({ path }) => path))], '', maxCompared);
  const unknown = wanted.filter(({ path, value }) => known.get(path)?.includes(value) === false);
  return unknown.slice(0, maxWanted).flatMap(({ path, value }) => {
    const near = closest(
      value,
      known.get(path)!.filter((one) => one.length <= maxLength),
    );
    return near === null
      ? []
      : [`The closest value of ${path} to ${JSON.stringify(value)} is ${JSON.stringify(near.name)}.`];
  });
};

/** The most frequent values of fields, or those that contain the words. */
const valuesOf = async (
  { search }: Visit,
  paths: readonly string[],
  words: string,
  max = 5,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (paths.length === 0) return new Map();
  const measure = { kind: 'terms', max, ...(words !== '' && { matching: words }) } as const;
  const { facets } = await search({
    ...plainQuery,
    facets: paths.map((field) => ({ field, measure, bounded: true })),
  });
  return new Map(
    paths.map((path, at) => {
      const facet = facets[at]!;
      const keys = facet.kind === 'terms' ? facet.buckets.map(({ key }) => String(key)) : [];
      // values that a release does not list cannot be shown
      return [path, keys.filter((key) => key !== OTHER).map(shown)];
    }),
  );
};
