import { closest } from '../../lib/text/unknown-keys.ts';

/** What portal.json can name. */
export interface LookNames {
  /** The paths of the fields of all catalogues and networks. */
  readonly fields: ReadonlySet<string>;
  /** The ids of the catalogues and networks. */
  readonly sources: readonly string[];
}

/** The keys of portal.json that name something. */
interface NamingLook {
  readonly source?: string | undefined;
  readonly charts?: readonly string[] | undefined;
  readonly timeline?: string | undefined;
  readonly hiddenFacets?: readonly string[] | undefined;
  readonly facetGroups?: readonly { readonly facets: readonly string[] }[] | undefined;
  readonly fieldNames?: Readonly<Record<string, unknown>> | undefined;
  readonly questions?: readonly { readonly filters: unknown }[] | undefined;
}

/**
 * The fields and the source that portal.json names but nothing has: the portal would leave them out silently.
 * @param where the file, for messages
 * @returns a line each, with file, key, and the nearest name
 */
export const lookProblems = (
  look: NamingLook,
  { fields, sources }: LookNames,
  where = 'portal.json',
): readonly string[] => {
  const named: readonly Named[] = [
    ...listed('charts', look.charts),
    ...listed('timeline', look.timeline),
    ...listed('hiddenFacets', look.hiddenFacets),
    ...(look.facetGroups ?? []).flatMap(({ facets }, at) => listed(`facetGroups[${at}].facets`, facets)),
    ...Object.keys(look.fieldNames ?? {}).map((name) => ({ at: `fieldNames.${name}`, name })),
    ...(look.questions ?? []).flatMap(({ filters }, at) => namedIn(filters, `questions[${at}].filters`)),
  ];
  const ofFields = named.flatMap(({ at, name, isFilter }) =>
    fields.has(name) || (isFilter && fields.has(dotted(name)))
      ? []
      : [`${where}, ${at}: there is no field ${quoted(name)}${hintOf(name, [...fields])}`],
  );
  const { source } = look;
  const ofSource =
    source === undefined || sources.includes(source)
      ? []
      : [`${where}, source: there is no catalogue or network ${quoted(source)}${hintOf(source, sources)}`];
  return [...ofFields, ...ofSource];
};

/** A field in the file: filters may also write its path as GraphQL does. */
interface Named {
  readonly at: string;
  readonly name: string;
  readonly isFilter?: true;
}

const listed = (key: string, names: string | readonly string[] = []): readonly Named[] =>
  typeof names === 'string'
    ? [{ at: key, name: names }]
    : names.map((name, index) => ({ at: `${key}[${index}]`, name }));

/** The fields of filters, at any depth. */
const namedIn = (part: unknown, at: string): readonly Named[] => {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    const within = Array.isArray(part) ? `${at}[${key}]` : `${at}.${key}`;
    if (key === 'fieldName' && typeof value === 'string')
      return [{ at: within, name: value, isFilter: true }];
    return namedIn(value, within);
  });
};

const dotted = (name: string): string => name.replaceAll('__', '.');

const quoted = (name: string): string => JSON.stringify(name);

const hintOf = (name: string, known: readonly string[]): string => {
  const near = known.includes(dotted(name)) ? dotted(name) : closest(name, known)?.name;
  return near === undefined ? '' : `: did you mean ${quoted(near)}?`;
};
