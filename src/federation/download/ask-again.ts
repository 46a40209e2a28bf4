import { setTimeout as sleep } from 'node:timers/promises';
import { retryBudgetOf, retrying } from '../../net/retry.ts';
import type { CatalogueResult } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import type { NodeResult } from '../query/node-result.ts';
import { fanout } from '../query/fanout.ts';
import type { QueryPlan } from '../query/plan.ts';

const attempts = 4;
/** The longest wait before a second attempt at a node; it doubles with each further one. */
const firstPauseMs = 600;
/** The time until the circuit allows another attempt after three failures in a row, plus a margin. */
const circuitMs = 10_000;
const lookAgainMs = 250;

export interface Patience {
  /** Whether to wait for a node whose circuit other requests have opened: not before a file has begun. */
  readonly waitsForCircuit: boolean;
  /** What is wrong with a received answer, null when nothing is: a fault counts as a failure of the node. */
  readonly faultOf: (answer: CatalogueResult) => string | null;
}

/**
 * Asks one node, retrying up to three times on transient failures: each attempt has its own deadline and follows a
 * pause, or the wait the node requests if it fits the deadline. Never throws for the node; its outcome is in the
 * answer.
 * @throws the signal's reason when the caller has disconnected
 */
export const askAgain = async (
  plan: QueryPlan,
  context: RequestContext,
  patience: Patience,
): Promise<NodeResult> => {
  const { config } = plan.node;
  const { timeoutMs } = config;
  let failed: NodeResult | null = null;
  let circuitUntilMs: number | null = null;
  let isGivenUp = false;
  const ask = async (attempt: number): Promise<NodeResult> => {
    for (;;) {
      const asked = outcomeOf((await fanout([plan], context.withoutRetries()))[0]!, patience);
      context.signal?.throwIfAborted();
      if (asked.state !== 'circuitOpen') return (failed = asked);
      // our own failures may have opened it
      if (!patience.waitsForCircuit && attempt === 1) return asked;
      circuitUntilMs ??= performance.now() + Math.max(timeoutMs, circuitMs);
      isGivenUp = performance.now() > circuitUntilMs;
      // the original failure is more informative than the open circuit
      if (isGivenUp) return failed ?? asked;
      await pause(lookAgainMs, context);
    }
  };
  const { outcome } = await retrying(ask, {
    attempts,
    delays: { firstMs: firstPauseMs, maxMs: timeoutMs },
    isTransient: (asked) => !isGivenUp && mayPass(asked, timeoutMs),
    retryAfterMs: askedToWaitMs,
    signal: context.signal,
    budget: retryBudgetOf(config),
  });
  context.signal?.throwIfAborted();
  return outcome;
};

const outcomeOf = (asked: NodeResult, { faultOf }: Patience): NodeResult => {
  const reason = asked.answer && faultOf(asked.answer);
  return reason === null
    ? asked
    : { ...asked, state: 'badResponse', code: 'NODE_BAD_RESPONSE', reason, answer: null };
};

const passing: ReadonlySet<NodeResult['state']> = new Set(['timeout', 'unreachable', 'badResponse']);

const mayPass = (asked: NodeResult, timeoutMs: number): boolean =>
  (asked.code === 'TOO_MANY_REQUESTS' || passing.has(asked.state)) && askedToWaitMs(asked) <= timeoutMs;

const askedToWaitMs = ({ retryAfterSeconds = 0 }: NodeResult): number => retryAfterSeconds * 1_000;

const pause = async (ms: number, { signal }: RequestContext): Promise<void> => {
  await sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
  signal?.throwIfAborted();
};
