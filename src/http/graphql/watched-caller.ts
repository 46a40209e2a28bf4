import type { Caller } from '../../search/query.ts';

/** What is reported of the searches that a request causes. */
export type Reports = Pick<Caller, 'searched' | 'composedOf'>;

/** A caller for whom searches report to two listeners; the caller itself where neither needs anything. */
export const watchedCaller = <Asking extends Caller>(
  caller: Asking,
  one: Reports,
  other: Reports,
): Asking => {
  const searched = both(one.searched, other.searched);
  const composedOf = both(one.composedOf, other.composedOf);
  return searched === undefined && composedOf === undefined ? caller : { ...caller, searched, composedOf };
};

type Listener<Told extends unknown[]> = ((...told: Told) => void) | undefined;

const both = <Told extends unknown[]>(one: Listener<Told>, other: Listener<Told>): Listener<Told> =>
  one && other
    ? (...told) => {
        one(...told);
        other(...told);
      }
    : (one ?? other);
