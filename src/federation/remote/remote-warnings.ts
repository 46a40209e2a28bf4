import { z } from 'zod';
import { isJsonObject } from '../../json/json.ts';

const maxWarnings = 10;
const maxWarningLength = 200;

const withWarnings = z.object({ warnings: z.array(z.unknown()) });

/**
 * A remote node's warnings to its caller, from the `extensions` of its response: a few short lines of plain text, no
 * matter what was sent.
 */
export const remoteWarningsOf = (extensions: unknown): readonly string[] => {
  // most answers have none, and to refuse them takes longer than to read them
  if (!isJsonObject(extensions) || extensions['warnings'] === undefined) return [];
  const parsed = withWarnings.safeParse(extensions);
  if (!parsed.success) return [];
  const lines = parsed.data.warnings.slice(0, maxWarnings).flatMap((line) => plainText(line) ?? []);
  return [...new Set(lines)];
};

/** One line without control or bidi characters, or anything a page could treat as markup. */
const plainText = (value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  const text = value
    .slice(0, maxWarningLength * 4)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[<>]/g, '')
    .trim();
  if (text === '') return null;
  return text.length > maxWarningLength ? `${text.slice(0, maxWarningLength - 1).trimEnd()}…` : text;
};
