import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller, CatalogueResult } from '../../search/query.ts';
import type { NodeResult } from '../query/fanout.ts';
import { fanout } from '../query/fanout.ts';
import type { AskPlan } from '../query/plan.ts';

/** Before each time that a node is asked again. */
const pausesMs = [100, 400, 1_600];
/** How long it takes until a node that failed three times in a row is let be asked again, and a little more. */
const circuitMs = 10_000;
const lookAgainMs = 250;

export interface Patience {
  /** Whether to wait for a node that others have found failing: not before a file has begun. */
  readonly waitsForCircuit: boolean;
  /** What is wrong with an answer that came, null when nothing is: it counts as a failure of the node. */
  readonly faultOf: (answer: CatalogueResult) => string | null;
}

/**
 * Asks one node, and up to three times again while it fails in a way that may pass: each time with its own deadline,
 * after a pause, or after the wait that it asks for where that is within its deadline. Nothing is thrown for the node;
 * what became of it is in the answer.
 * @throws the signal's reason when the caller has left
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
      // failures of ours may have opened it
      if (!patience.waitsForCircuit && failures === 0) return asked;
      circuitUntilMs ??= performance.now() + Math.max(timeoutMs, circuitMs);
      // why it was given up says more than that it was
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

/** How long to wait before the node is asked again; null when it is not. */
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
