import type { AskPlan, NodePlan } from './plan.ts';

/** Nodes of which nothing is known may be the slowest. */
const unknownMs = Infinity;

/**
 * The places of the plans that ask a node, those whose nodes usually take longest first: sending a thousand questions
 * takes a tenth of a second and more, in which the slow nodes can be at work already.
 */
export const slowestFirst = (plans: readonly NodePlan[]): readonly number[] => {
  const asked: { readonly at: number; readonly usualMs: number }[] = [];
  plans.forEach((plan, at) => plan.kind === 'ask' && asked.push({ at, usualMs: usualMsOf(plan) }));
  return asked.sort(byUsual).map(({ at }) => at);
};

const byUsual = (one: { readonly usualMs: number }, other: { readonly usualMs: number }): number =>
  one.usualMs === other.usualMs ? 0 : other.usualMs - one.usualMs;

const usualMsOf = ({ status }: AskPlan): number => status.usualMs?.() ?? unknownMs;
