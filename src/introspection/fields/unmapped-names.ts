import { editDistance } from '../../edit-distance.ts';
import type { CatalogueConfig, ConfigPlaces } from './catalogue-config.ts';
import type { Fields } from './field.ts';
import { aggregationName, fieldByAggregationName } from './names.ts';

/**
 * The fields that a catalogue's files refer to but its mapping lacks, which a portal would show empty: each with file,
 * key, and the mapped field with the most similar spelling.
 */
export const unmappedNames = (fields: Fields, config: NamingConfig): readonly string[] => {
  const byName = fieldByAggregationName(fields);
  return namesIn(config).flatMap(({ at, name }) => {
    if (fields.has(name) || byName.has(aggregationName(name)) || isOfEveryDocument(name)) return [];
    const alike = closestName(name, fields);
    return [`${at}: the mapping has no field "${name}"${alike === null ? '' : `: did you mean "${alike}"?`}`];
  });
};

/** What names fields. */
type NamingConfig = Pick<CatalogueConfig, 'extended' | 'facets' | 'table' | 'matchbox' | 'places'>;

interface NameInFile {
  /** File and key. */
  readonly at: string;
  readonly name: string;
}

const ownFiles: ConfigPlaces = {
  extended: 'extended.json',
  facets: 'facets.json, aggregations',
  columns: 'table.json, columns',
  defaultSorting: 'table.json, defaultSorting',
  matchbox: 'matchbox.json',
  network: 'network.json',
};

const namesIn = ({ extended, facets, table, matchbox, places = ownFiles }: NamingConfig) => [
  ...listed(places.extended, extended),
  ...listed(places.facets, facets ?? []),
  ...listed(places.columns, table.columns ?? []),
  ...listed(places.defaultSorting, table.defaultSorting),
  ...listed(places.matchbox, matchbox),
];

const listed = (
  at: string,
  entries: readonly { readonly fieldName: string | null }[],
): readonly NameInFile[] =>
  entries.flatMap(({ fieldName }, position) =>
    fieldName === null || fieldName === ''
      ? []
      : [{ at: `${at}${at.includes(', ') ? '' : ', '}[${position}].fieldName`, name: fieldName }],
  );

/** The key and the score are not in any mapping; a column may count a list of objects. */
const isOfEveryDocument = (name: string): boolean => /^(_id|id|_score|.*\.hits\.total)$/.test(name);

/** The closest name, differing in at most two of five letters, or null. */
const closestName = (name: string, fields: Fields): string | null => {
  let best: { readonly path: string; readonly distance: number } | null = null;
  for (const path of fields.keys()) {
    const distance = editDistance(name.toLowerCase(), path.toLowerCase());
    if (distance <= name.length * 0.4 && (best === null || distance < best.distance))
      best = { path, distance };
  }
  return best?.path ?? null;
};
