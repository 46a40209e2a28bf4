import { piecesOf } from './pieces.ts';

/** A text with the search words highlighted. */
export const Marked = ({ text, search }: { readonly text: string; readonly search: string }) =>
  search === ''
    ? text
    : piecesOf(text, search).map(({ text: piece, isHit }, at) =>
        isHit ? <mark key={at}>{piece}</mark> : piece,
      );
