import { TributaryError } from '../../../errors.ts';
import type { JsonObject } from '../../../json.ts';
import { RequestCoalescer } from '../../../request-coalescer.ts';
import { multiSearch } from './multi-search.ts';
import type { SendSearches } from './search-context.ts';

/** How searches are sent, and how those under way are kept from answering later ones. */
export interface CoalescedSearches {
  readonly send: SendSearches;
  /** Whoever asks from now on gets an answer of his own: something was written. */
  readonly forget: () => void;
}

/**
 * Sends equal searches that are asked while one of them is under way only once, as when many open a portal's first page
 * at the same time. The answers are shared: read only.
 */
export const coalescedSearches = (): CoalescedSearches => {
  const calls = new RequestCoalescer<readonly JsonObject[]>();
  return {
    send: (searching, bodies) => {
      const { index, options } = searching;
      const texts = bodies.map((body) => JSON.stringify(body));
      return calls.share(
        [index, options.timeoutMs, ...texts].join('\n'),
        options.signal,
        (signal) => multiSearch({ ...searching, options: { ...options, signal } }, texts),
        cancelled,
      );
    },
    forget: () => calls.forget(),
  };
};

const cancelled = (reason: unknown): TributaryError =>
  new TributaryError('ENGINE_TIMEOUT', 'the request was cancelled', { cause: reason });
