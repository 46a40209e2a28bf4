import { editDistance } from '../../lib/text/edit-distance.ts';
import { closest } from '../../lib/text/unknown-keys.ts';
import type { CatalogueConfig, ConfigPlaces } from './catalogue-config.ts';
import { aggregationName, fieldByAggregationName, type Fields } from './field.ts';

/**
 * The fields that a catalogue's files refer to but its mapping lacks, which a portal would show empty: each with file,
 * key, and the mapped field with the most similar spelling.
 * @param lacking what has no such field, for messages
 */
export const unmappedNames = (
  fields: Fields,
  config: NamingConfig,
  lacking = 'the mapping has no field',
): readonly string[] => {
  const byName = fieldByAggregationName(fields);
  const isKnown = (name: string): boolean =>
    fields.has(name) || byName.has(aggregationName(name)) || isOfEveryDocument(name);
  const unknown = namesIn(config).flatMap(({ at, name, within }) => {
    if (isKnown(name) || (within !== undefined && isKnown(`${within}.${name}`))) return [];
    const near = closest(name, [...fields.keys()]);
    // at most two of five letters differ
    const hint = near !== null && near.distance <= name.length * 0.4 ? `: did you mean "${near.name}"?` : '';
    return [`${at}: ${lacking} "${name}"${hint}`];
  });
  return [...unknown, ...unfitForSurvival(fields, config)];
};

/** A time that is not a number, and fields that a document may have several times. */
const unfitForSurvival = (fields: Fields, { survival, places = ownFiles }: NamingConfig): readonly string[] =>
  (['time', 'event'] as const).flatMap((key) => {
    const field = survival && fields.get(survival[key]);
    if (!field) return [];
    const at = `${keyIn(places.survival, key)}: "${field.path}"`;
    if (field.nestedIn.length > 0)
      return [
        `${at} is of the nested objects ${field.nestedIn.at(-1)!}: a field that each document has once expected`,
      ];
    return key === 'time' && field.kind !== 'number'
      ? [`${at} is of type ${field.type}: a number expected, such as days since diagnosis`]
      : [];
  });

const keyIn = (place: string, key: string): string => `${place}${place.includes(', ') ? '.' : ', '}${key}`;

/** The configuration that names fields. */
type NamingConfig = Pick<
  CatalogueConfig,
  'extended' | 'facets' | 'table' | 'matchbox' | 'survival' | 'places'
>;

interface NameInFile {
  /** File and key. */
  readonly at: string;
  readonly name: string;
  /** An object that the name may be relative to. */
  readonly within?: string;
}

const ownFiles: ConfigPlaces = {
  extended: 'extended.json',
  survival: 'survival.json',
  facets: 'facets.json, aggregations',
  columns: 'table.json, columns',
  defaultSorting: 'table.json, defaultSorting',
  matchbox: 'matchbox.json',
  network: 'network.json',
};

const namesIn = ({
  extended,
  facets,
  table,
  matchbox,
  survival,
  places = ownFiles,
}: NamingConfig): readonly NameInFile[] => [
  ...listed(places.extended, extended),
  ...listed(places.facets, facets ?? []),
  // a column with its own selection may be called anything
  ...listed(
    places.columns,
    (table.columns ?? []).map((column) => (column.query === undefined ? column : { fieldName: null })),
  ),
  ...listed(places.defaultSorting, table.defaultSorting),
  ...listed(places.matchbox, matchbox),
  ...(['time', 'event'] as const).flatMap((key) =>
    survival ? [{ at: keyIn(places.survival, key), name: survival[key] }] : [],
  ),
  ...matchbox.flatMap((entry, position) =>
    searched(`${places.matchbox}${entryAt(places.matchbox, position)}`, entry),
  ),
];

/** The fields that an entry of the matchbox searches: dotted paths, from the root or from the entry's own object. */
const searched = (
  at: string,
  { fieldName, keyFieldName, searchFieldNames }: NamingConfig['matchbox'][number],
): readonly NameInFile[] => {
  const within = fieldName ? { within: fieldName } : {};
  const names = (searchFieldNames ?? []).map((name, index) => ({
    at: `${at}.searchFieldNames[${index}]`,
    name,
  }));
  const all = [{ at: `${at}.keyFieldName`, name: keyFieldName ?? '' }, ...names];
  return all.flatMap((reference) => (reference.name === '' ? [] : [{ ...reference, ...within }]));
};

const entryAt = (place: string, position: number): string =>
  `${place.includes(', ') ? '' : ', '}[${position}]`;

const listed = (
  at: string,
  entries: readonly { readonly fieldName: string | null }[],
): readonly NameInFile[] =>
  entries.flatMap(({ fieldName }, position) =>
    fieldName === null || fieldName === ''
      ? []
      : [{ at: `${at}${entryAt(at, position)}.fieldName`, name: fieldName }],
  );

/** The key and the score are not in any mapping; a column may count a list of objects. */
const isOfEveryDocument = (name: string): boolean => /^(_id|id|_score|.*\.hits\.total)$/.test(name);

/**
 * The field probably meant by an unknown name, based on common mistakes: `__` or different case in place of the path,
 * only the last part of a path, a typo. Undefined when nothing is close, or when two fields are equally close and a
 * guess would mislead.
 */
export const likelyField = (name: string, fields: Fields): string | undefined => {
  if (name.length > maxNameLength || name.length * fields.size > maxWork) return undefined;
  const plain = plainName(name);
  return (
    only(fields, (path) => plainName(path) === plain) ??
    only(fields, (path) => plainName(path).endsWith(`.${plain}`)) ??
    nearest(plain, fields)
  );
};

/** Comparing two names costs the product of their lengths, and any client may request it. */
const maxNameLength = 80;
const maxWork = 200_000;

/** A path without regard to case and to how its parts are joined. */
const plainName = (path: string): string => path.toLowerCase().replaceAll('__', '.').replace(/[-\s]/g, '_');

const only = (fields: Fields, fits: (path: string) => boolean): string | undefined => {
  const [path, ...others] = [...fields.keys()].filter(fits);
  return others.length === 0 ? path : undefined;
};

const nearest = (plain: string, fields: Fields): string | undefined => {
  const max = slips(plain);
  let best: { readonly path: string; readonly distance: number; readonly isOnly: boolean } | undefined;
  for (const path of fields.keys()) {
    if (Math.abs(path.length - plain.length) > max) continue;
    const distance = editDistance(plain, plainName(path));
    if (distance > max || (best !== undefined && distance > best.distance)) continue;
    best = { path, distance, isOnly: distance !== best?.distance };
  }
  return best?.isOnly === true ? best.path : undefined;
};

/** How many letters may differ: fewer in a short name, or everything would look similar. */
const slips = (name: string): number => (name.length < 4 ? 1 : name.length < 9 ? 2 : 3);
