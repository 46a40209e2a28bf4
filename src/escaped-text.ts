/**
 * Text of another server for a terminal, a log or a page: characters that control one, or turn the direction of what
 * follows, are shown as their code points, so that nothing hides and nothing is overwritten.
 * @param longest in characters; what is longer is cut and ends with an ellipsis
 */
export const escapedText = (text: string, longest = Infinity): string => {
  const cut = text.length > longest ? `${text.slice(0, Math.max(0, longest - 1))}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, codePoint);
};

const codePoint = (character: string): string =>
  `\\u{${character.codePointAt(0)!.toString(16).padStart(4, '0')}}`;
