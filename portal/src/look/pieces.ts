import { fold } from '../../../src/lib/text/fold.ts';

/** A piece of a text, and whether it matches a search word. */
export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

const lettersOf = (text: string): readonly string[] => fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** Splits a text where search words begin one of its words, ignoring case and accents. */
export const piecesOf = (text: string, search: string): readonly Piece[] => {
  const words = lettersOf(search);
  if (words.length === 0) return [{ text, isHit: false }];
  // each word of the text, and the text between them
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
