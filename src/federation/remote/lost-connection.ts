import type { Dispatcher } from 'undici';
import { retryingErrors, type RetryBudget } from '../../net/retry.ts';
import type { Address, HttpPost, TakeHttp } from './http-post.ts';
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

/** @param isRepeatable whether twice has the effect of once */
export type SteadyPost = <Taken>(
  sent: HttpPost,
  isRepeatable: boolean,
  take: TakeHttp<Taken>,
) => Promise<Taken>;

/**
 * Posts to one node. A server may close a kept connection at any time, and does when it restarts: what was lost with it
 * is sent once more over a new one, below the circuit, so that it counts once. For a while all others are sent so too.
 * @param budget the node's, which bounds how many are sent once more
 */
export const steadyPost = (
  { agent, freshAgent }: Agents,
  { origin, pathname, search }: URL,
  budget: RetryBudget,
): SteadyPost => {
  const address: Address = { origin, pathname, search };
  let distrustedUntilMs = -Infinity;
  const repeating = {
    attempts: 2,
    delays: { firstMs: 0, maxMs: 0 },
    isTransient: (error: unknown): boolean => {
      if (!isLost(error)) return false;
      distrustedUntilMs = performance.now() + distrustMs;
      return true;
    },
    // its requests are counted where they are made
    budget: { recordRequest: () => undefined, spend: () => budget.spend() },
  };
  const once = { ...repeating, isIdempotent: false };
  return (sent, isRepeatable, take) => {
    if (performance.now() < distrustedUntilMs) return httpPost(freshAgent, address, sent, take);
    const post = (attempt: number) => httpPost(attempt === 1 ? agent : freshAgent, address, sent, take);
    return retryingErrors(post, isRepeatable ? repeating : once, { signal: sent.signal });
  };
};
