/**
 * Words as the standard analyser cuts them (Unicode Standard Annex 29): runs of letters, digits and underscores, a
 * full stop, colon or apostrophe between two letters and a full stop, comma, semicolon or apostrophe between two digits
 * kept inside; each ideograph stands alone.
 */
const words =
  /[\p{Script=Han}\p{Script=Hiragana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{N}\p{M}_])+(?:(?:(?<=[\p{L}\p{M}])[.:·'’](?=\p{L})|(?<=\p{N})[.,;'’](?=\p{N}))(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{N}\p{M}_])+)*/gu;
const asciiWords = /[a-z0-9_]+(?:(?:(?<=[a-z])[.:'](?=[a-z])|(?<=[0-9])[.,;'](?=[0-9]))[a-z0-9_]+)*/g;
// eslint-disable-next-line no-control-regex -- the range is all of ASCII
const asciiOnly = /^[\x00-\x7f]*$/;

/** The lowercased words of a text, in order, repeats included. */
export const tokensOf = (text: string): readonly string[] => {
  const lower = text.toLowerCase();
  return lower.match(asciiOnly.test(lower) ? asciiWords : words) ?? [];
};
