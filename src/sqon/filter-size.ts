import { TributaryError } from '../errors/errors.ts';
import type { Filter } from './filter.ts';

/** More nodes than this, counting repetitions, would keep an engine busy with a single request. */
const maxFilterSize = 200_000;

/**
 * Rejects a compiled filter that is too large to run: shared parts count each time they occur.
 * @throws TributaryError BAD_USER_INPUT
 */
export const assertSize = (filter: Filter): void => {
  if (sizeOf(filter) > maxFilterSize)
    throw new TributaryError(
      'BAD_USER_INPUT',
      `filter: it takes more than ${maxFilterSize} conditions to run; simplify it`,
      { details: { accepted: maxFilterSize } },
    );
};

const sizes = new WeakMap<Filter, number>();

const sizeOf = (filter: Filter): number => {
  const known = sizes.get(filter);
  if (known !== undefined) return known;
  const size = 1 + partsOf(filter).reduce((sum, part) => sum + sizeOf(part), 0);
  sizes.set(filter, size);
  return size;
};

const partsOf = (filter: Filter): readonly Filter[] => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of;
    case 'not':
    case 'nested':
      return [filter.of];
    case 'all':
    case 'none':
    case 'terms':
    case 'range':
    case 'pattern':
    case 'word':
    case 'exists':
      return [];
  }
};
