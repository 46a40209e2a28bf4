/** Splits names into words as people would: ordinals, runs of capitals, capitalised words, numbers, other letters. */
const words =
  /\d*(?:1st|2nd|3rd|(?![123])\dth)(?![a-z0-9])|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+|[\p{Lo}\p{Lt}\p{Lm}]+/gu;

/** The default display name of a field: the words of its dotted path, capitalised. `ca19-9_level`: "Ca 19 9 Level". */
export const displayNameOf = (path: string): string => {
  const found = path.match(words) ?? [path];
  return found.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
};
