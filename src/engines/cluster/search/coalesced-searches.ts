import { TributaryError } from '../../../errors/errors.ts';
import type { JsonObject } from '../../../json/json.ts';
import { RequestCoalescer } from '../../../net/request-coalescer.ts';
import { multiSearch } from './multi-search.ts';
import type { SendSearches } from './search-context.ts';

/** Sends searches, and can stop running ones from being shared with later ones. */
export interface CoalescedSearches {
  readonly send: SendSearches;
  /** Called after a change of the data: later searches no longer share the results of running ones. */
  readonly forget: () => void;
}

/**
 * Sends a search only once while an equal one is running, for example when many users open a portal's start page at the
 * same time. The results are shared: read-only.
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
        (signal, answered) =>
          multiSearch({ ...searching, options: { ...options, signal } }, texts).then(answered),
        cancelled,
        (found) => found,
      );
    },
    forget: () => calls.forget(),
  };
};

const cancelled = (reason: unknown): TributaryError =>
  new TributaryError('ENGINE_TIMEOUT', 'the request was cancelled', { cause: reason });
