import { lowerCase } from '../../introspection/terms/normalizer.ts';

/**
 * Words as the standard analyser splits them (Unicode Standard Annex 29): runs of letters, digits and underscores with
 * at least one letter or digit, a full stop, colon or apostrophe between two letters and a full stop, comma, semicolon
 * or apostrophe between two digits kept inside; each ideograph is a word, and so is each emoji with its modifiers.
 */
const asciiWords =
  /(?=_*[a-z0-9])[a-z0-9_]+(?:(?:(?<=[a-z])[.:'](?=[a-z])|(?<=[0-9])[.,;'](?=[0-9]))[a-z0-9_]+)*/g;
// eslint-disable-next-line no-control-regex -- the range is all of ASCII
const asciiOnly = /^[\x00-\x7f]*$/;

/** Marks and invisible characters belong to the preceding character. */
const mark = String.raw`[\p{M}\p{Cf}]`;
const ideograph = String.raw`[\p{Script=Han}\p{Script=Hiragana}\u3006]`;
const letter = String.raw`(?!${ideograph})[\p{L}\p{Nl}\u24B6-\u24E9]`;
const inner = String.raw`(?:(?!${ideograph})[\p{L}\p{Nl}\u24B6-\u24E9\p{Nd}_]${mark}*)+`;
const afterLetter = String.raw`(?<=[\p{L}\p{Nl}]${mark}*)`;
const betweenLetters = String.raw`${afterLetter}[.:·'\u2018\u2019\u2024\u2027](?=${letter})`;
const betweenDigits = String.raw`(?<=\p{Nd}${mark}*)[.,;'\u2018\u2019\u2024\u2044\u066B\u066C](?=\p{Nd})`;
const inHebrew = String.raw`(?<=\p{Script=Hebrew})"(?=\p{Script=Hebrew})`;
const afterHebrew = String.raw`(?:(?<=\p{Script=Hebrew})')?`;
const word = String.raw`(?=_*(?:${letter}|\p{Nd}))${inner}(?:(?:${betweenLetters}|${betweenDigits}|${inHebrew})${inner})*${afterHebrew}`;

const pictograph = String.raw`\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}\u{E0020}-\u{E007F}]*`;
const emoji = String.raw`[0-9#*]\uFE0F?\u20E3|\p{Regional_Indicator}{2}|${pictograph}(?:\u200D${pictograph})*`;

const words = new RegExp(String.raw`(?!\u3006)${ideograph}${mark}*|${emoji}|${word}`, 'gu');

/** The analyser splits longer words into pieces of this length. */
const maxTokenLength = 255;

/** The lowercased words of a text, in order, repeats included. */
export const tokensOf = (text: string): readonly string[] => {
  const lower = lowerCase(text);
  const matches = lower.match(asciiOnly.test(lower) ? asciiWords : words) ?? [];
  return matches.some(({ length }) => length > maxTokenLength) ? matches.flatMap(pieces) : matches;
};

const pieces = (token: string): readonly string[] =>
  Array.from({ length: Math.ceil(token.length / maxTokenLength) }, (_, index) =>
    token.slice(index * maxTokenLength, (index + 1) * maxTokenLength),
  );
