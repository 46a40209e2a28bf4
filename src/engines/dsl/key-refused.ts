import { TributaryError } from '../../errors.ts';

/** What is said when documents are to be found by a part of their key. */
export const keyRefused = (what: string): TributaryError =>
  new TributaryError(
    'BAD_USER_INPUT',
    `this search server finds documents by their whole _id, not by ${what}; use a field that holds the key`,
  );
