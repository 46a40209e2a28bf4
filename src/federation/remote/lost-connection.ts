import type { Dispatcher } from 'undici';
import { retryingErrors, type RetryBudget } from '../../retry.ts';
import type { HttpAnswer, HttpPost } from './http-post.ts';
import { httpPost } from './http-post.ts';

/** How long a node that lost a kept connection is asked over new ones. */
const distrustMs = 60_000;

/** Connections that are kept, and such as are made for one request. */
interface Agents {
  readonly agent: Dispatcher;
  readonly freshAgent: Dispatcher;
}

const lostCodes: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Whether a connection that was there has ended without an answer. */
const isLost = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause)
    if (lostCodes.has((at as NodeJS.ErrnoException).code)) return true;
  return false;
};

/**
 * Posts to one node. A server may close a kept connection at any time, and does when it restarts: what was lost with it
 * is sent once more over a new one, below the circuit, so that it counts once. For a while all others are sent so too.
 * @param budget the node's, which bounds how many are sent once more
 * @returns posts; `isRepeatable` says whether twice has the effect of once
 */
export const steadyPost = (
  { agent, freshAgent }: Agents,
  url: URL,
  budget: RetryBudget,
): ((sent: HttpPost, isRepeatable: boolean) => Promise<HttpAnswer>) => {
  // its requests are counted where they are made
  const charged: RetryBudget = { recordRequest: () => undefined, spend: () => budget.spend() };
  let distrustedUntilMs = -Infinity;
  return (sent, isRepeatable) => {
    if (performance.now() < distrustedUntilMs) return httpPost(freshAgent, url, sent);
    return retryingErrors((attempt) => httpPost(attempt === 1 ? agent : freshAgent, url, sent), {
      attempts: 2,
      delays: { firstMs: 0, maxMs: 0 },
      isIdempotent: isRepeatable,
      isTransient: (error) => {
        if (!isLost(error)) return false;
        distrustedUntilMs = performance.now() + distrustMs;
        return true;
      },
      signal: sent.signal,
      budget: charged,
    });
  };
};
