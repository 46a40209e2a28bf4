import type { SortValue } from '../../engines/semantics/cursor.ts';
import { cursorPrinter, missingMark, withMarks } from '../../engines/semantics/cursor.ts';
import { maxLong, minLong } from '../../engines/semantics/cursor.ts';
import type { CursorValue, SortKey } from '../../engines/engine.ts';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { startAgain } from '../../engines/semantics/cursor.ts';
import type { TributaryError } from '../../errors/errors.ts';
import { LazyHit, type CatalogueHit } from '../../search/query.ts';

/**
 * A cursor in the form clients know: a missing whole number or date prints as the smallest long, whichever end of the
 * order it sorts to, as on the established server.
 */
export const shownCursor = (
  cursor: readonly CursorValue[],
  sort: readonly SortKey[],
): readonly CursorValue[] => withMarks(cursor, sort, (_key, mark) => shownMark(mark));

const shownMark = (mark: CursorValue): CursorValue => (mark === maxLong ? minLong : mark);

/** Prints many cursors of one sort in that form. */
export const shownCursorPrinter = (
  sort: readonly SortKey[],
): ((values: readonly SortValue[], tieBreak: CursorValue) => readonly CursorValue[]) =>
  cursorPrinter(sort, shownMark);

/** A client's cursor in the engine's form: the marker of a missing value is the extreme where this key sorts it. */
export const engineCursor = (
  cursor: readonly CursorValue[],
  sort: readonly SortKey[],
): readonly CursorValue[] => withMarks(cursor, sort, missingMark);

/**
 * Makes the tiebreaker of a cursor opaque: an engine's own reveals how many documents there are, and the positions of
 * those hidden from the reader. Sort values stay as they are, since networks merge by them.
 */
export interface CursorSeal {
  /** @param sortKeys number of values before the tiebreaker */
  readonly seal: (cursor: readonly CursorValue[], sortKeys: number) => readonly CursorValue[];
  /**
   * Unseals a cursor: a position that the caller made up would reveal how many hidden documents come before it.
   * @throws TributaryError BAD_USER_INPUT
   */
  readonly open: (cursor: readonly CursorValue[], sortKeys: number) => readonly CursorValue[];
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** A power of two; a position of any number of digits fits. */
const blockBytes = 32;
const sealed = /^(values:[\d,]*;)?tie:([\w-]+)$/;
/** The prefix of a tiebreaker says which sort values are not missing-value markers, for merging. */
const plain = /^(values:[\d,]*;)?(.*)$/s;

/** @param key any secret */
export const cursorSeal = (key: string | Buffer): CursorSeal => {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'tributary cursor', 32));
  const encrypt = (text: string): string => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, derived, nonce);
    const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
  };
  const decrypt = (text: string): string => {
    const bytes = Buffer.from(text, 'base64url');
    const contentAt = nonceBytes + tagBytes;
    if (bytes.length < contentAt) throw unreadable();
    try {
      const decipher = createDecipheriv(algorithm, derived, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(nonceBytes, contentAt));
      return Buffer.concat([decipher.update(bytes.subarray(contentAt)), decipher.final()]).toString();
    } catch (cause) {
      throw unreadable(cause);
    }
  };
  return {
    seal: (cursor, sortKeys) =>
      mapped(cursor, sortKeys, (tieBreak) => {
        if (typeof tieBreak !== 'string') return `tie:${encrypt(padded(tieBreak))}`;
        const [, values = '', rest] = plain.exec(tieBreak)!;
        return `${values}tie:${encrypt(padded(rest!))}`;
      }),
    open: (cursor, sortKeys) =>
      mapped(cursor, sortKeys, (tieBreak) => {
        const [, values = '', rest] = (typeof tieBreak === 'string' && sealed.exec(tieBreak)) || [];
        if (rest === undefined) throw unreadable();
        const opened = JSON.parse(decrypt(rest)) as CursorValue;
        return values === '' ? opened : `${values}${opened}`;
      }),
  };
};

/** As JSON of one length for all positions: more digits would tell how many hidden documents come before. */
const padded = (tieBreak: CursorValue): string => {
  const text = JSON.stringify(tieBreak);
  return text + ' '.repeat(-Buffer.byteLength(text) & (blockBytes - 1));
};

const mapped = (
  cursor: readonly CursorValue[],
  sortKeys: number,
  change: (tieBreak: CursorValue) => CursorValue,
): readonly CursorValue[] => cursor.map((value, at) => (at < sortKeys ? value : change(value)));

const unreadable = (cause?: unknown): TributaryError =>
  startAgain('is a cursor that this server cannot read', cause);

/** A hit as callers see it; its cursor is sealed when it is read. */
export const shownHit = (
  { id, source, cursor }: CatalogueHit,
  sort: readonly SortKey[],
  seal: CursorSeal | undefined,
): CatalogueHit => {
  const rank = (): readonly CursorValue[] => shownCursor(cursor, sort);
  return new LazyHit({ id, source }, () => seal?.seal(rank(), sort.length) ?? rank(), rank);
};
