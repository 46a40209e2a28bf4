import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller, CatalogueResult } from '../../search/query.ts';
import type { NodeResult } from '../query/fanout.ts';
import { fanout } from '../query/fanout.ts';
import type { AskPlan } from '../query/plan.ts';

/** The pause before each retry. */
const pausesMs = [100, 400, 1_600];
/** The time until the circuit lets a node be asked again after three failures in a row, plus a margin. */
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
export const askAgain = async (plan: AskPlan, caller: Caller, patience: Patience): Promise<NodeResult> => {
  const { timeoutMs } = plan.node.config;
  let failures = 0;
  let failed: NodeResult | null = null;
  let circuitUntilMs: number | null = null;
  for (;;) {
    const asked = judged((await fanout([plan], caller))[0]!, patience);
    caller.signal?.throwIfAborted();
    if (asked.state === 'circuitOpen') {
      // our own failures may have opened it
      if (!patience.waitsForCircuit && failures === 0) return asked;
      circuitUntilMs ??= performance.now() + Math.max(timeoutMs, circuitMs);
      // the original failure is more informative than the open circuit
      if (performance.now() > circuitUntilMs) return failed ?? asked;
      await pause(lookAgainMs, caller);
      continue;
    }
    const waitMs = waitAfter(asked, failures, timeoutMs);
    if (waitMs === null) return asked;
    failures += 1;
    failed = asked;
    await pause(waitMs, caller);
  }
};

const judged = (asked: NodeResult, { faultOf }: Patience): NodeResult => {
  const reason = asked.answer && faultOf(asked.answer);
  return reason === null
    ? asked
    : { ...asked, state: 'badResponse', code: 'NODE_BAD_RESPONSE', reason, answer: null };
};

const mayPass: ReadonlySet<NodeResult['state']> = new Set(['timeout', 'unreachable', 'badResponse']);

/** How long to wait before asking the node again; null for no retry. */
const waitAfter = (
  { state, code, retryAfterSeconds }: NodeResult,
  failures: number,
  timeoutMs: number,
): number | null => {
  const usual = pausesMs[failures];
  if (state === 'ok' || usual === undefined) return null;
  if (code === 'TOO_MANY_REQUESTS') {
    const asked = (retryAfterSeconds ?? 0) * 1_000;
    return asked > timeoutMs ? null : Math.max(asked, usual);
  }
  return mayPass.has(state) ? Math.min(usual, timeoutMs) : null;
};

const pause = async (ms: number, { signal }: Caller): Promise<void> => {
  await sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
  signal?.throwIfAborted();
};
