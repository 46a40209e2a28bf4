import { errorCodes, TributaryError } from '../../errors.ts';
import type { NodeAnswer } from '../fanout.ts';
import { compareUtf8 } from './compare-utf8.ts';

/** One line of `nodes`. */
export interface NodeStatus {
  readonly nodeId: string;
  readonly name: string;
  /** 0 for a node that failed, null for one left out. */
  readonly hits: number | null;
  /** null for a node left out: neither answered nor failed. */
  readonly status: 'OK' | 'ERROR' | null;
  readonly errors: string;
  readonly state: NodeAnswer['state'];
  readonly code: string | null;
  readonly took: number;
  readonly uncoveredFields: readonly string[];
}

/** What became of each node. */
export const nodeStatuses = (answers: readonly NodeAnswer[]): readonly NodeStatus[] =>
  answers.map((one): NodeStatus => {
    const { nodeId, displayName } = one.plan.node.config;
    const excluded = one.state === 'excluded';
    return {
      nodeId,
      name: displayName,
      hits: excluded ? null : matchesAt(one),
      status: excluded ? null : one.state === 'ok' ? 'OK' : 'ERROR',
      errors: one.reason,
      state: one.state,
      code: one.code,
      took: one.tookMs,
      uncoveredFields: one.plan.uncoveredFields,
    };
  });

/** The order in which nodes are listed everywhere in an answer: by name, then id. */
export const byName = (answers: readonly NodeAnswer[]): readonly NodeAnswer[] =>
  answers.toSorted((left, right) => {
    const [a, b] = [left.plan.node.config, right.plan.node.config];
    return compareUtf8(a.displayName, b.displayName) || compareUtf8(a.nodeId, b.nodeId);
  });

/** Records that match at a node; null when it answered without counting. */
export const matchesAt = ({ answer, state, plan }: NodeAnswer): number | null => {
  if (answer) return answer.total;
  return state === 'ok' && plan.kind === 'empty' ? 0 : state === 'ok' ? null : 0;
};

/** True when some node that was not excluded is not ok. */
export const isPartial = (answers: readonly NodeAnswer[]): boolean =>
  answers.some(({ state }) => state !== 'ok' && state !== 'excluded');

/** The sum over the nodes that answered; null when none did or one did not count. */
export const totalOf = (answers: readonly NodeAnswer[]): number | null => {
  const counted = answers.filter(({ state }) => state === 'ok').map(matchesAt);
  return counted.length === 0 || counted.includes(null)
    ? null
    : counted.reduce<number>((sum, count) => sum + (count ?? 0), 0);
};

/**
 * Fails the query when a node that it cannot do without did not answer.
 * @throws TributaryError with that node's code
 */
export const assertRequired = (answers: readonly NodeAnswer[]): void => {
  for (const { plan, state, code, reason } of answers) {
    if (!plan.node.config.required || state === 'ok' || state === 'excluded' || code === null) continue;
    const shown = errorCodes[code].safe ? code : 'NODE_BAD_RESPONSE';
    throw new TributaryError(shown, `node "${plan.node.config.nodeId}" is required and failed: ${reason}`);
  }
};

/**
 * Fails a question whose histogram is too fine for every node that could be asked; where some can tell, the others are
 * refused parts of the answer.
 * @throws TributaryError BAD_USER_INPUT naming the smallest interval that fits
 */
export const assertIntervalFits = (answers: readonly NodeAnswer[]): void => {
  const reached = answers.filter(
    ({ plan, state }) => plan.kind === 'ask' && (state === 'ok' || state === 'refused'),
  );
  const intervals = reached.flatMap(({ smallestInterval }) => smallestInterval ?? []);
  if (intervals.length === 0 || intervals.length < reached.length) return;
  const smallestInterval = Math.max(...intervals);
  throw new TributaryError(
    'BAD_USER_INPUT',
    `a histogram has too many buckets at every node that can be asked; the smallest interval that fits is ${smallestInterval}`,
    { details: { smallestInterval } },
  );
};

/**
 * Fails a question that costs too much at every node that could be asked; where some answer, the others are refused
 * parts of the answer.
 * @throws TributaryError BAD_USER_INPUT naming the node where least is lacking
 */
export const assertAffordable = (answers: readonly NodeAnswer[]): void => {
  const reached = answers.filter(
    ({ plan, state }) => plan.kind === 'ask' && (state === 'ok' || state === 'refused'),
  );
  const refusals = reached.flatMap(({ plan, reason, tooDear }) => (tooDear ? { plan, reason, tooDear } : []));
  if (refusals.length === 0 || refusals.length < reached.length) return;
  const [nearest] = refusals.toSorted((left, right) => share(left.tooDear) - share(right.tooDear));
  throw new TributaryError(
    'BAD_USER_INPUT',
    `the question costs too much at every node that can be asked: at "${nearest!.plan.node.config.nodeId}" ${nearest!.reason}`,
    { details: nearest!.tooDear },
  );
};

const share = ({ cost, mostCost }: { cost: number; mostCost: number }): number => cost / mostCost;
