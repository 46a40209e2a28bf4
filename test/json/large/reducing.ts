import { TributaryError } from '../../../src/errors/errors.ts';

/** Stands for what a room makes of its answers. */
export const reduce = (value: unknown, argument: string): unknown => {
  if (argument === 'refuse') throw new TributaryError('NODE_BAD_RESPONSE', 'not like this');
  return { argument, items: (value as readonly unknown[]).length };
};
