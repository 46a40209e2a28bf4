import { lowerOf, upperOf, type Count } from '../../search/count.ts';
import type { CatalogueResult } from '../../search/query.ts';
import { escapedText } from '../../lib/text/escaped-text.ts';

/** The bounds of a count, as data. */
export const boundsOf = (count: Count): Bounds => ({ lower: lowerOf(count), upper: upperOf(count) });

interface Bounds {
  readonly lower: number;
  readonly upper: number | null;
}

/** A count in words, with its bounds, so that they cannot get lost: `12`, `between 271 and 330`, `at least 4`. */
export const countText = (count: Count): string => {
  const { lower, upper } = boundsOf(count);
  if (upper === null) return `at least ${lower}`;
  return upper === lower ? String(upper) : `between ${lower} and ${upper}`;
};

/** The maximum length of displayed texts from records, nodes and mappings. */
const maxLength = 300;

/** A text from records or nodes as data: on one line, without invisible characters, and of bounded length. */
export const shown = (text: string): string => escapedText(text, maxLength);

/** The coverage of an answer: which institutions answered, and which did not. Empty for a catalogue. */
export const coverageText = ({ nodes }: CatalogueResult): string => {
  if (nodes === undefined) return '';
  const queried = nodes.statuses.filter(({ state }) => state !== 'excluded');
  const answered = queried.filter(({ state }) => state === 'ok');
  const missing = queried.filter(({ state }) => state !== 'ok');
  const lacking = answered.filter(({ uncoveredFields }) => uncoveredFields.length > 0);
  return [
    `${answered.length} of ${queried.length} institutions answered.`,
    ...missing.map(
      ({ name, state }) => `${shown(name)} did not answer (${state}), so its records are not counted.`,
    ),
    ...answered.flatMap(({ name, withheld }) => (withheld ? [`${shown(name)} shows counts only.`] : [])),
    ...lacking.map(
      ({ name, uncoveredFields }) => `${shown(name)} has no ${uncoveredFields.map(shown).join(', ')}.`,
    ),
  ].join(' ');
};

/** The number of matches, in words; a catalogue that withholds its records states what it counts. */
export const totalText = ({ total, withheld }: CatalogueResult): string => {
  if (total === null) return 'The number of matches is not known.';
  const what =
    withheld === undefined || withheld.counted === 'record'
      ? 'records'
      : `values of ${shown(withheld.counted)}`;
  return `${upperFirst(countText(total))} ${what} match.`;
};

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
