import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { CursorValue, HitsQuery, SortKey } from '../../engines/engine.ts';
import {
  assertPage,
  cursorPrinter,
  missingMark,
  withMarks,
  maxLong,
  minLong,
  startAgain,
  type SortValue,
} from '../../engines/semantics/cursor.ts';
import { assertSortable } from '../../engines/semantics/field-uses.ts';
import { badUserInput, type TributaryError } from '../../lib/errors/errors.ts';
import type { CatalogueConfig } from '../../introspection/fields/catalogue-config.ts';
import { fieldNamed, type Field, type Fields } from '../../introspection/fields/field.ts';
import { likelyField } from '../../introspection/fields/unknown-fields.ts';
import { limited } from '../../introspection/limit.ts';
import {
  sortDefaults,
  LazyHit,
  type HitsRequest,
  type SortRequest,
  type CatalogueHit,
} from '../../search/query.ts';
import type { Filter } from '../../sqon/filter.ts';

/** The deepest page that every engine returns without a cursor. */
const maxPageDepth = 10_000;
/** Every pair of hits may be compared by every key. */
export const maxSortKeys = 100;

export interface HitsContext {
  readonly config: CatalogueConfig;
  readonly fields: Fields;
  /** Present if tiebreakers are sealed. */
  readonly cursors?: CursorSeal | undefined;
  /** Receives changes made to the request: a clamped page, an unusable sort. */
  readonly warn: (message: string) => void;
}

/**
 * A page of hits for the engine.
 *
 * @throws TributaryError BAD_USER_INPUT for a negative page, one too deep for offsets, a cursor combined with an
 *   offset, too many sort keys, or one that is unknown or unsortable
 */
export const hitsQuery = (request: HitsRequest, filter: Filter, context: HitsContext): HitsQuery => {
  const size = pageSize(request, { window: context.config.table.maxResultsWindow, warn: context.warn });
  if (request.sort.length > maxSortKeys)
    throw badUserInput(`sort takes at most ${maxSortKeys} keys, not ${request.sort.length}`);
  const sort = request.sort.flatMap((key) => sortKey(key, context));
  return {
    filter,
    size,
    offset: request.offset,
    sort,
    searchAfter:
      request.searchAfter &&
      engineCursor(context.cursors?.open(request.searchAfter, sort.length) ?? request.searchAfter, sort),
    source: sourcePaths(request.fields, context),
    trackTotal: request.trackTotal,
  };
};

/**
 * How many hits a page holds: as many as requested, at most a results window.
 * @throws TributaryError BAD_USER_INPUT for a negative page, one too deep for offsets, a cursor combined with an offset
 */
export const pageSize = (
  request: HitsRequest,
  { window, warn }: Pick<HitsContext, 'warn'> & { readonly window: number },
): number => {
  const { first, offset, searchAfter } = request;
  rejectNegative('first', first);
  rejectNegative('offset', offset);
  const size = limited(first, window);
  if (size < first)
    warn(`first ${first} is more than this catalogue's results window; ${window} hits are shown`);
  assertPage(offset, size, Math.max(maxPageDepth, window), searchAfter !== null);
  return size;
};

const rejectNegative = (name: string, value: number): void => {
  if (value < 0) throw badUserInput(`${name} must be 0 or more, not ${value}`);
};

/**
 * None for names that portals request but that have no order.
 * @throws TributaryError BAD_USER_INPUT for a field that is unknown or unsortable
 */
export const sortKey = (
  request: SortRequest,
  context: Pick<HitsContext, 'fields' | 'warn'>,
): readonly SortKey[] => {
  const { fieldName } = request;
  if (fieldName === relevance && !context.fields.has(relevance)) {
    context.warn(`sort by ${fieldName} is left out: filters find, they do not rank`);
    return [];
  }
  if (isHitCount(fieldName, context.fields)) {
    context.warn(`sort by ${fieldName} is left out: the number of nested hits has no order`);
    return [];
  }
  const field = sortField(fieldName, context.fields);
  const key = sortDefaults(request);
  assertSortable(field, key.mode);
  return [{ field: field.indexField, ...key }];
};

/** Portal components use this in place of `<nested path>.hits.total`. */
const relevance = '_score';

const hitCountSuffix = '.hits.total';

/** Portals offer `<nested path>.hits.total` as a column that users can sort by. */
const isHitCount = (fieldName: string, fields: Fields): boolean =>
  fieldName.endsWith(hitCountSuffix) &&
  fields.get(fieldName.slice(0, -hitCountSuffix.length))?.kind === 'nested';

const sortField = (fieldName: string, fields: Fields): Field => {
  const field = fieldNamed(fields, fieldName);
  if (field === undefined) throw unknownSort(fieldName, fields);
  return field;
};

const unknownSort = (fieldName: string, fields: Fields): TributaryError => {
  const likely = likelyField(fieldName, fields);
  const hint = likely === undefined ? '' : ` (did you mean "${likely}"?)`;
  return badUserInput(`sort names the unknown field ${fieldName}${hint}`, {
    details: { fieldName, ...(likely !== undefined && { didYouMean: likely }) },
  });
};

const sourcePaths = (
  paths: readonly string[] | null,
  { config, fields }: HitsContext,
): readonly string[] | null => {
  const { nestingPrefix } = config;
  if (paths === null) return nestingPrefix === null ? null : [nestingPrefix];
  const outside = nestingPrefix === null ? '' : `${nestingPrefix}.`;
  return paths.map((path) => fields.get(path)?.indexField.path ?? `${outside}${path}`);
};

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
