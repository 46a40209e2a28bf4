import { TributaryError } from '../../errors/errors.ts';
import { fold } from './folding.ts';

/** Longer texts are not real searches, and search servers accept no longer expressions. */
const maxLength = 1_000;

/**
 * The folded text that bucket keys must contain, ignoring case and accents; null for a text that restricts nothing.
 * @throws TributaryError BAD_USER_INPUT for a text that is too long, or not well-formed Unicode
 */
export const foldedMatching = (text: string | null | undefined): string | null => {
  if (text == null) return null;
  if (text.length > maxLength) throw tooLong(text.length);
  // servers would be sent another character instead
  if (!text.isWellFormed())
    throw new TributaryError('BAD_USER_INPUT', 'matching must not hold half of a surrogate pair');
  const folded = fold(text);
  // folding may add letters, and other nodes are sent the folded text
  if (folded.length > maxLength) throw tooLong(folded.length);
  return folded === '' ? null : folded;
};

const tooLong = (length: number): TributaryError =>
  new TributaryError('BAD_USER_INPUT', `matching takes at most ${maxLength} characters, not ${length}`);

/** Whether a bucket key contains a folded text. */
export const keyContains =
  (folded: string): ((key: string) => boolean) =>
  (key) =>
    fold(key).includes(folded);
