import type { MeasureKind } from '../../engines/measure.ts';
import { errorCodes, TributaryError } from '../../errors.ts';
import { measureRow } from '../../facets/measures.ts';
import type { Interval } from '../../facets/row/measure-row.ts';
import type { NetworkMeasure } from '../../facets/row/network-measure.ts';
import type { NodeResult } from '../query/fanout.ts';
import type { NetworkQuery } from '../query/network-query.ts';
import { utf8Order } from '../../engines/semantics/utf8-order.ts';

/** One line of `nodes`. */
export interface NodeStatus {
  readonly nodeId: string;
  readonly name: string;
  /** 0 for a node that failed, null for one left out. */
  readonly hits: number | null;
  /** null for a node left out: neither answered nor failed. */
  readonly status: 'OK' | 'ERROR' | null;
  readonly errors: string;
  readonly state: NodeResult['state'];
  readonly code: string | null;
  readonly took: number;
  readonly uncoveredFields: readonly string[];
}

/** What became of each node. */
export const nodeStatuses = (answers: readonly NodeResult[]): readonly NodeStatus[] =>
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
export const byName = (answers: readonly NodeResult[]): readonly NodeResult[] =>
  answers.toSorted((left, right) => {
    const [a, b] = [left.plan.node.config, right.plan.node.config];
    return utf8Order(a.displayName, b.displayName) || utf8Order(a.nodeId, b.nodeId);
  });

/** Records that match at a node; null when it answered without counting. */
export const matchesAt = ({ answer, state, plan }: NodeResult): number | null => {
  if (answer) return answer.total;
  return state === 'ok' && plan.kind === 'empty' ? 0 : state === 'ok' ? null : 0;
};

/** True when some node that was not excluded is not ok. */
export const isPartial = (answers: readonly NodeResult[]): boolean =>
  answers.some(({ state }) => state !== 'ok' && state !== 'excluded');

/** The sum over the nodes that answered; null when none did or one did not count. */
export const totalOf = (answers: readonly NodeResult[]): number | null => {
  const counted = answers.filter(({ state }) => state === 'ok').map(matchesAt);
  return counted.length === 0 || counted.includes(null)
    ? null
    : counted.reduce<number>((sum, count) => sum + (count ?? 0), 0);
};

/**
 * Fails the query when a node that it cannot do without did not answer.
 * @throws TributaryError with that node's code
 */
export const assertRequired = (answers: readonly NodeResult[]): void => {
  for (const { plan, state, code, reason, retryAfterSeconds } of answers) {
    if (!plan.node.config.required || state === 'ok' || state === 'excluded' || code === null) continue;
    const shown = errorCodes[code].safe ? code : 'NODE_BAD_RESPONSE';
    throw new TributaryError(shown, `node "${plan.node.config.nodeId}" is required and failed: ${reason}`, {
      ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
    });
  }
};

/**
 * Fails a question with a histogram that is too fine for some node: with the others' buckets it has no fewer. The first
 * such of the question is named, with an interval that is the smallest for every node that said one.
 * @throws TributaryError BAD_USER_INPUT as a catalogue throws it
 */
export const assertIntervalFits = (question: NetworkQuery, answers: readonly NodeResult[]): void => {
  const refused = answers.filter(({ smallestInterval }) => smallestInterval !== undefined);
  if (refused.length === 0) return;
  for (const [index, { path, measure }] of question.facets.entries()) {
    const named = refused.filter((one) => mayMean(one, index)).map((one) => one.smallestInterval!);
    const error = tooFine(path, measure, named);
    if (error) throw error;
  }
};

/** Whether a node may mean a facet of the question: the one it names, where it names one that it was asked for. */
const mayMean = ({ plan, tooFineField }: NodeResult, index: number): boolean => {
  if (plan.kind !== 'ask') return false;
  const { facets } = plan.query;
  const isKnown = facets.some(
    ({ field, measure }) => measureRow(measure.kind).tooFine !== undefined && field === tooFineField,
  );
  const place = plan.facets[index];
  return place != null && (!isKnown || facets[place]!.field === tooFineField);
};

const tooFine = <Kind extends MeasureKind>(
  path: string,
  measure: NetworkMeasure<Kind>,
  named: readonly Interval[],
): TributaryError | null => measureRow<Kind>(measure.kind).tooFine?.(path, measure, named) ?? null;

/**
 * Fails a question that costs too much at every node that could be asked; where some answer, the others are refused
 * parts of the answer.
 * @throws TributaryError BAD_USER_INPUT naming the node where least is lacking
 */
export const assertAffordable = (answers: readonly NodeResult[]): void => {
  const reached = answers.filter(
    ({ plan, state }) => plan.kind === 'ask' && (state === 'ok' || state === 'refused'),
  );
  const refusals = reached.flatMap(({ plan, reason, tooExpensive: tooDear }) =>
    tooDear ? { plan, reason, tooDear } : [],
  );
  if (refusals.length === 0 || refusals.length < reached.length) return;
  const [nearest] = refusals.toSorted((left, right) => share(left.tooDear) - share(right.tooDear));
  throw new TributaryError(
    'BAD_USER_INPUT',
    `the query costs too much at every node that can be asked: at "${nearest!.plan.node.config.nodeId}" ${nearest!.reason}`,
    { details: nearest!.tooDear },
  );
};

/**
 * Fails a question that no node takes now and some node takes later; where some answer, the others are missing parts of
 * the answer.
 * @throws TributaryError TOO_MANY_REQUESTS with the longest wait that was asked for
 */
export const assertTakenNow = (answers: readonly NodeResult[]): void => {
  const reached = answers.filter(
    ({ plan, state }) => plan.kind === 'ask' && (state === 'ok' || state === 'refused'),
  );
  const waits = reached.filter(({ code }) => code === 'TOO_MANY_REQUESTS');
  if (
    waits.length === 0 ||
    reached.some(({ code, tooExpensive: tooDear }) => code !== 'TOO_MANY_REQUESTS' && !tooDear)
  )
    return;
  const seconds = waits.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  const retryAfterSeconds = seconds.length > 0 ? Math.max(...seconds) : null;
  throw new TributaryError(
    'TOO_MANY_REQUESTS',
    `every node that can be asked asks to wait${retryAfterSeconds === null ? '' : `: ask again in ${retryAfterSeconds} s`}`,
    retryAfterSeconds === null ? {} : { details: { retryAfterSeconds } },
  );
};

const share = ({ cost, mostCost }: { cost: number; mostCost: number }): number => cost / mostCost;
