import { invalidInput, TributaryError } from '../../../lib/errors/errors.ts';
import { singleQuoted } from '../../../lib/text/escaped-text.ts';
import type { TableRow } from './columns.ts';

/**
 * The error where only a person can tell what a file means.
 * @param settledBy the options of `tributary load` that settle it, as typed
 */
export const question = (message: string, settledBy: string): TributaryError =>
  invalidInput(message, { details: { settledBy } });

/** The option for a separator of cells, as typed. */
export const delimiterOption = (sign: string): string =>
  `--delimiter ${sign === '\t' ? 'tab' : singleQuoted(sign)}`;

/** A question that leaves lines out with the separator that was found, since the other lines alone might suggest another. */
export const withDelimiter = (error: unknown, delimiter: string | null): unknown => {
  const settled = settledBy(error);
  const leavesOut = settled !== null && /^--(?:skip|header-row) (?!1$|0)/.test(settled);
  if (!leavesOut || delimiter === null || delimiter === noDelimiter) return error;
  return question((error as TributaryError).message, `${settled} ${delimiterOption(delimiter)}`);
};

/** The unit separator, which no text has: each line is one cell. */
export const noDelimiter = '\u001f';

/** The options that settle a question; null for other errors. */
export const settledBy = (error: unknown): string | null => {
  const details = error instanceof TributaryError ? error.details : undefined;
  return typeof details?.['settledBy'] === 'string' ? details['settledBy'] : null;
};

const shownRows = 3;
const shownCharacters = 80;

/** The first of some rows with their line numbers. */
export const shownLines = (rows: readonly TableRow[]): string => {
  const shown = rows.slice(0, shownRows).map((row) => {
    const text = row.text();
    const short = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
    return `line ${String(row.line)}: ${short}`;
  });
  return `${shown.join('; ')}${rows.length > shownRows ? '; …' : ''}`;
};
