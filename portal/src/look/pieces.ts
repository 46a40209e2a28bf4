import { fold } from '../../../src/text/fold.ts';

/** A piece of a text, and whether it is one of the words that were searched. */
export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

const lettersOf = (text: string): readonly string[] => fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** Splits a text where words that were searched begin one of its own, case and accents ignored. */
export const piecesOf = (text: string, search: string): readonly Piece[] => {
  const words = lettersOf(search);
  if (words.length === 0) return [{ text, isHit: false }];
  // each word of the text, and what stands between them
  return (text.match(/[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu) ?? []).reduce<readonly Piece[]>(
    (pieces, own) => {
      const plain = fold(own);
      const isHit = words.some((word, at) =>
        at === words.length - 1 ? plain.startsWith(word) : plain === word,
      );
      const last = pieces.at(-1);
      return last !== undefined && last.isHit === isHit && !isHit
        ? [...pieces.slice(0, -1), { text: last.text + own, isHit }]
        : [...pieces, { text: own, isHit }];
    },
    [],
  );
};
