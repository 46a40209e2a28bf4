/**
 * Escapes text of another server for a terminal, a log or a page: control characters and bidirectional overrides are
 * shown as code points, so that they can neither hide nor overwrite anything.
 * @param maxLength in characters; longer text is truncated with an ellipsis
 */
export const escapedText = (text: string, maxLength = Infinity): string => {
  const cut = text.length > maxLength ? `${text.slice(0, Math.max(0, maxLength - 1))}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, codePoint);
};

const codePoint = (character: string): string =>
  `\\u{${character.codePointAt(0)!.toString(16).padStart(4, '0')}}`;

/** The lines of a text, each escaped, for descriptions: their forms keep a line break as what it is. */
export const escapedLines = (text: string, maxLength: number): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => escapedText(line, maxLength))
    .join('\n')
    .slice(0, maxLength);

/** Reduces paths in a text to file names: clients must not learn the machine's folders. */
export const withoutFolders = (text: string): string =>
  text
    .replace(/"\/(?:[^"\n]*\/)?([^"/\n]*)"/g, '"$1"')
    .replace(/(?<![\w:/.-])\/(?:[^\s/:;,"']+\/)+(?=[^\s/])/g, '');

/** The first texts of a list, and the number of the others: "a, b and 3 more". */
export const firstOf = (texts: readonly string[], max: number): string => {
  const shown = texts.slice(0, max).join(', ');
  return texts.length > max ? `${shown} and ${texts.length - max} more` : shown;
};

/** A text in single quotes, in which a shell reads it as it is. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A text as one word of a shell's command line. */
export const shellWord = (text: string): string => {
  if (/^[\w.,=/:@%+-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? singleQuoted(text) : `"${text}"`;
};
