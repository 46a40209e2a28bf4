import { wordsOf } from './values.ts';

/** A text as people read it over: small letters without marks, spelt out; by hand, not by the table of the engines. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u065f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .normalize('NFC');

const alone = String.raw`\p{Script=Han}\p{Script=Hiragana}`;
const separator = String.raw`\s\p{P}\p{Z}\p{Sm}\p{Sc}\p{Sk}`;
const units = new RegExp(`[${alone}]|[^${separator}${alone}]+`, 'gu');

/** Whether the values hold a word; of text the values are the words of all texts. */
export const holdsWord = (
  values: readonly string[],
  { word, isPrefix }: { readonly word: string; readonly isPrefix: boolean },
  isText: boolean,
): boolean => {
  const fits = (value: string, wanted: string, isLast: boolean): boolean =>
    isLast && isPrefix ? value.startsWith(wanted) : value === wanted;
  if (isText) {
    const words = wordsOf(word)
      .filter((one) => one !== '')
      .map(plain);
    const isFound = (wanted: string, at: number): boolean =>
      values.some((value) => fits(plain(value), wanted, at === words.length - 1));
    return words.length > 0 && words.every(isFound);
  }
  const wanted = plain(word).match(units) ?? [];
  return values.some((value) => {
    const held: readonly string[] = plain(value).match(units) ?? [];
    return (
      wanted.length > 0 &&
      held.some((_, from) =>
        wanted.every((one, at) => fits(held[from + at] ?? '', one, at === wanted.length - 1)),
      )
    );
  });
};
