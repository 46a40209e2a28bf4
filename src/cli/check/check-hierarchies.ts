import { asTributaryError } from '../../lib/errors/errors.ts';
import type { Hierarchy } from '../../introspection/hierarchies/hierarchy.ts';
import type { Catalogue } from '../../search/catalogue.ts';
import { countOf, formatCount } from '../../lib/text/plural.ts';
import { valueCounts } from './check-values.ts';

/** The most values of a field that are looked up. */
const maxValues = 10_000;

/** The most values that are listed. */
const maxListed = 10;

/**
 * Size of the hierarchies of a catalogue's fields, and which values of the documents they lack, as lines for the terminal.
 * For a catalogue that withholds its records, values are not known.
 */
export const hierarchyLines = async ({
  fields,
  search,
}: Pick<Catalogue, 'fields' | 'search'>): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const { path, hierarchy } of fields.values()) {
    if (hierarchy === undefined) continue;
    const counts = await valueCounts(search, path, maxValues).catch(
      (error: unknown) => asTributaryError(error).message,
    );
    const found =
      typeof counts === 'string'
        ? [`cannot be compared with documents: ${counts}`]
        : counts === null
          ? []
          : comparedWith(hierarchy, counts);
    const version = hierarchy.version === null ? '' : `version ${hierarchy.version}, `;
    const what = `hierarchy ${hierarchy.name} of ${path}: ${version}${countOf(hierarchy.size, 'term')}, ${countOf(hierarchy.depth, 'level')}`;
    lines.push(what, ...found.map((line) => `  ${line}`));
  }
  return lines;
};

type Counts = ReadonlyMap<string, number>;

const comparedWith = (hierarchy: Hierarchy, counts: Counts): readonly string[] => {
  if (counts.size === 0) return ['no document has a value'];
  const unknown = new Map([...counts].filter(([value]) => hierarchy.indexOf(value) === undefined));
  const share = 1 - sumOf(unknown) / sumOf(counts);
  const which = counts.size < maxValues ? '' : `the ${formatCount(maxValues)} most frequent of `;
  return [
    `${percentage(share)} of ${which}the values in documents are terms (${formatCount(counts.size - unknown.size)} of ${formatCount(counts.size)} distinct ones)`,
    ...(unknown.size === 0 ? [] : [`no terms: ${listed([...unknown], ([value]) => value)}`]),
    ...obsoleteIn(hierarchy, counts),
  ];
};

const obsoleteIn = (hierarchy: Hierarchy, counts: Counts): readonly string[] => {
  const obsolete = [...counts].flatMap(([value, count]) => {
    const term = hierarchy.indexOf(value);
    return term !== undefined && hierarchy.isObsolete(term) ? [[value, count, term] as const] : [];
  });
  const replacement = (term: number): string => {
    const next = hierarchy.replacedBy(term);
    return next === undefined
      ? 'without a replacement'
      : `replaced by ${hierarchy.id(next)} ${hierarchy.label(next)}`;
  };
  return obsolete.length === 0
    ? []
    : [`obsolete: ${listed(obsolete, ([value, , term]) => `${value}, ${replacement(term)}`)}`];
};

/** The most frequent entries, each with its number of documents. */
const listed = <Entry extends readonly [string, number, ...unknown[]]>(
  entries: readonly Entry[],
  textOf: (entry: Entry) => string,
): string => {
  const most = entries.toSorted(([, left], [, right]) => right - left);
  const shown = most.slice(0, maxListed).map((entry) => `${textOf(entry)} (${formatCount(entry[1])})`);
  const more = entries.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${formatCount(more)} more` : ''}`;
};

const sumOf = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Rounded down, so that 100 % means all. */
const percentage = (share: number): string => `${Math.floor(share * 1_000) / 10} %`;
