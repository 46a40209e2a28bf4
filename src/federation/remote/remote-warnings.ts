import { z } from 'zod';

const mostWarnings = 10;
const longestWarning = 200;

const withWarnings = z.object({ warnings: z.array(z.unknown()) });

/**
 * What a remote node wants its caller to know, from the `extensions` of its answer: a few short lines of plain text,
 * whatever was sent.
 */
export const remoteWarningsOf = (extensions: unknown): readonly string[] => {
  const parsed = withWarnings.safeParse(extensions);
  if (!parsed.success) return [];
  const lines = parsed.data.warnings.slice(0, mostWarnings).flatMap((line) => plainText(line) ?? []);
  return [...new Set(lines)];
};

/** One line without control and direction characters, nor anything a page could take for markup. */
const plainText = (value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  const text = value
    .slice(0, longestWarning * 4)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[<>]/g, '')
    .trim();
  if (text === '') return null;
  return text.length > longestWarning ? `${text.slice(0, longestWarning - 1).trimEnd()}…` : text;
};
